import { apiKeyLimits } from './api-keys.ts';
import { ErrorBody, type ErrorCode } from './errors.ts';
import { bulkLimit, keyCallsPerMinute } from './key-checks.ts';
import type { Answer, Example, Header, Ref } from './openapi-document.ts';
import { errorExample, noDomain } from './openapi-examples.ts';
import { schemaOf } from './openapi-schemas.ts';

/** Headers that answers carry beside the usual ones, by name. */
export const headers = {
  'X-RateLimit-Limit': {
    description: 'Requests that the key has in a day.',
    schema: { type: 'integer', minimum: 0 },
    example: apiKeyLimits.requestsADay,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that are left of this day, after this one.',
    schema: { type: 'integer', minimum: 0 },
    example: 958,
  },
  'X-RateLimit-Reset': {
    description: 'When the next day begins and the count anew: 00:00 UTC, in seconds since 1970.',
    schema: { type: 'integer', minimum: 0 },
    example: 1_795_305_600,
  },
  'Retry-After': {
    description: 'Seconds until the same request can be answered.',
    schema: { type: 'integer', minimum: 1 },
    example: 52_200,
  },
  ETag: {
    description:
      'Names what the answer says, without `checkedAt`. Send it back in `If-None-Match` to be told of changes only.',
    schema: { type: 'string' },
    example: 'W/"iVHmCXzB2yK0wQ6d9eTf4A"',
  },
} satisfies Record<string, Header>;

type HeaderName = keyof typeof headers;

/** Those of every answer to a key that we know. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export const headerRefs = (...names: HeaderName[]): Record<string, Ref> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

interface Problem {
  status: number;
  code: ErrorCode;
  description: string;
  headers: readonly HeaderName[];
  examples: Record<string, Example>;
}

const example = (summary: string, code: ErrorCode, error: string, fields?: Record<string, string>) => ({
  summary,
  value: errorExample(code, error, fields),
});

const tooMany = `Please send at most ${bulkLimit} domains at once`;
const again = 'The count begins anew at 00:00 UTC on 2026-11-22.';
const day = example(
  'The day is used up',
  'too_many_requests',
  `This key has none of its ${apiKeyLimits.requestsADay} requests left today. ${again}`,
);
const left = example(
  'The bulk asks for more than is left: send at most 2 entries now',
  'too_many_requests',
  `This asks for 3 requests, and this key has 2 left today: please ask for fewer at once. ${again}`,
);
const minute = example(
  `More than ${keyCallsPerMinute.valid.toLocaleString('en-US')} calls in a minute with this key`,
  'too_many_requests',
  'Too many calls with this API key. Please wait a minute.',
);
const crowd = example(
  'More than 100 calls wait for the last requests of the day, which another process of the server holds',
  'too_many_requests',
  'Too many calls with this API key wait for its last requests of today. Please try again.',
);
const failures = example(
  `More than ${keyCallsPerMinute.failed} calls in a minute without a valid key from one address`,
  'too_many_requests',
  'Too many calls without a valid API key. Please wait a minute.',
);

const beyondLimit = (examples: Record<string, Example>) => ({
  status: 429,
  code: 'too_many_requests' as const,
  description: 'More than a limit allows. `error` names the limit; what to do stands under Limits.',
  headers: [...limitHeaders, 'Retry-After'] as const,
  examples,
});

/** Every error that a call can be answered with, by the name of the answer in the document. */
export const problems = {
  BadDomain: {
    status: 400,
    code: 'invalid',
    description: 'What was sent is no domain. Correct it.',
    headers: limitHeaders,
    examples: {
      address: example('An IP address', 'invalid', noDomain.error, { domain: noDomain.error }),
      missing: example('No domain', 'invalid', 'Please fill in domain.', { domain: 'Please fill in domain.' }),
    },
  },
  BadList: {
    status: 400,
    code: 'invalid',
    description: `The body is not JSON, or has no list of 1 to ${bulkLimit} texts. Correct it.`,
    headers: limitHeaders,
    examples: {
      broken: example('A body that is no JSON', 'invalid', 'The request could not be read.'),
      tooMany: example(`More than ${bulkLimit} domains`, 'invalid', tooMany, { domains: tooMany }),
    },
  },
  Unauthorized: {
    status: 401,
    code: 'unauthorized',
    description:
      'The header `X-API-Key` is missing, or its key is unknown or deleted. Look at the key in your account.',
    headers: [],
    examples: {
      unknown: example(
        'An unknown or deleted key',
        'unauthorized',
        'This API key is not valid. Please copy it again from the API Keys tab of your account, or create another one.',
      ),
      missing: example(
        'No key',
        'unauthorized',
        'Please send an API key in the X-API-Key header. You can create one in the API Keys tab of your account.',
      ),
    },
  },
  TooLarge: {
    status: 413,
    code: 'too_large',
    description:
      'The body has more than 2 MiB (2,097,152 bytes). Send fewer domains, or hosts instead of whole addresses.',
    headers: limitHeaders,
    examples: { body: example('A body of 3 MB', 'too_large', 'The request is too large.') },
  },
  NotJson: {
    status: 415,
    code: 'unsupported_file',
    description: 'The body is not called JSON. Send the header `Content-Type: application/json`.',
    headers: limitHeaders,
    examples: {
      form: example('A form', 'unsupported_file', 'This content type is not accepted here.'),
    },
  },
  TooManyRequests: beyondLimit({ day, crowd, minute, failures }),
  TooManyEntries: beyondLimit({ day, left, crowd, minute, failures }),
  TooManyCalls: beyondLimit({ minute, failures }),
  Internal: {
    status: 500,
    code: 'internal',
    description: 'Something went wrong on our side. Try again once; if it stays so, tell us the `requestId`.',
    headers: [],
    examples: {
      unexpected: example('Something unexpected', 'internal', 'Something went wrong on our side. Please try again.'),
    },
  },
  Unavailable: {
    status: 503,
    code: 'unavailable',
    description: 'The server or its database is away or busy. Try again in a minute, then less and less often.',
    headers: [],
    examples: {
      database: example(
        'The database is away',
        'unavailable',
        'The database is not available right now. Please try again.',
      ),
    },
  },
} satisfies Record<string, Problem>;

export type ProblemName = keyof typeof problems;

/** The errors as answers of the document. */
export function problemAnswers(): Record<string, Answer> {
  return Object.fromEntries(
    Object.entries<Problem>(problems).map(([name, problem]) => [
      name,
      {
        description: problem.description,
        headers: headerRefs(...problem.headers),
        content: { 'application/json': { schema: schemaOf(ErrorBody), examples: problem.examples } },
      },
    ]),
  );
}
