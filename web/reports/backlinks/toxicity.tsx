import { ArrowDown, ArrowUp, Equal } from 'lucide-react';
import { minDomainsForPercentage } from '#shared/reports/reports.ts';
import type { TrendPoint } from '#shared/reports/websites.ts';
import { formatCount, plural } from '../../platform/format.ts';
import styles from './toxicity.module.css';
import { fullScale } from './toxicity-scale.ts';

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

/** The toxicity of a report. */
export type Toxicity = Omit<TrendPoint, 'date'>;

/** Returns the percentage; null if there are too few referring domains for one that does not mislead. */
export const getPercentage = ({ uniqueDomains, toxicityPercentage }: Toxicity) =>
  uniqueDomains >= minDomainsForPercentage ? toxicityPercentage : null;

/** '12.5%', or '2 of 11' if a percentage would mislead. */
export function formatToxicity(toxicity: Toxicity): string {
  const percentage = getPercentage(toxicity);
  if (percentage !== null) return formatPercentage(percentage);
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
  const [now, before] = [getPercentage(current), getPercentage(previous)];
  const isInPoints = now !== null && before !== null;
  const change = isInPoints ? Math.round((now - before) * 10) / 10 : current.toxicDomains - previous.toxicDomains;
  if (change === 0) return { direction: 'same', text: 'No change' };
  const size = Math.abs(change);
  const amount = isInPoints ? plural(size, 'point') : plural(size, 'toxic domain');
  return { direction: change > 0 ? 'up' : 'down', text: `${change > 0 ? '+' : '−'}${amount}` };
}

const toneLabels = {
  red: `at or above the ${toxicityThresholds.red}% threshold`,
  orange: `between the ${toxicityThresholds.orange}% and ${toxicityThresholds.red}% thresholds`,
  green: `below the ${toxicityThresholds.orange}% threshold`,
};

/**
 * The toxicity as a bar: red from 10%, orange from 5%, green below. Text says the same as the color. Without enough
 * domains for a percentage, a sentence says so in place of the bar.
 */
export function ToxicityBar({ toxicity }: { toxicity: Toxicity }) {
  const percentage = getPercentage(toxicity);
  if (percentage === null) {
    return (
      <p className={styles.words}>
        {formatToxicity(toxicity)} referring domains {toxicity.toxicDomains === 1 ? 'is' : 'are'} toxic. With fewer than{' '}
        {minDomainsForPercentage} domains, a percentage would mislead.
      </p>
    );
  }
  const tone = getTone(percentage);
  return (
    <div>
      <div className={styles.words}>
        {formatPercentage(percentage)} of referring domains are toxic, {toneLabels[tone]}
      </div>
      <div className={styles.track} aria-hidden>
        <div
          className={`${styles.fill} ${styles.tone}`}
          data-tone={tone}
          style={{ width: toOffset(percentage), minWidth: percentage > 0 ? 3 : 0 }}
        />
        {fullScale.breakAt !== null && (
          <span className={styles.break} style={{ left: `${100 * fullScale.breakAt}%` }} />
        )}
      </div>
      <div className={styles.scale} aria-hidden>
        {marks.map((at) => (
          <span key={at} style={{ left: toOffset(at) }}>
            {at}%
          </span>
        ))}
      </div>
    </div>
  );
}

const marks = [0, toxicityThresholds.orange, toxicityThresholds.red, ...fullScale.ends];
const toOffset = (percentage: number) => `${100 * fullScale.toPosition(percentage)}%`;

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
