import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { RiskCounts as Counts, RiskLevel } from '#shared/domains.ts';
import { riskWords } from '../lib/risk-badge.tsx';
import { formatCount } from './display.ts';
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
      <VisuallyHidden component="legend">Domains by risk level</VisuallyHidden>
      {levels.map(({ level, count }) => (
        <UnstyledButton
          key={level}
          className={styles.count}
          data-level={level}
          aria-pressed={riskLevel === level}
          onClick={() => screen.show({ riskLevel: riskLevel === level ? undefined : level })}
        >
          <span className={styles.word}>{riskWords[level]}</span>
          <span className={styles.number}>{counts ? formatCount(counts[count]) : '–'}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
