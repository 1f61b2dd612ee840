import * as z from 'zod/mini';
import { apiKeyLimits } from './api-keys.ts';
import { Check, maxQueryLength } from './checks.ts';
import { RiskLevel } from './domains.ts';
import { ErrorBody, type ErrorCode } from './errors.ts';
import { BulkAnswer, BulkQuestion, bulkLimit, KeyUsage, keyCallsPerMinute, NoDomain } from './key-checks.ts';
import * as examples from './openapi-examples.ts';

/** The keywords of JSON Schema 2020-12 that the document uses and the page shows. */
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

export interface ApiResponse {
  description: string;
  headers: Record<string, Ref>;
  /** Missing if the response has no body. */
  content?: JsonContent;
}

export interface JsonContent {
  'application/json': { schema: JsonSchema; examples: Record<string, Example> };
}

/** What the calls share. The document refers to it by name. */
export function components() {
  return {
    schemas: namedSchemas(),
    headers,
    responses: Object.fromEntries(Object.entries(problems).map(([name, { response }]) => [name, response])),
  };
}

/** What the document says of a schema or a field. The keywords of JSON Schema add what zod's types leave open. */
interface Note extends Pick<JsonSchema, 'type' | 'format' | 'minimum'> {
  description: string;
  id?: string;
  examples?: unknown[];
}

const notes = z.registry<Note>();

/** Names a schema and describes each of its fields: a new field without a description is a type error. */
function describe<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  description: string,
  values: z.output<S>[],
  fields: Record<keyof S['shape'] & string, string | Note>,
): void {
  notes.add(schema, { id, description, examples: values });
  for (const [name, note] of Object.entries<string | Note>(fields)) {
    notes.add(schema.shape[name] as z.ZodMiniType, typeof note === 'string' ? { description: note } : note);
  }
}

const count = { type: 'integer', minimum: 0 };
const time = { format: 'date-time' };

export const riskLevelMeaning =
  'The risk level is based on the number of sources that list the domain: 1 is `low`, 2 or 3 `medium`, 4 `high`, 5 or more `very high`. An admin can set another level.';
notes.add(RiskLevel, { id: 'RiskLevel', description: riskLevelMeaning, examples: ['medium'] });

describe('Check', Check, 'The result for one domain.', [examples.listedCheck, examples.unknownCheck], {
  domain:
    'The requested name, reduced to its host: lower case, without `www.`, in ASCII by UTS 46, nontransitional (`straße.example` becomes `xn--strae-oqa.example`). All spellings of a name have the same value, so you can merge duplicates by it.',
  listed: 'Whether the domain or one of its parent domains is on the blacklist.',
  matchedDomain: 'The listed name: the requested domain or one of its parent domains. Null if nothing is listed.',
  riskLevel: 'The risk level of the listed name. Null if nothing is listed.',
  sourceCount: {
    description: 'How many sources list the name. Null if nothing is listed.',
    type: ['integer', 'null'],
    minimum: 1,
  },
  niche: 'The topic of the site, if known.',
  dateAdded: { description: 'When the name was added to the blacklist. Null if nothing is listed.', ...time },
  lastUpdated: { description: 'When its entry last changed. Null if nothing is listed.', ...time },
  checkedAt: { description: 'When this check was made.', ...time },
});

describe(
  'NoDomain',
  NoDomain,
  `An entry of a bulk check that is not a domain or has more than ${maxQueryLength} characters.`,
  [examples.noDomain],
  { domain: 'The entry as it was sent.', error: 'What is wrong with it, as a sentence.' },
);

describe('BulkQuestion', BulkQuestion, 'The domains to check.', [examples.bulkQuestion], {
  domains: `Domains or addresses of pages. Each entry costs one request, even if it is repeated, is not a domain or has more than ${maxQueryLength} characters.`,
});

describe('BulkAnswer', BulkAnswer, 'The results of a bulk check.', [examples.bulkAnswer], {
  results: 'One result for each entry, in the order of the request. A refused entry has an `error` in its place.',
  listed: { description: 'How many entries are listed.', ...count },
  total: { description: 'How many entries were sent.', ...count },
});

describe('KeyUsage', KeyUsage, 'What a key has used today.', [examples.keyUsage], {
  name: 'The name its owner gave the key.',
  dailyLimit: { description: 'Requests per day.', ...count },
  dailyUsage: { description: 'Requests used today. A day starts at 00:00 UTC.', ...count },
  remaining: { description: 'Requests left today.', ...count },
  resetAt: { description: 'When the next day starts and the count is reset.', ...time },
  usageCount: { description: 'Requests since the key was created.', ...count },
  lastUsed: { description: 'When the key was last used for a check. Null if never.', ...time },
});

describe(
  'Error',
  ErrorBody,
  'The body of every response with a status of 400 or above. Such requests are not counted.',
  [examples.errorBody('invalid', examples.noDomain.error, { domain: examples.noDomain.error })],
  {
    error: 'A sentence for people that says what to do next.',
    code: 'A word for programs. More may be added: handle unknown ones by the status.',
    requestId: {
      description: "Identifies this request in the server's log. Include it when you report a problem.",
      format: 'uuid',
    },
    fields:
      'For `invalid`: each refused field or parameter with a sentence about it. An entry of a list is `domains.1`, counted from 0; the body itself is `body`.',
  },
);

