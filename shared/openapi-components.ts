import * as z from 'zod/mini';
import { apiKeyLimits } from './api-keys.ts';
import { Check, longestQuestion } from './checks.ts';
import { RiskLevel } from './domains.ts';
import { ErrorBody, type ErrorCode } from './errors.ts';
import { BulkAnswer, BulkQuestion, bulkLimit, KeyUsage, keyCallsPerMinute, NoDomain } from './key-checks.ts';
import {
  bulkAnswer,
  bulkQuestion,
  errorBody,
  keyUsage,
  listedCheck,
  noDomain,
  unknownCheck,
} from './openapi-examples.ts';

/** What of JSON Schema 2020-12 the contracts need. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  required?: string[];
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
}

export interface Ref {
  $ref: string;
}

export interface Example {
  summary: string;
  value: unknown;
}

export interface Content {
  schema: JsonSchema;
  examples: Record<string, Example>;
}

export interface Answer {
  description: string;
  headers: Record<string, Ref>;
  /** Without it the answer has no body. */
  content?: { 'application/json': Content };
}

interface Header {
  description: string;
  schema: JsonSchema;
  example: unknown;
}

/** What the calls share, in the section of the document that is called so. */
export function components() {
  return {
    schemas: componentSchemas(),
    headers: headers as Record<HeaderName, Header>,
    responses: Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, problem.answer])),
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'A key of your account. Whoever has it asks in your name: keep it out of pages and repositories.',
      },
    },
  };
}

/** What stands beside a schema or a field in the document. The keywords of JSON Schema say what zod's types leave open. */
interface Note {
  description: string;
  format?: 'date-time' | 'uuid';
  type?: string | string[];
  minimum?: number;
}

const notes = z.registry<Note & { id?: string; examples?: unknown[] }>();

/** Names a schema, and says of each of its fields what it is: a new field without words is a type error. */
function describe<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  description: string,
  examples: z.output<S>[],
  fields: Record<keyof S['shape'] & string, string | Note>,
): void {
  notes.add(schema, { id, description, examples });
  for (const [name, note] of Object.entries<string | Note>(fields)) {
    notes.add(schema.shape[name] as z.ZodMiniType, typeof note === 'string' ? { description: note } : note);
  }
}

const count = { type: 'integer', minimum: 0 };
const time = { format: 'date-time' } as const;

notes.add(RiskLevel, {
  id: 'RiskLevel',
  description:
    'How likely a link from there was paid for, by the number of sources that name the domain: 1 is `low`, 2 or 3 `medium`, 4 `high`, 5 or more `very high`. An admin may have set another level.',
  examples: ['medium'],
});

describe('Check', Check, 'What the blacklist says of one domain.', [listedCheck, unknownCheck], {
  domain:
    'What was asked, reduced to its host name: lower case, without `www.`, in ASCII by UTS 46, nontransitional (`straße.example` is `xn--strae-oqa.example`). All spellings of a name have it in common: merge duplicates by it.',
  listed: 'Whether the domain, or one above it, is on the blacklist.',
  matchedDomain:
    'The listed name: that of the question, or the one above it. A listed domain covers all its subdomains. Null where nothing is listed.',
  riskLevel: 'The risk level of the listed name. Null where nothing is listed.',
  sourceCount: {
    description: 'How many sources name it. Null where nothing is listed.',
    type: ['integer', 'null'],
    minimum: 1,
  },
  niche: 'What the site writes about, where that is known.',
  dateAdded: { description: 'When the name came onto the blacklist. Null where nothing is listed.', ...time },
  lastUpdated: { description: 'When its entry was changed last. Null where nothing is listed.', ...time },
  checkedAt: { description: 'When this answer was made.', ...time },
});

describe(
  'NoDomain',
  NoDomain,
  `An entry of a bulk check that is no domain, or has more than ${longestQuestion} characters.`,
  [noDomain],
  { domain: 'The entry as it was sent.', error: 'A sentence that says what is wrong with it.' },
);

describe('BulkQuestion', BulkQuestion, 'The domains to be checked.', [bulkQuestion], {
  domains: `Domains, or addresses of pages. Each entry costs one request, also one that stands there twice, is no domain or has more than ${longestQuestion} characters.`,
});

describe('BulkAnswer', BulkAnswer, 'The answers to a bulk check.', [bulkAnswer], {
  results: 'One answer for each entry, in the order of the question. What was refused has an `error` in its place.',
  listed: { description: 'How many of the entries are listed.', ...count },
  total: { description: 'How many entries were asked.', ...count },
});

describe('KeyUsage', KeyUsage, 'What a key has used of its day.', [keyUsage], {
  name: 'The name that its owner gave the key.',
  dailyLimit: { description: 'Requests that the key has in a day.', ...count },
  dailyUsage: { description: 'Requests of this day. Days begin at 00:00 UTC.', ...count },
  remaining: { description: 'Requests that are left of this day.', ...count },
  resetAt: { description: 'When the next day begins, and the count anew.', ...time },
  usageCount: { description: 'Requests since the key was made.', ...count },
  lastUsed: { description: 'When the key was used for a check last. Null: never.', ...time },
});

describe(
  'Error',
  ErrorBody,
  'The body of every answer from 400 on. None of them is counted.',
  [errorBody('invalid', { error: noDomain.error, fields: { domain: noDomain.error } })],
  {
    error: 'A sentence for people that says what to do next.',
    code: 'A word for programs. Another may be added: treat one that you do not know by its status.',
    requestId: {
      description: 'Names this request in the log of the server. Please send it along when you report a problem.',
      format: 'uuid',
    },
    fields:
      'With `invalid`: the name of each refused field or parameter, and a sentence about it. An entry of a list is `domains.1`, counted from 0; the body itself is `body`.',
  },
);

