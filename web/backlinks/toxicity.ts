import type { ReportSummary } from '#shared/reports.ts';

/** From these percentages on a report is red or orange. */
export const toxicityLimits = { red: 10, orange: 5 } as const;

export type ToxicityTone = 'red' | 'orange' | 'green';

export function toneOf(percentage: number): ToxicityTone {
  if (percentage >= toxicityLimits.red) return 'red';
  return percentage >= toxicityLimits.orange ? 'orange' : 'green';
}

/** With no or one decimal: '12%', '12.5%'. A share that is there but rounds to nothing reads '<0.1%'. */
export function formatPercentage(percentage: number): string {
  if (percentage > 0 && percentage < 0.05) return '<0.1%';
  return `${Math.round(percentage * 10) / 10}%`;
}

export interface Delta {
  direction: 'up' | 'down' | 'same';
  /** In percentage points: '+2.5 points', '−1 point', 'No change'. */
  text: string;
}

/** The change of the toxicity between two reports; undefined without an earlier one. */
export function deltaOf(now: ReportSummary, before: ReportSummary | undefined): Delta | undefined {
  if (!before) return undefined;
  const points = Math.round((now.toxicityPercentage - before.toxicityPercentage) * 10) / 10;
  if (points === 0) return { direction: 'same', text: 'No change' };
  const size = Math.abs(points);
  const text = `${points > 0 ? '+' : '−'}${size} ${size === 1 ? 'point' : 'points'}`;
  return { direction: points > 0 ? 'up' : 'down', text };
}

/** The report before the named one; `reports` are newest first. */
export function reportBefore(reports: readonly ReportSummary[], id: number): ReportSummary | undefined {
  const index = reports.findIndex((report) => report.id === id);
  return index < 0 ? undefined : reports[index + 1];
}
