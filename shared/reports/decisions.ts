import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize } from '../platform/page.ts';

/** What a user wants to do about a listed domain that links to their website, mildest first. */
export const decisions = ['keep', 'remove', 'disavow'] as const;

export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

/**
 * The decision about one domain. It applies to every report of the website. `decision` is null if there is only a note.
 */
export const DomainDecision = z.object({
  domain: z.string(),
  decision: z.nullable(Decision),
  note: z.string(),
  decidedAt: z.string(),
  /** When the owner of the site was asked to remove its links; null if nobody was asked. */
  askedAt: z.nullable(z.string()),
});
export type DomainDecision = z.infer<typeof DomainDecision>;

export const maxDecidedDomains = 1000;
export const maxNoteLength = 500;

export const listDecisions = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/decisions',
  access: 'user',
  summary: 'List my decisions about the domains that link to a website, newest first',
  params: idParams,
  query: z.object({ decision: z.optional(Decision), page: pageNumber, pageSize: pageSize(50) }),
  responses: { 200: z.object({ decisions: z.array(DomainDecision), pagination: Pagination }) },
});

export const decide = endpoint({
  method: 'PUT',
  path: '/api/profiles/:id/decisions',
  access: 'user',
  longBody: true,
  summary: 'Decide about domains that link to a website, change their notes, or both',
  params: idParams,
  body: z.object({
    domains: z
      .array(z.string().check(z.minLength(1), z.maxLength(2048)))
      .check(
        z.minLength(1),
        z.maxLength(maxDecidedDomains, `Decide about up to ${maxDecidedDomains} domains at a time.`),
      ),
    /** Null removes the decision. Without it, decisions stay as they are, and the request needs a note. */
    decision: z.optional(z.nullable(Decision)),
    /** Replaces the note of each domain. Without it, notes stay as they are. */
    note: z.optional(
      z.string().check(z.trim(), z.maxLength(maxNoteLength, `Notes can have up to ${maxNoteLength} characters.`)),
    ),
    /** Whether the owners were asked now to remove their links, for decisions to remove. */
    asked: z.optional(z.boolean()),
  }),
  /** The number of different domains in the request. */
  responses: { 200: z.object({ count: z.number() }) },
});
