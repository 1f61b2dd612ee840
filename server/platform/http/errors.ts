import type { ErrorCode } from '#shared/platform/errors.ts';

/** An error whose message is sent to the client. Any other error becomes a 500 without details. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** Additional fields of the response body. */
  readonly extras: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    { extras = {}, headers = {} }: { extras?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.extras = extras;
    this.headers = headers;
  }
}

/** 400. `fields` maps a field's name to the sentence shown next to it. */
export const invalid = (message: string, fields?: Record<string, string>) =>
  new HttpError(400, 'invalid', message, { extras: fields ? { fields } : {} });

/** 400 for one field. The sentence is the message and is shown next to the field. */
export const invalidField = (field: string, sentence: string) => invalid(sentence, { [field]: sentence });

export const unauthorized = (message = 'Please sign in first.') => new HttpError(401, 'unauthorized', message);

export const forbidden = (message = 'You do not have permission to do this.') =>
  new HttpError(403, 'forbidden', message);

/** 403 for what a demonstration for the public does not allow. */
export const refusedInDemo = () => new HttpError(403, 'demo', 'This is a demonstration, so this is turned off here.');

/** 403 for an API key or access token that does not allow the call. */
export const missingScope = (scope: string) =>
  new HttpError(403, 'missing_scope', `This call needs the scope "${scope}", which this key does not have.`, {
    extras: { scope },
  });

/** 403 for a dangerous action in a session whose user has not recently proven their identity. */
export const reauthenticationRequired = () =>
  new HttpError(403, 'reauthentication_required', 'Please confirm that it is you, and try again.');

/** 403 for an admin without two-factor authentication, on a server that requires it of admins. */
export const secondFactorMissing = () =>
  new HttpError(
    403,
    'second_factor_missing',
    'This server requires two-factor authentication for admins. Please turn it on in your account first.',
  );

/** 404. The response for another user's object is the same as for one that does not exist. */
export const notFound = (what: string, id?: string | number) =>
  new HttpError(404, 'not_found', id === undefined ? `There is no such ${what}.` : `There is no ${what} ${id}.`);

export const conflict = (message: string, extras: Record<string, unknown> = {}) =>
  new HttpError(409, 'conflict', message, { extras });

/** 422: the same Idempotency-Key was sent with another request. */
export const idempotencyMismatch = () =>
  new HttpError(422, 'idempotency_mismatch', 'This Idempotency-Key was used for another request. Send a new one.');

/** 409: the request with the same Idempotency-Key has not finished. */
export const idempotencyInProgress = () =>
  new HttpError(409, 'idempotency_in_progress', 'The request with this Idempotency-Key is still running.', {
    headers: { 'retry-after': '1' },
  });

export const tooLarge = (message: string) => new HttpError(413, 'too_large', message);

/** 429. `seconds` is the time until the client should retry. */
export const tooManyRequests = (message: string, seconds: number) =>
  new HttpError(429, 'too_many_requests', message, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
  });

/** 507: the account uses all the storage that it may use. */
export const storageLimitReached = (message: string) => new HttpError(507, 'storage_limit', message);

/** 507: the disk of the server has too little space left. */
export const diskFullError = (message: string = diskFull) => new HttpError(507, 'disk_full', message);

/** 503. `seconds` is the time until the client should retry, if known. */
export const unavailable = (message: string, seconds?: number) =>
  new HttpError(503, 'unavailable', message, {
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  });

export const lockedData = 'Other work is changing this data right now. Please try again in a moment.';

const diskFull = 'The server has no disk space left. Please tell the administrator.';

/** By the error codes of Node.js and PostgreSQL (53100: disk full). */
const sentences: Record<string, string> = {
  ENOENT: 'The uploaded file is gone. Please upload it again.',
  EBADMSG: 'The stored file is damaged. Please upload it again.',
  ENOSPC: diskFull,
  '53100': diskFull,
};

/**
 * Returns a message for the user if an uploaded file is missing or damaged, or the disk is full; undefined for any
 * other error.
 */
export function fileErrorMessage(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
}
