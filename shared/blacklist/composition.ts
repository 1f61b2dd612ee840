import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { RiskCounts } from './domains.ts';

/** The most frequent values, most domains first, and the number of the other values and of their domains. */
export const TopValues = z.object({
  top: z.array(z.object({ name: z.string(), domains: z.number() })),
  otherValues: z.number(),
  otherDomains: z.number(),
});
export type TopValues = z.infer<typeof TopValues>;

/** How many values are counted one by one. */
const maxTopValues = 8;

/** Returns the values with the most domains. Values with the same number keep the order of `counts`. */
export function toTopValues(counts: readonly { key: string; count: number }[]): TopValues {
  const sorted = counts.toSorted((a, b) => b.count - a.count);
  const others = sorted.slice(maxTopValues);
  return {
    top: sorted.slice(0, maxTopValues).map(({ key, count }) => ({ name: key, domains: count })),
    otherValues: others.length,
    otherDomains: others.reduce((sum, { count }) => sum + count, 0),
  };
}

export const Composition = z.object({
  total: z.number(),
  riskCounts: RiskCounts,
  niches: TopValues,
  /** Domains whose niche is unknown. */
  withoutNiche: z.number(),
  tlds: TopValues,
  /**
   * The domains that lists and imports added and removed in each of the last 12 months (UTC), oldest first. Single
   * changes, such as approved submissions, are not counted.
   */
  months: z.array(z.object({ month: z.string(), added: z.number(), removed: z.number() })),
});
export type Composition = z.infer<typeof Composition>;

export const getComposition = endpoint({
  method: 'GET',
  path: '/api/stats/composition',
  access: 'user',
  summary: 'Count the domains on the blacklist by risk level, niche and TLD, and what changed each month',
  responses: { 200: Composition },
});