function namedSchemas(): Record<string, JsonSchema> {
  // As input, because output would forbid further fields: responses may get more of them.
  const { schemas } = z.toJSONSchema(notes, { io: 'input', metadata: notes, uri: schemaRef });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutDialect(schema)]));
}

/** A reference to the schema if it is named, else its JSON Schema. */
export function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const id = notes.get(schema)?.id;
  return id === undefined ? withoutDialect(z.toJSONSchema(schema, { io: 'input' })) : { $ref: schemaRef(id) };
}

function schemaRef(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Without the keywords that name its dialect and its place: the document does that. */
function withoutDialect(schema: object): JsonSchema {
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  return rest as JsonSchema;
}

export const headers = {
  'X-RateLimit-Limit': { description: 'Requests per day.', schema: count, example: apiKeyLimits.requestsPerDay },
  'X-RateLimit-Remaining': { description: 'Requests left today, after this one.', schema: count, example: 958 },
  'X-RateLimit-Reset': {
    description: 'When the next day starts and the count is reset: 00:00 UTC, in seconds since 1970.',
    schema: count,
    example: 1_795_305_600,
  },
  'Retry-After': {
    description: 'Seconds to wait before you send the same request again.',
    schema: { type: 'integer', minimum: 1 },
    example: 52_200,
  },
  ETag: {
    description:
      'Identifies the result without `checkedAt`. Send it in `If-None-Match` to get a body only if something changed.',
    schema: { type: 'string' },
    example: 'W/"iVHmCXzB2yK0wQ6d9eTf4A"',
  },
};

type HeaderName = keyof typeof headers;

/** The headers of every response to a valid key. */
export const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export function headerRefs(names: readonly HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function json(schema: z.ZodMiniType, values: Record<string, Example>): JsonContent {
  return { 'application/json': { schema: schemaOf(schema), examples: values } };
}

const reset = 'The count resets at 00:00 UTC on 2026-11-22.';

/** The causes of status 429. The guide says under Limits what to do about each. */
export const limitErrors = {
  day: {
    summary: 'No requests left today',
    error: `This key has none of its ${apiKeyLimits.requestsPerDay} requests left today. ${reset}`,
  },
  left: {
    summary: 'A bulk check with more entries than requests left today',
    error: `This asks for 3 requests, and this key has 2 left today: please ask for fewer at once. ${reset}`,
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

const tooMany = `Please send at most ${bulkLimit} domains at once`;
const { day, left, minute, failures } = limitErrors;

/** Every error response of the public API, by its name in the document. */
export const problems = {
  BadDomain: problem(400, 'invalid', 'The parameter is not a domain. Correct it.', {
    address: { summary: 'An IP address', error: examples.noDomain.error, fields: { domain: examples.noDomain.error } },
    missing: { summary: 'No domain', error: 'Please fill in domain.', fields: { domain: 'Please fill in domain.' } },
  }),
  BadList: problem(400, 'invalid', `The body is not JSON or has no list of 1 to ${bulkLimit} strings. Correct it.`, {
    broken: { summary: 'A body that is not JSON', error: 'The request could not be read.' },
    tooMany: { summary: `More than ${bulkLimit} domains`, error: tooMany, fields: { domains: tooMany } },
  }),
  Unauthorized: problem(
    401,
    'unauthorized',
    'The `X-API-Key` header is missing, or its key is unknown or deleted. Check the key in your account.',
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
    [],
  ),
  TooLarge: problem(
    413,
    'too_large',
    'The body is larger than 2 MiB (2,097,152 bytes). Send fewer domains, or hosts instead of whole addresses.',
    { body: { summary: 'A body of 3 MB', error: 'The request is too large.' } },
  ),
  NotJson: problem(415, 'unsupported_file', '`Content-Type` must be `application/json`.', {
    form: { summary: 'A form', error: 'This content type is not accepted here.' },
  }),
  TooManyRequests: overLimit({ day, minute, failures }),
  TooManyEntries: overLimit({ day, left, minute, failures }),
  TooManyCalls: overLimit({ minute, failures }),
  Internal: problem(
    500,
    'internal',
    'Something went wrong on our side. Try again once. If it happens again, send us the `requestId`.',
    { unexpected: { summary: 'Something unexpected', error: 'Something went wrong on our side. Please try again.' } },
    [],
  ),
  Unavailable: problem(
    503,
    'unavailable',
    'The server or its database is unavailable or busy. Try again in a minute, then less and less often.',
    {
      database: {
        summary: 'The database is unavailable',
        error: 'The database is not available right now. Please try again.',
      },
    },
    [],
  ),
};

type Errors = Record<string, { summary: string; error: string; fields?: Record<string, string> }>;

function overLimit(errors: Errors) {
  const description = 'A limit is exceeded. `error` says which one. What to do is described under Limits.';
  return problem(429, 'too_many_requests', description, errors, [...limitHeaders, 'Retry-After']);
}

function problem(
  status: number,
  code: ErrorCode,
  description: string,
  errors: Errors,
  headerNames: readonly HeaderName[] = limitHeaders,
) {
  const bodies = Object.entries(errors).map(([name, { summary, error, fields }]) => [
    name,
    { summary, value: examples.errorBody(code, error, fields) },
  ]);
  const content = json(ErrorBody, Object.fromEntries(bodies));
  return { status, response: { description, headers: headerRefs(headerNames), content } };
}
