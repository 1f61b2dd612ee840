import type { ErrorCode } from '#shared/errors.ts';

/** An error with an answer for the caller. Anything else that is thrown becomes a 500 that says nothing. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** Further fields of the answer's body. */
  readonly extras: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    extras: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.extras = extras;
    this.headers = headers;
  }
}

/** 400. `fields` maps a field's name to the sentence shown beside it. */
export const invalid = (message: string, fields?: Record<string, string>) =>
  new HttpError(400, 'invalid', message, fields ? { fields } : {});

/** 400 for one field, with the same sentence as the message and beside the field. */
export const invalidField = (field: string, sentence: string) => invalid(sentence, { [field]: sentence });

export const unauthorized = (message = 'Please sign in first.') => new HttpError(401, 'unauthorized', message);

export const forbidden = (message = 'You do not have permission to do this.') =>
  new HttpError(403, 'forbidden', message);

/** 404. Another person's object answers the same as one that does not exist. */
export const notFound = (what: string, id?: string | number) =>
  new HttpError(404, 'not_found', id === undefined ? `No ${what} here.` : `There is no ${what} ${id}.`);

export const conflict = (message: string, extras: Record<string, unknown> = {}) =>
  new HttpError(409, 'conflict', message, extras);

export const tooLarge = (message: string) => new HttpError(413, 'too_large', message);

/** 429. `seconds` until the next try makes sense. */
export const tooManyRequests = (message: string, seconds: number) =>
  new HttpError(429, 'too_many_requests', message, {}, { 'retry-after': String(Math.max(1, Math.ceil(seconds))) });

/** 503. `seconds` until the next try makes sense, where that is known. */
export const unavailable = (message: string, seconds?: number) =>
  new HttpError(503, 'unavailable', message, {}, seconds === undefined ? {} : { 'retry-after': String(seconds) });

export const diskFull = 'There is no disk space left for this. Please tell the administrator.';

/** No such file, and no disk space in the system's words and in PostgreSQL's ("Error Codes"). */
const sentences: Record<string, string> = {
  ENOENT: 'The uploaded file is gone. Please upload it again.',
  ENOSPC: diskFull,
  '53100': diskFull,
};

/** What kept the server from working on an uploaded file, in a sentence for people; undefined for any other fault. */
export function fileErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
}
