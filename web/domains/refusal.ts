import { ApiError } from '../lib/api.ts';

/** What the server says of no field in particular. */
export function problemOf(error: unknown): { message: string } | undefined {
  const { message, fields } = refusal(error);
  return Object.keys(fields).length === 0 ? { message } : undefined;
}

/** Why the server did not take a domain: a sentence, sentences by field, and the id of the one that is in the way. */
export function refusal(error: unknown): { message: string; fields: Record<string, string>; existingId?: number } {
  if (!(error instanceof ApiError)) return { message: 'Please try again.', fields: {} };
  const { message, status, fields, body } = error;
  if (status !== 409) return { message, fields };
  const id = body.id ?? body.existingId;
  return { message, fields: { domain: message }, ...(typeof id === 'number' && { existingId: id }) };
}
