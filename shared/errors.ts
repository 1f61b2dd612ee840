import * as z from 'zod/mini';

/** The machine words an error answer can carry in `code`. */
export const errorCodes = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'password_needed',
  'too_large',
  'unsupported_file',
  'too_many_requests',
  'search_limit',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Every error answer: a sentence for people, a word for machines, the id that the log line carries too. */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(errorCodes),
  requestId: z.string(),
  /** For `invalid`: field name to sentence. */
  fields: z.optional(z.record(z.string(), z.string())),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
