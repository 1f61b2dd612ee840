import * as z from 'zod/mini';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import { freeText, positiveInt } from '../../platform/search-values.ts';

/** The search parameters of the URL of the screen of sources. Unknown values are ignored. */
export const sourcesSearch = z.object({
  tab: z.catch(z.optional(z.enum(['families'])), undefined),
  search: freeText(100),
  kind: z.catch(z.optional(z.enum(sourceKinds)), undefined),
  /** One-based. */
  page: positiveInt,
});
export type SourcesSearch = z.infer<typeof sourcesSearch>;
