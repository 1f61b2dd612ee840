import { STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { core } from 'zod/mini';
import type { ErrorBody, ErrorCode, Problem } from '#shared/platform/errors.ts';
import { isTransientDbError, lockTimeout, queryCanceled, readOnly } from '../db/transient-error.ts';
import { diskFullError, HttpError, lockedData, unavailable } from './errors.ts';
import { dataHeaders } from './headers.ts';
import type { Exchange } from './scope.ts';

/**
 * PostgreSQL error codes for text and numbers that cannot be stored, such as NUL bytes: the request is invalid.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const invalidValueCodes = new Set(['22021', '22P02', '22P05', '22003']);
/** The disk of the database is full. */
const diskFullCode = '53100';
/** Deadlock and serialization failure. The transaction was rolled back and can be repeated. */
const conflictCodes = new Set(['40P01', '40001']);
/** The account was deleted while the request was running, so that a new row would have no owner. */
const isAccountDeleted = (error: FastifyError) =>
  error.code === '23503' && 'constraint' in error && String(error.constraint).endsWith('_user_id_fkey');
/**
 * The client closed the connection. If the client is still connected, the same codes mean a lost database connection.
 */
const disconnectCodes = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Turns every error into an error response with the request id. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if ((disconnectCodes.has(error.code) || error.name === 'AbortError') && isDisconnected(request, reply)) {
      request.log.debug({ err: error }, 'the client disconnected');
      return sendError(
        { request, reply },
        { status: 400, code: 'invalid', message: 'The connection was lost. Please try again.' },
      );
    }
    const { status, code, message, extras, headers } = toSentError(error, request.log);
    reply.headers(headers);
    return sendError({ request, reply }, { status, code, message, extras });
  });
}

/**
 * Returns the error that the client sees. HttpErrors and known errors keep their sentence; any other error becomes a
 * 500 without details. Logs what the operator must know.
 */
export function toSentError(error: unknown, log: FastifyBaseLogger): HttpError {
  const known = error instanceof HttpError ? error : toHttpError(error as FastifyError);
  if (!known) {
    log.error({ err: error }, 'unexpected error');
    return new HttpError(500, 'internal', 'Something went wrong on our side. Please try again.');
  }
  if (known.status >= 500 && known.code !== 'storage_limit') {
    // The stack of an HttpError says nothing that its message does not say.
    if (error instanceof HttpError) log.warn(known.message);
    else log.error({ err: error }, known.message);
  }
  return known;
}

/** Errors below this path are problem details (RFC 9457). */
const problemPrefix = '/api/v1/';

/** `request.raw.destroyed` would also be true once the body has been read. */
const isDisconnected = ({ raw }: FastifyRequest, reply: FastifyReply) => raw.socket.destroyed || reply.raw.destroyed;

/**
 * Responds to a URL that cannot be decoded, such as `/%zz`. It matches no route, so no hook of the app adds headers.
 */
export function handleMalformedUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'cache-control': 'no-store', ...dataHeaders });
  sendError({ request, reply }, { status: 400, code: 'invalid', message: 'This URL is not valid.' });
}

export function sendError(
  { request, reply }: Exchange,
  {
    status,
    code,
    message,
    extras = {},
  }: { status: number; code: ErrorCode; message: string; extras?: Record<string, unknown> },
): FastifyReply {
  const body: ErrorBody = { error: message, code, requestId: request.id, ...extras };
  reply.code(status).serializer(JSON.stringify);
  if (!(request.routeOptions.url ?? request.url).startsWith(problemPrefix)) {
    return reply.type('application/json; charset=utf-8').send(body);
  }
  const type = `urn:linksieve:error:${code}`;
  const problem: Problem = { type, title: STATUS_CODES[status] ?? 'Error', status, detail: message, ...body };
  return reply.type('application/problem+json').send(problem);
}

function toHttpError(error: FastifyError): HttpError | undefined {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields: Record<string, string> = {};
    for (const issue of error.validation) {
      const field = issue.instancePath.split('/').filter(Boolean).join('.') || error.validationContext || 'body';
      fields[field] ??= issue.message ?? 'This value is not valid.';
    }
    return new HttpError(400, 'invalid', Object.values(fields)[0] ?? 'This request is not valid.', {
      extras: { fields },
    });
  }
  if (invalidValueCodes.has(error.code))
    return new HttpError(400, 'invalid', 'The request contains a character or number that cannot be stored.');
  if (conflictCodes.has(error.code))
    return new HttpError(503, 'unavailable', 'Someone else changed the same data just now. Please try again.');
  if (isAccountDeleted(error)) return new HttpError(409, 'conflict', 'This account was just deleted.');
  if (error.code === diskFullCode || error.code === 'ENOSPC') return diskFullError();
  if (error.code === queryCanceled)
    return unavailable('The database is too slow right now. Please try again in a moment.', 10);
  if (error.code === lockTimeout) return unavailable(lockedData, 10);
  if (error.code === readOnly)
    return unavailable('The database accepts no changes right now. Please try again in a moment.', 10);
  if (isTransientDbError(error)) return unavailable('The database is not available right now. Please try again.', 5);
  if (error.statusCode === 413) return new HttpError(413, 'too_large', 'The request is too large.');
  if (error.statusCode === 415)
    return new HttpError(415, 'unsupported_file', 'This content type is not accepted here.');
  if (error.statusCode === 429)
    return new HttpError(429, 'too_many_requests', 'Too many requests. Please wait a moment and try again.');
  if (error.statusCode === 503)
    return new HttpError(503, 'unavailable', 'The server is busy. Please try again in a moment.');
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new HttpError(400, 'invalid', 'The request could not be read.');
  }
  return undefined;
}

const typeProblems: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a number',
  string: 'must be text',
  boolean: 'must be true or false',
  array: 'must be a list',
};
const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

/** Describes an invalid value in a sentence with the field's name. Used where the schema has no message. */
export function describeIssue(issue: core.$ZodRawIssue): string {
  const field = issue.path?.join('.');
  if (!field && issue.code === 'unrecognized_keys') return `The request ${describeProblem(issue)}.`;
  if (!field) return issue.input ? 'This request is not valid.' : 'The request has no body.';
  if (issue.input === undefined || issue.input === null) return `Please fill in ${field}.`;
  return isEmptyText(issue) ? `Please fill in ${field}.` : `${field} ${describeProblem(issue)}.`;
}

function isEmptyText(issue: core.$ZodRawIssue): boolean {
  return issue.code === 'too_small' && issue.input === '';
}

function describeProblem(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblems[issue.expected] ?? 'is not valid';
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${describeLimit(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}`;
    case 'too_big':
      return `must ${describeLimit(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a date like 2026-01-31' : 'is not valid';
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

function describeLimit(origin: string, words: string, bound: number | bigint): string {
  const unit = units[origin];
  return unit ? `have ${words} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}` : `be ${words} ${bound}`;
}
