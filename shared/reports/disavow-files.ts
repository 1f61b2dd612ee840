import * as z from 'zod/mini';
import { endpoint } from '../platform/endpoint.ts';
import { idParams, Pagination, pageNumber, pageSize, rowId } from '../platform/page.ts';
import { Decision } from './decisions.ts';

/**
 * Limits of Google's disavow tool, from Search Console Help, "Disavow links to your site". Comments and blank lines
 * count.
 */
export const googleDisavowLimits = { lines: 100_000, bytes: 2_000_000, urlLength: 2048 } as const;

/** Limits of an uploaded file. They are above Google's, so that a file that Google rejects can be repaired. */
export const maxDisavowFileBytes = 10 * 1024 * 1024;
export const maxDisavowFileLines = 200_000;

/** Most files of a user in an hour. */
export const maxDisavowUploadsPerHour = 120;

/** Most files that are kept for a website. */
export const maxDisavowFiles = 50;

/** What a line of a disavow file is. Every line has exactly one status: the first that applies. */
export const disavowLineStatuses = [
  /** A comment or a blank line. */
  'comment',
  /** Google cannot read it. The merged file leaves it out. */
  'invalid',
  /** Another line covers it. The merged file leaves it out. */
  'redundant',
  /** It disavows a domain that the user decided to keep. The merged file leaves it out. */
  'takenBack',
  /** The site is well known, a public institution, or protected by an admin. */
  'allowed',
  /** No listed domain covers it now. */
  'noLongerListed',
  'kept',
] as const;

/** Also what merging adds below the lines of the file. */
export const DisavowLineStatus = z.enum([...disavowLineStatuses, 'added']);
export type DisavowLineStatus = z.infer<typeof DisavowLineStatus>;

/** The statuses of lines that only the file has, or only the merged file. */
export const changedLineStatuses: readonly DisavowLineStatus[] = ['takenBack', 'redundant', 'invalid', 'added'];

/** The numbers of lines by status add up to `lines`. */
export const DisavowCounts = z.object({
  lines: z.number(),
  comments: z.number(),
  invalidCount: z.number(),
  redundant: z.number(),
  takenBack: z.number(),
  allowed: z.number(),
  noLongerListed: z.number(),
  kept: z.number(),
  /** Domains that the merged file adds. */
  added: z.number(),
});
export type DisavowCounts = z.infer<typeof DisavowCounts>;

/** An uploaded file, with the counts of the moment when it was uploaded. */
export const DisavowFile = z.extend(DisavowCounts, {
  id: z.number(),
  fileName: z.string(),
  uploadedAt: z.string(),
  /** The size of the uploaded file. */
  bytes: z.number(),
});
export type DisavowFile = z.infer<typeof DisavowFile>;

/** Most invalid lines in a review. `listDisavowLines` pages through all of them. */
export const maxShownInvalidLines = 1000;
/** A longer line is cut to this length in responses, with an ellipsis. */
export const maxShownLineLength = 4096;

/** `reason` is a sentence. `fix` is the corrected line, if only one correction is possible. */
export const InvalidDisavowLine = z.object({
  line: z.number(),
  text: z.string(),
  reason: z.string(),
  fix: z.nullable(z.string()),
});
export type InvalidDisavowLine = z.infer<typeof InvalidDisavowLine>;

/** An uploaded file, compared with the decisions and the blacklist of now. The counts are those of now, too. */
export const DisavowReview = z.extend(DisavowFile, {
  /** The first of them. */
  invalid: z.array(InvalidDisavowLine),
  /** The domains of the lines that are taken back. */
  reavow: z.array(z.string()),
  /** Sentences, those about lines that disavow the website itself first. */
  warnings: z.array(z.string()),
  /** How many warnings are about the website itself. */
  severeWarnings: z.number(),
});
export type DisavowReview = z.infer<typeof DisavowReview>;

export const DisavowLine = z.object({
  /** Its number. What merging adds is numbered after the lines of the file. */
  line: z.number(),
  text: z.string(),
  status: DisavowLineStatus,
  /** The host of a valid line, without `www.`; null if it is an IP address. */
  domain: z.nullable(z.string()),
  /** The decision about `domain`. */
  decision: z.nullable(Decision),
  /** The domain that the user keeps, because of which the line is taken back: `domain`, or a parent or subdomain. */
  keptDomain: z.nullable(z.string()),
  /** A sentence that explains the status, or what is wrong with a valid line. */
  reason: z.nullable(z.string()),
  /**
   * The corrected line of an invalid one, if only one correction is possible; of the address of a home page, the line
   * for the whole website.
   */
  fix: z.nullable(z.string()),
});
export type DisavowLine = z.infer<typeof DisavowLine>;

const fileParams = z.extend(idParams, { fileId: rowId(Number.MAX_SAFE_INTEGER) });

export const uploadDisavowFile = endpoint({
  method: 'POST',
  path: '/api/profiles/:id/disavow-files',
  access: 'user',
  summary: "Upload a website's current disavow file and compare it with my decisions",
  params: idParams,
  upload: 'file',
  responses: { 201: DisavowReview },
});

export const listDisavowFiles = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files',
  access: 'user',
  summary: 'List the disavow files that I uploaded for a website, newest first',
  params: idParams,
  responses: { 200: z.array(DisavowFile) },
});

export const getDisavowFile = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId',
  access: 'user',
  summary: 'Compare an uploaded disavow file with my decisions',
  params: fileParams,
  responses: { 200: DisavowReview },
});

export const listDisavowLines = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId/lines',
  access: 'user',
  summary: 'List the lines of an uploaded disavow file, or what merging changes, page by page',
  params: fileParams,
  query: z.object({
    /**
     * `changed` lists what only the file has, or only the merged file. Without a status, all lines of the file are
     * listed, without those that merging adds.
     */
    status: z.optional(z.enum([...disavowLineStatuses, 'added', 'changed'])),
    /** Part of a line. */
    search: z.optional(z.string().check(z.trim(), z.maxLength(253))),
    page: pageNumber,
    pageSize: pageSize(50),
  }),
  responses: { 200: z.object({ lines: z.array(DisavowLine), pagination: Pagination }) },
});

/** Most entries in each list of a comparison. */
export const maxShownChanges = 1000;

export const compareDisavowFiles = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId/changes',
  access: 'user',
  summary: 'Compare the valid entries of two uploaded disavow files',
  params: fileParams,
  query: z.object({ since: rowId(Number.MAX_SAFE_INTEGER) }),
  responses: {
    200: z.object({
      /** The first entries in alphabetical order, in Google's form: `domain:example.com` or a URL. */
      added: z.array(z.string()),
      removed: z.array(z.string()),
      addedCount: z.number(),
      removedCount: z.number(),
    }),
  },
});

export const downloadMergedDisavow = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId/merged.txt',
  access: 'user',
  summary: 'Download an uploaded disavow file merged with my decisions',
  params: fileParams,
});

export const downloadReavowList = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId/reavow.txt',
  access: 'user',
  summary: 'Download the entries of an uploaded disavow file that my decisions take back',
  params: fileParams,
});

export const downloadOriginalDisavow = endpoint({
  method: 'GET',
  path: '/api/profiles/:id/disavow-files/:fileId/original.txt',
  access: 'user',
  summary: 'Download the original of an uploaded disavow file',
  params: fileParams,
});

export const deleteDisavowFile = endpoint({
  method: 'DELETE',
  path: '/api/profiles/:id/disavow-files/:fileId',
  access: 'user',
  summary: 'Delete an uploaded disavow file',
  params: fileParams,
});
