import * as z from 'zod/mini';
import { disavowLineStatuses } from '#shared/reports/disavow-files.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The URL parameters of the screen of a website's disavow files. Invalid values become undefined. */
export const disavowSearch = z.object({
  /** The shown file. Undefined for the newest. */
  file: positiveInt,
  /** Filters of its lines. Undefined for what merging changes. */
  status: z.catch(z.optional(z.enum([...disavowLineStatuses, 'added', 'all'])), undefined),
  search: freeText(253),
  /** From 1. */
  page: positiveInt,
});
export type DisavowSearch = z.infer<typeof disavowSearch>;
