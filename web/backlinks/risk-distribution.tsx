import type { RiskCounts } from '#shared/domains.ts';
import styles from './risk-distribution.module.css';

const number = new Intl.NumberFormat('en-US');

const levels = [
  { key: 'veryHigh', name: 'Very High' },
  { key: 'high', name: 'High' },
  { key: 'medium', name: 'Medium' },
  { key: 'low', name: 'Low' },
] as const;

/** The harmful backlinks by risk level: one stacked bar, and the same in words below it. */
export function RiskDistribution({ counts }: { counts: RiskCounts }) {
  const total = levels.reduce((sum, { key }) => sum + counts[key], 0);
  if (total === 0) return null;
  return (
    <section>
      <h3 className={styles.title}>Harmful backlinks by risk</h3>
      <div className={styles.bar} aria-hidden>
        {levels.map(({ key }) =>
          counts[key] > 0 ? (
            <span key={key} className={styles.part} data-level={key} style={{ flexGrow: counts[key] / total }} />
          ) : null,
        )}
      </div>
      <ul className={styles.legend}>
        {levels.map(({ key, name }) => (
          <li key={key} className={styles.item}>
            <span className={styles.swatch} data-level={key} aria-hidden />
            {name} <span className={styles.count}>{number.format(counts[key])}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
