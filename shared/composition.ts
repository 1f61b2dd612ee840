import * as z from 'zod/mini';
import { RiskCounts } from './domains.ts';
import { endpoint } from './endpoint.ts';

/** The most frequent values, most domains first, and the number of the other values and of their domains. */
const TopValues = z.object({
  top: z.array(z.object({ name: z.string(), domains: z.number() })),
  otherValues: z.number(),
  otherDomains: z.number(),
});
export type TopValues = z.infer<typeof TopValues>;

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
