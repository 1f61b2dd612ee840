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
import type { ReportScreen } from './screen.ts';

interface LostLinksProps {
  screen: ReportScreen;
  report: Pick<ReportSummary, 'lostBacklinks'>;
}

/** The number of lost links, and the checkbox that includes them. */
export function LostLinks({ screen, report }: LostLinksProps) {
  const { lostBacklinks } = report;
  if (lostBacklinks === 0) return null;
  return (
    <Group gap="4px 16px">
      <Hint role="status">
        {plural(lostBacklinks, 'lost link')} {lostBacklinks === 1 ? 'is' : 'are'}{' '}
        {screen.search.lost ? 'included' : 'left out'}. The export says that{' '}
        {lostBacklinks === 1 ? 'it no longer exists' : 'they no longer exist'}.
      </Hint>
      <IncludeLost screen={screen} report={report} />
    </Group>
  );
}

/** Includes lost links in the figures and lists. */
export function IncludeLost({ screen: { search, show }, report: { lostBacklinks } }: LostLinksProps) {
  if (lostBacklinks === 0) return null;
  return (
    <Checkbox
      className={styles.includeLost}
      label="Include lost links"
      checked={search.lost !== undefined}
      onChange={(event) => void show({ lost: event.currentTarget.checked ? 'include' : undefined })}
    />
  );
}

/** The figures of the report before that are compared. */
export type PreviousFigures = Pick<
  ReportFigures,
  'uniqueDomains' | 'toxicDomains' | 'toxicityPercentage' | 'totalBacklinks' | 'harmfulBacklinks'
>;

interface ReportFiguresProps {
  figures: ReportFigures;
  /** The website's previous report. Undefined if there is none, or if it could not be loaded. */
  previous: { figures: PreviousFigures; date: string } | undefined;
}

interface MainFiguresProps extends ReportFiguresProps {
  isFirst: boolean;
  /** Whether phones show only the figures. */
  isCompact: boolean;
}

/** What a report says at a glance: the toxicity of the website on its scale, and what needs attention. */
export function MainFigures({ figures, previous, isFirst, isCompact }: MainFiguresProps) {
  const { uniqueDomains, toxicDomains, harmfulBacklinks, riskCounts } = figures;
  const delta = compareToxicity(figures, previous?.figures);
  return (
    <dl className={styles.summary} data-compact={isCompact || undefined}>
      <div className={styles.toxicity}>
        <dt>
          Toxicity<span className={styles.more}> of the website</span>
        </dt>
        <dd className={styles.percentage}>
          {formatToxicity(figures)}
          <RiskBadge level={figures.toxicityRating} of="Toxicity" />
        </dd>
        <dd className={styles.delta}>
          {delta ? <DeltaText delta={delta} suffix="since the previous report" /> : isFirst && 'First report'}
        </dd>
        <dd className={styles.scale}>
          <ToxicityBar toxicity={figures} />
        </dd>
      </div>
      <div>
        <dt>High risk and above</dt>
        <dd className={styles.percentage}>
          {formatCount(sumRiskCounts(riskCounts, ['very high', 'high']))}
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
          {formatCount(sumRiskCounts(riskCounts, ['medium', 'low']))} at medium or low risk
        </dd>
      </div>
      <div>
        <dt>Toxic domains</dt>
        <dd className={styles.percentage}>
          {formatCount(toxicDomains)}
          {previous && (
            <span className={styles.total}>
              <CountChange value={toxicDomains} before={previous.figures.toxicDomains} date={previous.date} isHarm />
            </span>
          )}
        </dd>
        <dd className={styles.delta}>of {plural(uniqueDomains, 'referring domain')}</dd>
      </div>
    </dl>
  );
}

/** How much the export contains, and its harmful backlinks by risk. */
export function ExportFigures({ figures, previous }: ReportFiguresProps) {
  const { totalBacklinks, nofollowBacklinks, totalDomains, uniqueDomains } = figures;
  const backlinksHint = nofollowBacklinks > 0 ? `${formatCount(nofollowBacklinks)} nofollow` : 'Rows analyzed';
  const before = previous?.figures;
  const tiles = [
    { name: 'Backlinks', value: totalBacklinks, before: before?.totalBacklinks, hint: backlinksHint },
    ...(totalDomains === uniqueDomains
      ? []
      : [{ name: 'Hostnames', value: totalDomains, hint: 'Including subdomains' }]),
    { name: 'Referring domains', value: uniqueDomains, before: before?.uniqueDomains, hint: 'Unique root domains' },
  ];
  return (
    <dl className={styles.tiles} data-few={tiles.length === 2 || undefined}>
      {tiles.map(({ name, value, before, hint }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles.value}>
            {formatCount(value)}
            {previous && before !== undefined && <CountChange value={value} before={before} date={previous.date} />}
          </dd>
          <Hint component="dd" size="xs" className={styles.hint}>
            {hint}
          </Hint>
        </div>
      ))}
      {figures.harmfulBacklinks > 0 && (
        <div className={styles.distribution}>
          <dt>Harmful backlinks by risk</dt>
          <dd>
            <Suspense fallback={<PendingMarker />}>
              <RiskBar counts={figures.riskCounts} />
            </Suspense>
          </dd>
        </div>
      )}
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
