import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';
import { text } from '../platform/text.ts';
import { sourceKinds } from './choices.ts';
import { maxSourceLength } from './domains.ts';

export const SourceKind = z.enum(sourceKinds);
export type SourceKind = z.infer<typeof SourceKind>;

/**
 * What the last visit to the evidence found. `seen`: the page still names the domain, or still has its offer.
 * `changed`: it does not. `gone`: there is no such page. `unreachable`: it could not be read.
 */
export const ProofStatus = z.enum(['seen', 'changed', 'gone', 'unreachable']);
export type ProofStatus = z.infer<typeof ProofStatus>;

const ListingProof = z.object({
  status: ProofStatus,
  checkedAt: z.string(),
  /** What the page says, up to 300 characters. */
  quote: z.nullable(z.string()),
  /** The page was gone twice, at least 30 days apart, so the listing counts as one without evidence. */
  isGone: z.boolean(),
});
export type ListingProof = z.infer<typeof ListingProof>;

/**
 * One source naming one domain. Only admins see the `source` and the `note` of a source that is not public, and the
 * name of a family with such a source. `withdrawnAt` is null while the listing is active. Dates are ISO 8601.
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
  /** Null before the first visit. */
  proof: z.nullable(ListingProof),
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

/**
 * A source, for admins. `domains` is the number of listed domains that it lists. Everyone sees the name of a public
 * source and the notes of its listings. Dates are ISO 8601, null until the source has listed a domain.
 */
export const Source = z.object({
  id: z.number(),
  name: z.string(),
  kind: SourceKind,
  family: z.nullable(z.object({ id: z.number(), name: z.string() })),
  isPublic: z.boolean(),
  domains: z.number(),
  firstSeen: z.nullable(z.string()),
  lastSeen: z.nullable(z.string()),
});
export type Source = z.infer<typeof Source>;

/** A change of sources that updates their domains in the background. `progress` is 0 to 100. */
export const SourceRun = z.object({
  id: z.number(),
  status: z.enum(['processing', 'completed', 'failed']),
  progress: z.number(),
  /** What was changed, such as "Rename crawler to Crawler 2". */
  title: z.string(),
  message: z.string(),
  startedBy: z.string(),
  dateStarted: z.string(),
  dateFinished: z.nullable(z.string()),
});
export type SourceRun = z.infer<typeof SourceRun>;

/** Sources that copy from each other and count once. */
export const Family = z.object({
  id: z.number(),
  name: z.string(),
  sources: z.array(z.object({ id: z.number(), name: z.string(), domains: z.number() })),
});
export type Family = z.infer<typeof Family>;

/**
 * Sources that list mostly the same domains, smallest first. `shared` is the number of domains that both of two sources
 * list, and `containment` that number divided by the size of the smaller one, 0 to 1. In a group of more than two
 * sources, both belong to its weakest pair: the linked pair with the lowest containment.
 */
export const FamilySuggestion = z.object({
  sources: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      domains: z.number(),
      family: z.nullable(z.object({ id: z.number(), name: z.string() })),
    }),
  ),
  shared: z.number(),
  containment: z.number(),
});
export type FamilySuggestion = z.infer<typeof FamilySuggestion>;

/** Sources with fewer domains are in no suggestion. */
export const minSuggestedDomains = 50;
/** Pairs with a lower containment are not suggested. */
export const minContainment = 0.6;

const nameTooLong = `A name can have up to ${maxSourceLength} characters`;
const name = (missing: string) =>
  text({ min: 1, max: maxSourceLength, tooShort: missing, tooLong: nameTooLong, schema: z.string(missing) });
const maxId = 2_147_483_647;
const id = z.number().check(z.int(), z.gte(1), z.lte(maxId));
const params = z.object({ id: rowId(maxId) });

/** Absent fields keep their value. `familyId: null` removes the source from its family. */
export const SourceChange = z.object({
  name: z.optional(name('Please enter a name').check(z.regex(/^[^,]*$/, 'A name cannot contain a comma'))),
  kind: z.optional(SourceKind),
  familyId: z.optional(z.nullable(id)),
  isPublic: z.optional(z.boolean()),
});
export type SourceChange = z.infer<typeof SourceChange>;

export const FamilyInput = z.object({
  name: name('Please enter a name for the family'),
  sourceIds: z.array(id).check(z.minLength(1, 'Select at least one source'), z.maxLength(1000)),
});
export type FamilyInput = z.infer<typeof FamilyInput>;

export const listManagedSources = endpoint({
  method: 'GET',
  path: '/api/admin/sources',
  access: 'admin',
  summary: 'List the sources with their kinds and families, those with the most domains first',
  query: z.object({
    /** Part of the name. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(maxSourceLength))),
    kind: z.optional(SourceKind),
    page: pageNumber,
    pageSize: pageSize(25),
  }),
  responses: { 200: z.object({ sources: z.array(Source), pagination: Pagination }) },
});

export const updateSource = endpoint({
  method: 'PATCH',
  path: '/api/admin/sources/:id',
  access: 'admin',
  summary: 'Update the name, kind, family or visibility of a source',
  auditEvent: 'Changed a source',
  params,
  body: SourceChange,
  responses: { 200: Source },
});

export const mergeSource = endpoint({
  method: 'POST',
  path: '/api/admin/sources/:id/merge',
  access: 'admin',
  summary: 'Move all listings of a source to another source, then delete it',
  auditEvent: 'Merged two sources',
  params,
  body: z.object({ intoId: id }),
  responses: { 202: SourceRun },
});

export const listSourceRuns = endpoint({
  method: 'GET',
  path: '/api/admin/source-runs',
  access: 'admin',
  summary: 'List the unfinished changes of sources, and the last finished ones, newest first',
  responses: { 200: z.array(SourceRun) },
});

export const retrySourceRun = endpoint({
  method: 'POST',
  path: '/api/admin/source-runs/:id/retry',
  access: 'admin',
  summary: 'Continue a failed change of sources',
  auditEvent: 'Retried a change of sources',
  params: idParams,
  responses: { 202: SourceRun },
});

export const listFamilies = endpoint({
  method: 'GET',
  path: '/api/admin/families',
  access: 'admin',
  summary: 'List the families of sources',
  responses: { 200: z.array(Family) },
});

export const createFamily = endpoint({
  method: 'POST',
  path: '/api/admin/families',
  access: 'admin',
  summary: 'Create a family of sources. Each source leaves its previous family',
  auditEvent: 'Created a family of sources',
  body: FamilyInput,
  responses: { 201: Family },
});

export const deleteFamily = endpoint({
  method: 'DELETE',
  path: '/api/admin/families/:id',
  access: 'admin',
  summary: 'Delete a family. Its sources count separately again',
  auditEvent: 'Deleted a family of sources',
  params,
});

export const suggestFamilies = endpoint({
  method: 'GET',
  path: '/api/admin/families/suggestions',
  access: 'admin',
  summary: 'Find sources that list mostly the same domains',
  responses: { 200: z.array(FamilySuggestion) },
});
