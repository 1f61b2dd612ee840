import * as z from 'zod/mini';
import { Confidence, RiskLevel } from '#shared/blacklist/domains.ts';
import { LiveFilter } from '#shared/reports/live-links.ts';
import {
  ReviewState,
  type ToxicDomainSort,
  ToxicDomainSort as ToxicDomainSortSchema,
} from '#shared/reports/reports.ts';
import { Signal } from '#shared/reports/signals.ts';
import { freeText, positiveInt } from '../../../platform/search-values.ts';

/** The parts of a report. Readers of a shared one see the first and the last. */
export const reportViews = ['review', 'links', 'patterns', 'overview'] as const;
export type ReportView = (typeof reportViews)[number];

/** The URL parameters of a report's page. Invalid values become undefined. */
export const reportSearch = z.object({
  view: z.catch(z.optional(z.enum(reportViews)), undefined),
  search: freeText(253),
  riskLevel: z.catch(z.optional(RiskLevel), undefined),
  confidence: z.catch(z.optional(Confidence), undefined),
  niche: freeText(100),
  tld: freeText(63),
  decision: z.catch(z.optional(ReviewState), undefined),
  /** Only domains that the previous report did not contain. */
  only: z.catch(z.optional(z.enum(['new'])), undefined),
  /** Only domains whose links show this pattern. */
  signal: z.catch(z.optional(Signal), undefined),
  /** Only domains with this state of their links. */
  live: z.catch(z.optional(LiveFilter), undefined),
  sort: z.catch(z.optional(ToxicDomainSortSchema), undefined),
  /** From 1. */
  page: positiveInt,
  /** The listed domain whose links are shown. */
  open: freeText(253),
  /** Whether the report includes lost links. */
  lost: z.catch(z.optional(z.enum(['include'])), undefined),
});
export type ReportSearch = z.infer<typeof reportSearch>;

export const defaultSort: ToxicDomainSort = 'review';

/** The parameters that show all domains. */
export const noFilter = {
  search: undefined,
  riskLevel: undefined,
  confidence: undefined,
  niche: undefined,
  tld: undefined,
  decision: undefined,
  only: undefined,
  signal: undefined,
  live: undefined,
} as const satisfies Partial<ReportSearch>;

/** Whether any filter is set. */
export const isFiltered = (search: ReportSearch) =>
  Object.keys(noFilter).some((name) => search[name as keyof typeof noFilter] !== undefined);
