import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idParams } from './page.ts';

/** What a listing proves, strongest first. */
export const sourceKinds = ['inventory', 'submission', 'manual', 'disavow', 'list'] as const;
export const SourceKind = z.enum(sourceKinds);
export type SourceKind = z.infer<typeof SourceKind>;

/**
 * One source naming one domain. Only admins see the `source`, the family's name and the `note` of a source that is not
 * public. `withdrawnAt` is null while the listing is active. Dates are ISO 8601.
 */
export const Listing = z.object({
  source: z.nullable(z.string()),
  kind: SourceKind,
  family: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  firstSeen: z.string(),
  lastSeen: z.string(),
  withdrawnAt: z.nullable(z.string()),
  evidenceUrl: z.nullable(z.string()),
  price: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type Listing = z.infer<typeof Listing>;

export const listListings = endpoint({
  method: 'GET',
  path: '/api/domains/:id/listings',
  access: 'user',
  summary: 'List the current and withdrawn listings of a domain, active ones first',
  params: idParams,
  responses: { 200: z.array(Listing) },
});