/** Every named schema of the public API, as JSON Schema. */
function componentSchemas(): Record<string, JsonSchema> {
  // As input: an answer may get more fields one day, and no program is to refuse them.
  const { schemas } = z.toJSONSchema(notes, { io: 'input', metadata: notes, uri: refTo });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
}

/** The schema as a part of another, or by its name where it has one. */
export function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const id = notes.get(schema)?.id;
  return id === undefined ? plain(z.toJSONSchema(schema, { io: 'input' })) : { $ref: refTo(id) };
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Without the words that say which dialect it is and where it stands: the document does. */
function plain(schema: object): JsonSchema {
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  return rest as JsonSchema;
}

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

/** An answer that carries these headers, and JSON of this schema if it has a body. */
export function answer(
  description: string,
  headerNames: readonly HeaderName[],
  schema?: z.ZodMiniType,
  examples: Record<string, Example> = {},
): Answer {
  return {
    description,
    headers: Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(schema && { content: { 'application/json': { schema: schemaOf(schema), examples } } }),
  };
}

const tooMany = `Please send at most ${bulkLimit} domains at once`;
const again = 'The count begins anew at 00:00 UTC on 2026-11-22.';

/** Why a call is answered with 429. What helps against each stands in the guide, under Limits. */
export const causes = {
  day: {
    summary: 'The day is used up',
    error: `This key has none of its ${apiKeyLimits.requestsADay} requests left today. ${again}`,
  },
  left: {
    summary: 'A bulk asks for more than is left',
    error: `This asks for 3 requests, and this key has 2 left today: please ask for fewer at once. ${again}`,
  },
  crowd: {
    summary: 'Too many calls at once for the last requests of a day',
    error: 'Too many calls with this API key wait for its last requests of today. Please try again.',
  },
  minute: {
    summary: `More than ${keyCallsPerMinute.valid.toLocaleString('en-US')} calls in a minute with one key`,
    error: 'Too many calls with this API key. Please wait a minute.',
  },
  failures: {
    summary: `More than ${keyCallsPerMinute.failed} calls in a minute without a valid key from one address`,
    error: 'Too many calls without a valid API key. Please wait a minute.',
  },
};

const { day, left, crowd, minute, failures } = causes;

/** Every error that a call can be answered with, by the name of the answer in the document. */
export const problems = {
  BadDomain: problem(400, 'invalid', 'What was sent is no domain. Correct it.', limitHeaders, {
    address: { summary: 'An IP address', error: noDomain.error, fields: { domain: noDomain.error } },
    missing: {
      summary: 'No domain',
      error: 'Please fill in domain.',
      fields: { domain: 'Please fill in domain.' },
    },
  }),
  BadList: problem(
    400,
    'invalid',
    `The body is not JSON, or has no list of 1 to ${bulkLimit} texts. Correct it.`,
    limitHeaders,
    {
      broken: { summary: 'A body that is no JSON', error: 'The request could not be read.' },
      tooMany: { summary: `More than ${bulkLimit} domains`, error: tooMany, fields: { domains: tooMany } },
    },
  ),
  Unauthorized: problem(
    401,
    'unauthorized',
    'The header `X-API-Key` is missing, or its key is unknown or deleted. Look at the key in your account.',
    [],
    {
      unknown: {
        summary: 'An unknown or deleted key',
        error:
          'This API key is not valid. Please copy it again from the API Keys tab of your account, or create another one.',
      },
      missing: {
        summary: 'No key',
        error:
          'Please send an API key in the X-API-Key header. You can create one in the API Keys tab of your account.',
      },
    },
  ),
  TooLarge: problem(
    413,
    'too_large',
    'The body has more than 2 MiB (2,097,152 bytes). Send fewer domains, or hosts instead of whole addresses.',
    limitHeaders,
    { body: { summary: 'A body of 3 MB', error: 'The request is too large.' } },
  ),
  NotJson: problem(
    415,
    'unsupported_file',
    'The body is not called JSON. Send the header `Content-Type: application/json`.',
    limitHeaders,
    { form: { summary: 'A form', error: 'This content type is not accepted here.' } },
  ),
  TooManyRequests: tooManyRequests({ day, crowd, minute, failures }),
  TooManyEntries: tooManyRequests({ day, left, crowd, minute, failures }),
  TooManyCalls: tooManyRequests({ minute, failures }),
  Internal: problem(
    500,
    'internal',
    'Something went wrong on our side. Try again once; if it stays so, tell us the `requestId`.',
    [],
    {
      unexpected: { summary: 'Something unexpected', error: 'Something went wrong on our side. Please try again.' },
    },
  ),
  Unavailable: problem(
    503,
    'unavailable',
    'The server or its database is away or busy. Try again in a minute, then less and less often.',
    [],
    {
      database: {
        summary: 'The database is away',
        error: 'The database is not available right now. Please try again.',
      },
    },
  ),
};

type Refusals = Record<string, { summary: string; error: string; fields?: Record<string, string> }>;

function problem(
  status: number,
  code: ErrorCode,
  description: string,
  headerNames: readonly HeaderName[],
  refusals: Refusals,
) {
  const examples = Object.entries(refusals).map(([name, { summary, ...body }]): [string, Example] => [
    name,
    { summary, value: errorBody(code, body) },
  ]);
  return { status, answer: answer(description, headerNames, ErrorBody, Object.fromEntries(examples)) };
}

function tooManyRequests(refusals: Refusals) {
  const description = 'More than a limit allows. `error` names the limit; what to do stands under Limits.';
  return problem(429, 'too_many_requests', description, [...limitHeaders, 'Retry-After'], refusals);
}
