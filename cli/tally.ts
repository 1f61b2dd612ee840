import { riskLevels } from '#shared/domains.ts';
import { counted } from './counted.ts';
import type { Verdict } from './verdict.ts';

/** Counts of verdicts as the summary tells them. */
export interface Tally {
  add(verdict: Verdict): void;
  readonly total: number;
  /** '3 domains: 2 listed (1 high, 1 very high), 1 clean' */
  words(): string;
}

export function createTally(): Tally {
  const byRisk = new Map<string, number>();
  let total = 0;
  let listed = 0;
  let refused = 0;
  return {
    add({ listed: isListed, riskLevel, error }) {
      total += 1;
      if (error !== null) refused += 1;
      if (!isListed) return;
      listed += 1;
      if (riskLevel !== null) byRisk.set(riskLevel, (byRisk.get(riskLevel) ?? 0) + 1);
    },
    get total() {
      return total;
    },
    words() {
      const risks = riskLevels.flatMap((level) =>
        byRisk.has(level) ? [`${counted(byRisk.get(level) ?? 0)} ${level}`] : [],
      );
      const levels = risks.length > 0 ? ` (${risks.join(', ')})` : '';
      const parts = [`${counted(listed)} listed${levels}`, `${counted(total - listed - refused)} clean`];
      if (refused > 0) parts.push(`${counted(refused)} no domain`);
      return `${counted(total, 'domain')}: ${parts.join(', ')}`;
    },
  };
}
