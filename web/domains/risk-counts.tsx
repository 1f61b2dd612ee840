import type { RiskCounts as Counts, RiskLevel } from '#shared/domains.ts';
import { formatCount } from '../lib/format-count.ts';
import hidden from '../ui/hidden.module.css';
import { riskWords } from './domains.tsx';
import styles from './risk-counts.module.css';
import type { DomainsScreen } from './use-domains-screen.ts';

const levels: { level: RiskLevel; count: keyof Counts }[] = [
  { level: 'very high', count: 'veryHigh' },
  { level: 'high', count: 'high' },
  { level: 'medium', count: 'medium' },
  { level: 'low', count: 'low' },
];

/** How the whole blacklist divides into risk levels; each part is a filter. */
export function RiskCounts({ counts, screen }: { counts: Counts | undefined; screen: DomainsScreen }) {
  const { riskLevel } = screen.search;
  return (
    <fieldset className={styles.counts}>
      <legend className={hidden.hidden}>Domains by risk level</legend>
      {levels.map(({ level, count }) => (
        <button
          type="button"
          key={level}
          className={styles.count}
          data-level={level}
          aria-pressed={riskLevel === level}
          onClick={() => screen.show({ riskLevel: riskLevel === level ? undefined : level })}
        >
          <span className={styles.word}>{riskWords[level]}</span>
          <span className={styles.number}>{counts ? formatCount(counts[count]) : '–'}</span>
        </button>
      ))}
    </fieldset>
  );
}
