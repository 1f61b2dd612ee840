import { Progress } from '@mantine/core';
import type { ApiKey } from '#shared/api-keys.ts';
import { DateText } from '../ui/date-text.tsx';
import styles from './api-key.module.css';

/** What a key has used of its day, when it was used last, and since when it is there. */
export function ApiKeyUsage({ apiKey: { name, dailyUsage, dailyLimit, lastUsed, createdAt } }: { apiKey: ApiKey }) {
  const words = `${dailyUsage} of ${dailyLimit} requests today`;
  return (
    <div className={styles.usage}>
      <Progress
        value={Math.min(100, (100 * dailyUsage) / dailyLimit)}
        size="sm"
        className={styles.bar}
        color={dailyUsage >= dailyLimit ? 'red' : 'brand'}
        aria-label={`${name}: ${words}`}
      />
      <span>{words}</span>
      <span>
        {lastUsed ? (
          <>
            Last used <DateText value={lastUsed} />
          </>
        ) : (
          'Never used'
        )}
      </span>
      <span>
        Created <DateText value={createdAt} />
      </span>
    </div>
  );
}
