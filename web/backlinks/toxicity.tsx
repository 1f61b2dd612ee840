import { VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import type { ReportFigures, ReportSummary } from '#shared/reports.ts';
import { formatCount, plural } from '../lib/format.ts';
import styles from './toxicity.module.css';

/** A report is red or orange from these percentages up. */
export const toxicityThresholds = { red: 10, orange: 5 } as const;

export function getTone(percentage: number): 'red' | 'orange' | 'green' {
  if (percentage >= toxicityThresholds.red) return 'red';
  return percentage >= toxicityThresholds.orange ? 'orange' : 'green';
}

/** Formats with at most one decimal: '12%', '12.5%'. A value above 0 that rounds to 0 becomes '<0.1%'. */
export function formatPercentage(percentage: number): string {
  if (percentage > 0 && percentage < 0.05) return '<0.1%';
  return `${Math.round(percentage * 10) / 10}%`;
}

/** With fewer referring domains, a single one would change the percentage by more than five points. */
const minDomainsForPercentage = 20;

export type Toxicity = Pick<ReportFigures, 'toxicityPercentage' | 'toxicDomains' | 'uniqueDomains'>;

/** Whether there are enough referring domains for a percentage that does not mislead. */
export const hasPercentage = ({ uniqueDomains }: Toxicity) => uniqueDomains >= minDomainsForPercentage;

/** '12.5%', or '2 of 11' if a percentage would mislead. */
export function formatToxicity(toxicity: Toxicity): string {
  if (hasPercentage(toxicity)) return formatPercentage(toxicity.toxicityPercentage);
  return `${formatCount(toxicity.toxicDomains)} of ${formatCount(toxicity.uniqueDomains)}`;
}

export interface Delta {
  direction: 'up' | 'down' | 'same';
  /** '+2.5 points', '−1 point' or 'No change'; '+2 toxic domains' if a percentage would mislead. */
  text: string;
}

/** The change in toxicity since the previous report; undefined if there is none. */
export function compareToxicity(current: Toxicity, previous: Toxicity | undefined): Delta | undefined {
  if (!previous) return undefined;
  const isInPoints = hasPercentage(current) && hasPercentage(previous);
  const change = isInPoints
    ? Math.round((current.toxicityPercentage - previous.toxicityPercentage) * 10) / 10
    : current.toxicDomains - previous.toxicDomains;
  if (change === 0) return { direction: 'same', text: 'No change' };
  const size = Math.abs(change);
  const amount = isInPoints ? plural(size, 'point') : plural(size, 'toxic domain');
  return { direction: change > 0 ? 'up' : 'down', text: `${change > 0 ? '+' : '−'}${amount}` };
}

/** The report before the one with this id. `reports` are newest first. */
export function findPreviousReport(reports: readonly ReportSummary[], id: number): ReportSummary | undefined {
  const index = reports.findIndex((report) => report.id === id);
  return index < 0 ? undefined : reports[index + 1];
}

const marks = [toxicityThresholds.orange, toxicityThresholds.red];

const toneLabels = {
  red: `at or above the ${toxicityThresholds.red}% threshold`,
  orange: `between the ${toxicityThresholds.orange}% and ${toxicityThresholds.red}% thresholds`,
  green: `below the ${toxicityThresholds.orange}% threshold`,
};

interface ToxicityBarProps {
  toxicity: Toxicity;
  /** Whether to show only the bar. */
  compact?: boolean;
}

/**
 * The toxicity as a bar: red from 10%, orange from 5%, green below. Text says the same as the color. Without enough
 * domains for a percentage, a sentence says so in place of the bar.
 */
export function ToxicityBar({ toxicity, compact = false }: ToxicityBarProps) {
  const percentage = toxicity.toxicityPercentage;
  if (!hasPercentage(toxicity)) {
    if (compact) return null;
    return (
      <p className={styles.words}>
        {formatToxicity(toxicity)} referring domains {toxicity.toxicDomains === 1 ? 'is' : 'are'} harmful. With fewer
        than {minDomainsForPercentage} domains, a percentage would mislead.
      </p>
    );
  }
  const tone = getTone(percentage);
  const width = `${Math.min(100, Math.max(percentage, percentage > 0 ? 0.5 : 0))}%`;
  return (
    <div className={styles.bar} data-compact={compact || undefined}>
      <VisuallyHidden>
        Toxicity {formatPercentage(percentage)}, {toneLabels[tone]}
      </VisuallyHidden>
      {!compact && (
        <div className={styles.words} aria-hidden>
          {formatPercentage(percentage)} of referring domains are harmful, {toneLabels[tone]}
        </div>
      )}
      <div className={styles.track} aria-hidden>
        <div className={styles.fill} data-tone={tone} style={{ width }} />
        {!compact && marks.map((at) => <span key={at} className={styles.mark} style={{ left: `${at}%` }} />)}
      </div>
      {!compact && (
        <div className={styles.scale} aria-hidden>
          {marks.map((at) => (
            <span key={at} style={{ left: `${at}%` }}>
              {at}%
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

const icons = { up: ArrowUp, down: ArrowDown, same: Equal };

/** A change in toxicity with an arrow, its sign and a color. */
export function DeltaText({ delta, suffix }: { delta: Delta; suffix?: string }) {
  const Icon = icons[delta.direction];
  return (
    <span className={styles.delta} data-direction={delta.direction}>
      <Icon size={14} aria-hidden />
      {delta.text}
      {suffix && ` ${suffix}`}
    </span>
  );
}
