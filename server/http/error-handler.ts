import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import type { core } from 'zod/mini';
import type { ErrorBody, ErrorCode } from '#shared/errors.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { diskFull, HttpError } from './errors.ts';
import { dataHeaders } from './headers.ts';

/** PostgreSQL's words for text and numbers that it cannot hold (NUL bytes, out of range): the caller's fault, not ours. */
const callerFaults = new Set(['22021', '22P02', '22P05', '22003']);
/** Its disk is full: what does not go away by itself, but is no fault of the program either. */
const databaseFull = '53100';
/** Two transactions that waited for each other, or saw each other's rows too late: nothing was done, and the next try meets nobody. */
const gaveWay = new Set(['40P01', '40001']);
/** A row that would belong to nobody: its person's account was deleted after the call had found it. */
const ownerGone = (error: FastifyError) =>
  error.code === '23503' && 'constraint' in error && String(error.constraint).endsWith('_user_id_fkey');
/** The same codes stand for a lost database where the caller is still there. */
const lostCaller = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

/** One handler for every error: ours as they are, known ones translated, the unknown logged and answered with a request id only. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (lostCaller.has(error.code) && request.raw.destroyed) {
      request.log.debug({ err: error }, 'the caller went away');
      return send(request, reply, 400, 'invalid', 'The connection broke off. Please try again.');
    }
    const known = error instanceof HttpError ? error : translate(error);
    if (!known) {
      request.log.error({ err: error }, 'unexpected error');
      return send(request, reply, 500, 'internal', 'Something went wrong on our side. Please try again.');
    }
    if (known.status >= 500) request.log.error({ err: error }, known.message);
    reply.headers(known.headers);
    return send(request, reply, known.status, known.code, known.message, known.extras);
  });
}

/** An address that cannot be decoded finds no route, and so none of the app's hooks and their headers: `/%zz`. */
export function handleMalformedUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'cache-control': 'no-store', ...dataHeaders });
  send(request, reply, 400, 'invalid', 'This address could not be read.');
}

export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: ErrorCode,
  message: string,
  extras: Record<string, unknown> = {},
): FastifyReply {
  const body: ErrorBody = { error: message, code, requestId: request.id, ...extras };
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
}

function translate(error: FastifyError): HttpError | undefined {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields: Record<string, string> = {};
    for (const issue of error.validation) {
      const field = issue.instancePath.split('/').filter(Boolean).join('.') || error.validationContext || 'body';
      fields[field] ??= issue.message ?? 'This value is not valid.';
    }
    return new HttpError(400, 'invalid', Object.values(fields)[0] ?? 'This request is not valid.', { fields });
  }
  if (callerFaults.has(error.code))
    return new HttpError(400, 'invalid', 'The request holds a character or number that cannot be stored.');
  if (gaveWay.has(error.code))
    return new HttpError(503, 'unavailable', 'Somebody else was changing the same just now. Please try again.');
  if (ownerGone(error)) return new HttpError(409, 'conflict', 'This account was deleted just now.');
  if (error.code === databaseFull || isTransientDbError(error))
    return new HttpError(503, 'unavailable', 'The database is not available right now. Please try again.');
  if (error.code === 'ENOSPC') return new HttpError(503, 'unavailable', diskFull);
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

const ofType: Record<string, string> = {
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

/** What is wrong with a value, as a sentence for people that names the field, where the contract has no sentence of its own. */
export function describeIssue(issue: core.$ZodRawIssue): string {
  const field = issue.path?.join('.');
  if (!field) return issue.input ? 'This request is not valid.' : 'The request has no content.';
  if (issue.input === undefined || issue.input === null) return `Please fill in ${field}.`;
  return isEmptyText(issue) ? `Please fill in ${field}.` : `${field} ${complaint(issue)}.`;
}

function isEmptyText(issue: core.$ZodRawIssue): boolean {
  return issue.code === 'too_small' && issue.input === '';
}

function complaint(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return ofType[issue.expected] ?? 'is not valid';
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of: ${issue.values.join(', ')}`;
    case 'too_small':
      return `must ${limit(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)}`;
    case 'too_big':
      return `must ${limit(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a date like 2026-01-31' : 'is not valid';
    case 'unrecognized_keys':
      return `has fields that are not known here: ${issue.keys.join(', ')}`;
    default:
      return 'is not valid';
  }
}

function limit(origin: string, words: string, bound: number | bigint): string {
  const unit = units[origin];
  return unit ? `have ${words} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}` : `be ${words} ${bound}`;
}
