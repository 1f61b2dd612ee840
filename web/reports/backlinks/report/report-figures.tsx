import { Group, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import { sumRiskCounts } from '#shared/blacklist/domains.ts';
import type { ReportFigures, ReportSummary } from '#shared/reports/reports.ts';
import { RiskBar } from '../../../blacklist/domains/charts.tsx';
import { RiskBadge } from '../../../blacklist/domains/domains.tsx';
import { formatCount, plural } from '../../../platform/format.ts';
import { useDates } from '../../../ui/date-text.tsx';
import { Checkbox } from '../../../ui/fields.tsx';
import { PendingMarker } from '../../../ui/states.tsx';
import { Hint } from '../../../ui/typography.ts';
import { compareToxicity, DeltaText, formatToxicity, ToxicityBar } from '../toxicity.tsx';
import styles from './report-figures.module.css';

interface LostLinksProps {
  report: Pick<ReportSummary, 'lostBacklinks'>;
  isIncluded: boolean;
  onChange(isIncluded: boolean): void;
}

/** The number of lost links, and a checkbox that includes them in the figures and lists. */
export function LostLinks({ report: { lostBacklinks }, isIncluded, onChange }: LostLinksProps) {
  const verb = lostBacklinks === 1 ? 'is' : 'are';
  return (
    <Group justify="space-between" gap="xs" className={styles.lost}>
      <Hint role="status">
        {plural(lostBacklinks, 'lost link')} {verb} {isIncluded ? 'included' : 'left out'}. The export says that{' '}
        {lostBacklinks === 1 ? 'it no longer exists' : 'they no longer exist'}.
      </Hint>
      <Checkbox
        className={styles.includeLost}
        label="Include lost links"
        checked={isIncluded}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </Group>
  );
}

/** The share of toxic domains as a bar, and the harmful backlinks by risk level. */
export function ReportBars({ figures }: { figures: ReportFigures }) {
  return (
    <div className={styles.bars}>
      <ToxicityBar toxicity={figures} />
      {figures.harmfulBacklinks > 0 && (
        <div className={styles.distribution}>
          <p className={styles.title}>Harmful backlinks by risk</p>
          <Suspense fallback={<PendingMarker />}>
            <RiskBar counts={figures.riskCounts} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** The figures of the report before that are compared. */
export type PreviousFigures = Pick<
  ReportFigures,
  'uniqueDomains' | 'toxicDomains' | 'toxicityPercentage' | 'totalBacklinks' | 'harmfulBacklinks'
>;

interface ReportTilesProps {
  figures: ReportFigures;
  /** The website's previous report. Undefined if there is none, or if it could not be loaded. */
  previous: { figures: PreviousFigures; date: string } | undefined;
  isFirst: boolean;
}

/** The report's figures: first how many harmful backlinks need attention, and the toxicity of the website. */
export function ReportTiles({ figures, previous, isFirst }: ReportTilesProps) {
  const { totalBacklinks, nofollowBacklinks, totalDomains, uniqueDomains, toxicDomains, harmfulBacklinks } = figures;
  const backlinksHint = nofollowBacklinks > 0 ? `${formatCount(nofollowBacklinks)} nofollow` : 'Rows analyzed';
  const before = previous?.figures;
  const delta = compareToxicity(figures, before);
  const tiles = [
    { name: 'Backlinks', value: totalBacklinks, before: before?.totalBacklinks, hint: backlinksHint },
    { name: 'Hostnames', value: totalDomains, hint: 'Including subdomains' },
    { name: 'Referring domains', value: uniqueDomains, before: before?.uniqueDomains, hint: 'Unique root domains' },
    {
      name: 'Toxic domains',
      value: toxicDomains,
      before: before?.toxicDomains,
      hint: 'On the blacklist',
      isHarm: true,
    },
  ];
  return (
    <dl className={styles.tiles}>
      <div className={styles.lead}>
        <dt>High risk and above</dt>
        <dd className={styles.percentage}>
          {formatCount(sumRiskCounts(figures.riskCounts, ['very high', 'high']))}
          <span className={styles.total}>
            of {plural(harmfulBacklinks, 'harmful link')}
            {previous && (
              <CountChange
                value={harmfulBacklinks}
                before={previous.figures.harmfulBacklinks}
                date={previous.date}
                isHarm
              />
            )}
          </span>
        </dd>
        <dd className={styles.delta}>
          {formatCount(sumRiskCounts(figures.riskCounts, ['medium', 'low']))} at medium or low risk
        </dd>
      </div>
      <div className={styles.lead}>
        <dt>Toxicity of the website</dt>
        <dd className={styles.percentage}>
          {formatToxicity(figures)}
          <RiskBadge level={figures.toxicityRating} of="Toxicity" />
        </dd>
        <dd className={styles.delta}>
          {delta ? <DeltaText delta={delta} suffix="since the previous report" /> : isFirst && 'First report'}
        </dd>
      </div>
      {tiles.map(({ name, value, before, hint, isHarm }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd className={styles.value}>
            {formatCount(value)}
            {previous && before !== undefined && (
              <CountChange value={value} before={before} date={previous.date} isHarm={isHarm} />
            )}
          </dd>
          <Hint component="dd" size="xs" className={styles.hint}>
            {hint}
          </Hint>
        </div>
      ))}
    </dl>
  );
}

interface CountChangeProps {
  value: number;
  before: number;
  /** When the report before was made. */
  date: string;
  /** Whether a higher number is worse. */
  isHarm?: boolean | undefined;
}

/**
 * The change of a number since the previous report: its sign and size, and a sentence on hover and for screen readers.
 */
function CountChange({ value, before, date, isHarm = false }: CountChangeProps) {
  const { formatDate } = useDates();
  const { text, sentence } = compareCounts(value, before, formatDate(new Date(date)));
  const direction = value > before ? 'up' : value < before ? 'down' : 'same';
  return (
    <span className={styles.change} data-harm={isHarm ? direction : undefined} title={sentence}>
      <span aria-hidden>{text}</span>
      <VisuallyHidden>, {sentence}</VisuallyHidden>
    </span>
  );
}

/** '+12' and '12 more than in the report of Oct 3, 2026' */
export function compareCounts(value: number, before: number, date: string): { text: string; sentence: string } {
  const report = `the report of ${date}`;
  if (value === before) return { text: '±0', sentence: `the same as in ${report}` };
  const size = formatCount(Math.abs(value - before));
  return value > before
    ? { text: `+${size}`, sentence: `${size} more than in ${report}` }
    : { text: `−${size}`, sentence: `${size} fewer than in ${report}` };
}
