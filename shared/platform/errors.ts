import * as z from 'zod/mini';

/** All values of `code` in an error response. */
const errorCodes = [
  'invalid',
  'unauthorized',
  'forbidden',
  'demo',
  'missing_scope',
  'not_found',
  'conflict',
  'idempotency_mismatch',
  'idempotency_in_progress',
  'needs_confirmation',
  'password_needed',
  'second_factor_required',
  'reauthentication_required',
  'second_factor_missing',
  'too_large',
  'unsupported_file',
  'too_many_requests',
  'search_limit',
  'storage_limit',
  'crawl_disabled',
  'disk_full',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The body of every error response: a sentence to show, a code for programs, and the request id in the log. */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(errorCodes),
  requestId: z.string(),
  /** Set if `code` is `invalid`: an error message for each invalid field. */
  fields: z.optional(z.record(z.string(), z.string())),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** An error of a call for API keys, as problem details (RFC 9457). */
export const Problem = z.extend(ErrorBody, {
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
});
export type Problem = z.infer<typeof Problem>;
