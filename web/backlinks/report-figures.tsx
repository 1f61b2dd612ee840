import { Group, Text } from '@mantine/core';
import { Suspense } from 'react';
import type { RiskCounts } from '#shared/domains.ts';
import type { ReportFigures, ReportSummary } from '#shared/reports.ts';
import { RiskBadge, RiskBar } from '../domains/domains.tsx';
import { formatCount, plural } from '../lib/format.ts';
import { Checkbox } from '../ui/fields.tsx';
import { PendingMarker } from '../ui/states.tsx';
import styles from './report.module.css';
import { type Delta, DeltaText, formatToxicity } from './toxicity.tsx';

interface LostLinksProps {
  report: Pick<ReportSummary, 'lostBacklinks'>;
  isIncluded: boolean;
  onChange(isIncluded: boolean): void;
}

/** The number of lost links, and a checkbox that includes them in the figures and lists. */
export function LostLinks({ report: { lostBacklinks }, isIncluded, onChange }: LostLinksProps) {
  const verb = lostBacklinks === 1 ? 'is' : 'are';
  return (
    <Group justify="space-between" gap="xs" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {plural(lostBacklinks, 'lost link')} {verb} {isIncluded ? 'included' : 'left out'}. The export says that{' '}
        {lostBacklinks === 1 ? 'it no longer exists' : 'they no longer exist'}.
      </Text>
      <Checkbox
        className={styles.includeLost}
        label="Include lost links"
        checked={isIncluded}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Group>
  );
}

interface ReportTilesProps {
  figures: ReportFigures;
  /** Undefined for a website's first report. */
  delta: Delta | undefined;
  /** False until the website's other reports are loaded. */
  isDeltaKnown: boolean;
}

/** The report's figures: first how many harmful backlinks need attention, and the toxicity of the website. */
export function ReportTiles({ figures, delta, isDeltaKnown }: ReportTilesProps) {
  const { totalBacklinks, nofollowBacklinks, totalDomains, uniqueDomains, toxicDomains, harmfulBacklinks } = figures;
  const { veryHigh, high, medium, low } = figures.riskCounts;
  const backlinksHint = nofollowBacklinks > 0 ? `${formatCount(nofollowBacklinks)} nofollow` : 'Rows analyzed';
  const tiles = [
    { name: 'Backlinks', value: totalBacklinks, hint: backlinksHint },
    { name: 'Hostnames', value: totalDomains, hint: 'Including subdomains' },
    { name: 'Referring domains', value: uniqueDomains, hint: 'Unique root domains' },
    { name: 'Toxic domains', value: toxicDomains, hint: 'On the blacklist' },
  ];
  return (
    <dl className={styles.tiles}>
      <div className={styles.lead}>
        <dt>High risk and above</dt>
        <dd className={styles.percentage}>
          {formatCount(veryHigh + high)}
          <span className={styles.total}>of {plural(harmfulBacklinks, 'harmful link')}</span>
        </dd>
        <dd className={styles.delta}>{formatCount(medium + low)} at medium or low risk</dd>
      </div>
      <div className={styles.lead}>
        <dt>Toxicity of the website</dt>
        <dd className={styles.percentage}>
          {formatToxicity(figures)}
          <RiskBadge level={figures.toxicityRating} of="Toxicity" />
        </dd>
        <dd className={styles.delta}>
          {isDeltaKnown && (delta ? <DeltaText delta={delta} suffix="since the previous report" /> : 'First report')}
        </dd>
      </div>
      {tiles.map(({ name, value, hint }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd className={styles.value}>{formatCount(value)}</dd>
          <Text component="dd" size="xs" c="dimmed" className={styles.hint}>
            {hint}
          </Text>
        </div>
      ))}
    </dl>
  );
}

/** The harmful backlinks by risk level. */
export function RiskDistribution({ counts }: { counts: RiskCounts }) {
  return (
    <section className={styles.distribution}>
      <h3 className={styles.title}>Harmful backlinks by risk</h3>
      <Suspense fallback={<PendingMarker />}>
        <RiskBar counts={counts} />
      </Suspense>
    </section>
  );
}
