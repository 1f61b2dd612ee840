import type { RiskCounts } from '#shared/domains.ts';

const number = new Intl.NumberFormat('en-US');

/** 'Done in 1.2s. Very high: 3, high: 12, medium: 40, low: 9,945.' */
export function riskUpdateWords({ timeTaken, stats }: { timeTaken: number; stats: RiskCounts }): string {
  const counts = [
    ['Very high', stats.veryHigh],
    ['high', stats.high],
    ['medium', stats.medium],
    ['low', stats.low],
  ] as const;
  const words = counts.map(([name, count]) => `${name}: ${number.format(count)}`).join(', ');
  const time = timeTaken < 0.1 ? 'less than 0.1s' : `${Math.round(timeTaken * 10) / 10}s`;
  return `Done in ${time}. ${words}.`;
}
