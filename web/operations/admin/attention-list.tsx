import { Title } from '@mantine/core';
import { CircleCheck, CircleDot, TriangleAlert } from 'lucide-react';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { formatRelative } from '../../ui/relative-time.ts';
import { Row, RowList } from '../../ui/row-list.tsx';
import { listAttention } from './attention.ts';
import styles from './attention-list.module.css';

interface Props {
  status: AdminStatus;
  blacklist: { total: number; lastUpdated: string | null };
}

/** What needs the attention of an admin, each with a link to the screen where it is dealt with. */
export function AttentionList({ status, blacklist }: Props) {
  const items = listAttention(status, blacklist);
  const { lastUpdated } = blacklist;
  return (
    <section aria-labelledby="attention" className={styles.section}>
      <div className={styles.head}>
        <Title order={2} size="h3" id="attention">
          {items.length > 0 ? 'Needs attention' : 'Everything is up to date'}
        </Title>
        {lastUpdated && (
          <span className={styles.date}>
            Blacklist last updated: <DateText value={lastUpdated} text={formatRelative(lastUpdated)} />
          </span>
        )}
      </div>
      {items.length > 0 ? (
        <RowList aria-labelledby="attention">
          {items.map(({ text, isProblem, action }) => (
            <Row
              key={text}
              data-problem={isProblem || undefined}
              icon={isProblem ? <TriangleAlert size={18} aria-hidden /> : <CircleDot size={18} aria-hidden />}
              text={<bdi>{text}</bdi>}
            >
              {action && (
                <ButtonLink size="xs" variant="default" to={action.to} search={action.search} hash={action.hash}>
                  {action.label}
                </ButtonLink>
              )}
            </Row>
          ))}
        </RowList>
      ) : (
        <p className={styles.nothing}>
          <CircleCheck size={18} aria-hidden />
          No failures, and no work is waiting.
        </p>
      )}
    </section>
  );
}
