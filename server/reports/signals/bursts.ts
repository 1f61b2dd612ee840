import type { SignalExample } from '#shared/reports/signals.ts';

/** A burst has at least this many new domains, and this many times the usual number. */
const minNewDomains = 10;
const minFactor = 5;
/** With fewer weeks, nothing is usual. */
const minWeeks = 8;
const maxNames = 3;

const dayMs = 86_400_000;
/** Day 0 was a Thursday, so weeks start on Monday. */
const toWeek = (day: number) => Math.floor((day + 3) / 7);

/** A week is compared with this many weeks before and after it, because websites grow. */
const weeksAround = 26;

/**
 * Finds the weeks in which far more domains linked for the first time than in the median week of the year around them.
 * Weeks without a new domain count too. The first week is never a burst: it is often the one in which the tool began to
 * look.
 * @param firstDays for each domain, the day since 1970 on which a link was first seen, or -1
 * @returns the numbers of the domains that were new in such a week, and the weeks with most of them
 */
export function findBursts(
  firstDays: Int32Array,
  names: readonly string[],
): { domains: number[]; examples: SignalExample[] } {
  const weeks = new Map<number, number>();
  for (const day of firstDays) if (day >= 0) weeks.set(toWeek(day), (weeks.get(toWeek(day)) ?? 0) + 1);
  const numbers = [...weeks.keys()];
  const first = Math.min(...numbers);
  const length = Math.max(...numbers) - first + 1;
  if (!(length >= minWeeks)) return { domains: [], examples: [] };
  const counts = Array.from({ length }, (_, i) => weeks.get(first + i) ?? 0);
  const bursts = counts.flatMap((count, i) => {
    if (i === 0 || count < minNewDomains) return [];
    const usual = median(counts.slice(Math.max(0, i - weeksAround), i + weeksAround + 1));
    return count >= minFactor * usual ? [{ week: first + i, count, usual }] : [];
  });
  const isBurst = new Set(bursts.map(({ week }) => week));
  const domains = [...firstDays.keys()].filter((domain) => {
    const day = firstDays[domain] ?? -1;
    return day >= 0 && isBurst.has(toWeek(day));
  });
  const examples = bursts
    .sort((a, b) => b.count - a.count || b.week - a.week)
    .slice(0, 5)
    .map(({ week, count, usual }) => ({
      kind: 'week' as const,
      text: new Date((week * 7 - 3) * dayMs).toISOString().slice(0, 10),
      count,
      usual,
      domains: domains
        .filter((domain) => toWeek(firstDays[domain] ?? -1) === week)
        .slice(0, maxNames)
        .flatMap((domain) => names[domain] ?? []),
    }));
  return { domains, examples };
}

/** Returns the upper of the two middle numbers for an even count. */
const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
