import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, pageNumber } from '../platform/page.ts';
import { optionalText, text } from '../platform/text.ts';
import { submissionPageSizes, submissionStatuses } from './choices.ts';
import { RiskLevel } from './domains.ts';

export const SubmissionStatus = z.enum(submissionStatuses);
export type SubmissionStatus = z.infer<typeof SubmissionStatus>;

export type SubmissionPageSize = (typeof submissionPageSizes)[number];
export const defaultSubmissionPageSize = 10 satisfies SubmissionPageSize;

/** The maximum length of each field, in characters. */
export const submissionLimits = {
  domain: 100,
  evidence: 1000,
  source: 100,
  cost: 50,
  niche: 100,
  additionalNotes: 2000,
  reason: 500,
} as const;

/** The source added to a domain when a submission is approved. */
export const communitySource = 'community';

/** A site that a user submitted for the blacklist. */
export const Submission = z.object({
  id: z.number(),
  domain: z.string(),
  status: SubmissionStatus,
  dateSubmitted: z.string(),
  /** Null if the account was deleted. */
  submitterEmail: z.nullable(z.string()),
  evidence: z.string(),
  source: z.string(),
  cost: z.string(),
  niche: z.string(),
  domainRating: z.nullable(z.number()),
  additionalNotes: z.nullable(z.string()),
  /** Why an admin rejected it, for the submitter to read. */
  reason: z.nullable(z.string()),
  dateDecided: z.nullable(z.string()),
});
export type Submission = z.infer<typeof Submission>;

/** A submission with the details that only admins see. */
export const AdminSubmission = z.extend(Submission, {
  /** The admin's username; null while pending, or if the account was deleted. */
  decidedBy: z.nullable(z.string()),
  /** The current blacklist entry of the domain or of a parent domain; null if neither is listed. */
  listing: z.nullable(
    z.object({
      id: z.number(),
      domain: z.string(),
      riskLevel: RiskLevel,
      sourceCount: z.number(),
      independentSourceCount: z.number(),
    }),
  ),
  /** What the domain's entry would be after approval; null unless the submission is pending and can be approved. */
  preview: z.nullable(
    z.object({ sources: z.array(z.string()), independentSourceCount: z.number(), riskLevel: RiskLevel }),
  ),
});
export type AdminSubmission = z.infer<typeof AdminSubmission>;

/** Text with a minimum length. A missing field gets the same message as a short one. */
const requiredText = (min: number, tooShort: string, max: number, tooLong: string) =>
  text({ min, max, tooShort, tooLong, schema: z.string(tooShort) });

const ratingMessage = 'Domain rating must be a number between 0-100';

const DomainRating = z.pipe(
  z.pipe(
    z.union([z.number(), z.string().check(z.trim(), z.regex(/^\d{1,3}$/, ratingMessage))], ratingMessage),
    z.transform((value: number | string) => Math.round(Number(value))),
  ),
  z.number().check(z.gte(0, ratingMessage), z.lte(100, ratingMessage)),
);

/** The site submission form. */
export const SubmissionInput = z.object({
  domain: requiredText(
    4,
    'Domain must be at least 4 characters',
    submissionLimits.domain,
    'Domain must be less than 100 characters',
  ).check(
    z.regex(
      /^(?:[a-z0-9_][a-z0-9_-]{0,62}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/i,
      'Please enter a valid domain name (e.g., example.com)',
    ),
  ),
  evidence: requiredText(
    20,
    'Please provide more details about your evidence',
    submissionLimits.evidence,
    'Evidence must be less than 1000 characters',
  ),
  source: requiredText(2, 'Source is required', submissionLimits.source, 'Source must be less than 100 characters'),
  cost: requiredText(1, 'Cost is required', submissionLimits.cost, 'Cost must be less than 50 characters'),
  niche: requiredText(2, 'Niche is required', submissionLimits.niche, 'Niche must be less than 100 characters'),
  /** 0 if unknown. Also accepts a string of digits. */
  domainRating: z._default(z.nullable(DomainRating), 0),
  additionalNotes: optionalText(submissionLimits.additionalNotes, 'Additional notes must be less than 2000 characters'),
});
export type SubmissionInput = z.infer<typeof SubmissionInput>;

/** An admin's decision on a pending submission. `reason` is stored for rejections only, and shown to the submitter. */
export const SubmissionDecision = z.object({
  status: z.enum(['approved', 'rejected']),
  reason: optionalText(submissionLimits.reason, 'The reason must be at most 500 characters'),
  /**
   * Approves a site that is protected, such as a well-known one. Without it, the response is 409 `needs_confirmation`.
   */
  confirmed: z.optional(z.boolean()),
  userIsAdmin: z.optional(z.boolean()),
});
export type SubmissionDecision = z.infer<typeof SubmissionDecision>;

/** How an approval changed the blacklist. */
const listingOutcomes = ['added', 'updated', 'unchanged'] as const;
export type ListingOutcome = (typeof listingOutcomes)[number];

const pageQuery = {
  page: pageNumber,
  pageSize: z._default(z.pipe(z.coerce.number(), z.literal([...submissionPageSizes])), defaultSubmissionPageSize),
};

export const createSubmission = endpoint({
  method: 'POST',
  path: '/api/site-submissions',
  access: 'user',
  summary: 'Submit a site for the blacklist',
  body: SubmissionInput,
  responses: { 201: Submission },
});

export const createSubmissionWithKey = endpoint({
  method: 'POST',
  path: '/api/v1/submissions',
  access: 'key',
  scope: 'write',
  summary: 'Submit a site for the blacklist',
  body: SubmissionInput,
  responses: { 201: Submission },
});

export const listOwnSubmissions = endpoint({
  method: 'GET',
  path: '/api/site-submissions/mine',
  access: 'user',
  summary: "List the signed-in user's submissions, newest first",
  query: z.object(pageQuery),
  responses: { 200: z.object({ submissions: z.array(Submission), total: z.number() }) },
});

export const listSubmissions = endpoint({
  method: 'GET',
  path: '/api/site-submissions',
  access: 'admin',
  summary: 'List the submissions with a given status, newest first',
  query: z.object({
    ...pageQuery,
    status: z._default(SubmissionStatus, 'pending'),
    userIsAdmin: z.optional(z.string()),
  }),
  responses: { 200: z.object({ submissions: z.array(AdminSubmission), total: z.number() }) },
});

export const decideSubmission = endpoint({
  method: 'PUT',
  path: '/api/site-submissions/:id',
  access: 'admin',
  summary: 'Approve or reject a pending submission. Approving adds the site to the blacklist',
  auditEvent: 'Decided on a site submission',
  params: idParams,
  body: SubmissionDecision,
  responses: {
    200: z.object({
      submission: Submission,
      /** Null for a rejection. */
      domain: z.nullable(z.object({ id: z.number(), domain: z.string(), outcome: z.enum(listingOutcomes) })),
    }),
  },
});
