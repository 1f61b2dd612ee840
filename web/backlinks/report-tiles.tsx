import { Text } from '@mantine/core';
import type { ReportSummary } from '#shared/reports.ts';
import { RiskBadge } from '../domains/domains.tsx';
import { DeltaText } from './delta-text.tsx';
import styles from './report-tiles.module.css';
import { type Delta, formatPercentage } from './toxicity.ts';

const number = new Intl.NumberFormat('en-US');

interface ReportTilesProps {
  report: ReportSummary;
  /** Undefined for a website's first report. */
  delta: Delta | undefined;
  /** False while the earlier reports are not known yet. */
  isKnown: boolean;
}

/** The report's figures, the toxicity first. */
export function ReportTiles({ report, delta, isKnown }: ReportTilesProps) {
  const figures = [
    { name: 'Backlinks', value: report.totalBacklinks, hint: 'Rows with an address' },
    { name: 'Domains', value: report.totalDomains, hint: 'Different host names' },
    { name: 'Unique domains', value: report.uniqueDomains, hint: 'Different websites' },
    { name: 'Toxic domains', value: report.toxicDomains, hint: 'On the blacklist' },
  ];
  return (
    <dl className={styles.tiles}>
      <div className={styles.lead}>
        <dt>Toxicity</dt>
        <dd className={styles.percentage}>
          {formatPercentage(report.toxicityPercentage)}
          <RiskBadge level={report.toxicityRating} />
        </dd>
        <dd className={styles.delta}>
          {isKnown && (delta ? <DeltaText delta={delta} suffix="since the last report" /> : 'First report')}
        </dd>
      </div>
      {figures.map(({ name, value, hint }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd className={styles.value}>{number.format(value)}</dd>
          <Text component="dd" size="xs" c="dimmed" className={styles.hint}>
            {hint}
          </Text>
        </div>
      ))}
    </dl>
  );
}
