import { format, isSameDay } from 'date-fns';
import type { ReportSummary } from '#shared/reports.ts';
import { deltaOf, formatPercentage } from './toxicity.ts';

/** The top of the scale in percent: above every value and above the 10 % line, in round steps, at most 100. */
export function trendCeiling(values: readonly number[]): number {
  const highest = Math.max(0, ...values);
  if (highest <= 14) return 15;
  const step = highest <= 45 ? 10 : 20;
  return Math.min(100, Math.ceil((highest * 1.05) / step) * step);
}

/** The trend as a sentence, for those who do not see the chart. `reports` are newest first. */
export function trendWords(reports: readonly ReportSummary[]): string {
  const last = reports[0];
  const first = reports.at(-1);
  if (!first || !last) return 'There are no reports yet.';
  const end = `${formatPercentage(last.toxicityPercentage)} on ${day(last)}`;
  if (reports.length === 1) return `The only report says ${end}.`;
  const direction = deltaOf(last, first)?.direction;
  if (direction === 'same') return `As on ${day(first)}, it is ${end}, after ${reports.length} reports.`;
  const verb = direction === 'up' ? 'rose' : 'fell';
  return `It ${verb} from ${formatPercentage(first.toxicityPercentage)} on ${day(first)} to ${end}, over ${reports.length} reports.`;
}

const day = (report: ReportSummary) => format(new Date(report.dateCreated), 'MMM d, yyyy');

/** Whether another report is of the same day, so that a date alone does not tell them apart. */
export function sharesDay(reports: readonly ReportSummary[], report: ReportSummary): boolean {
  return reports.some((other) => other.id !== report.id && isSameDay(other.dateCreated, report.dateCreated));
}
