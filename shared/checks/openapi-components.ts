import * as z from 'zod/mini';
import { apiKeyLimits } from '../accounts/api-keys.ts';
import { Confidence, RiskLevel } from '../blacklist/domains.ts';
import { Problem } from '../platform/errors.ts';
import { Check, maxQueryLength } from './checks.ts';
import { BulkCheckRequest, BulkCheckResponse, CheckError, KeyUsage } from './key-checks.ts';
import * as examples from './openapi-examples.ts';

/** The keywords of JSON Schema 2020-12 that the document uses and the page shows. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: string[];
  anyOf?: JsonSchema[];
  examples?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  required?: string[];
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  default?: number;
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
  content?: Content;
}

interface Body {
  schema: JsonSchema;
  examples: Record<string, Example>;
}

export interface JsonContent {
  'application/json': Body;
}

/** A body in one format. The values of the examples of CSV and plain text are texts. */
export type Content = Partial<
  Record<'application/json' | 'application/problem+json' | 'multipart/form-data' | 'text/csv' | 'text/plain', Body>
>;

export function listExampleValues(content: Content | undefined): unknown[] {
  return Object.values(content ?? {}).flatMap(({ examples }) => Object.values(examples).map(({ value }) => value));
}

/** What the document adds to a zod schema: words, and keywords of JSON Schema that zod's types leave open. */
interface SchemaMetadata extends Pick<JsonSchema, 'type' | 'format' | 'minimum' | 'examples'> {
  description: string;
  id?: string;
}

const metadata = z.registry<SchemaMetadata>();

/** Names a schema and describes each of its fields. A field without a description is a type error. */
export function documentSchema<S extends z.ZodMiniObject>(
  id: string,
  schema: S,
  {
    description,
    values,
    fields,
  }: { description: string; values: z.output<S>[]; fields: Record<keyof S['shape'] & string, string | SchemaMetadata> },
): void {
  metadata.add(schema, { id, description, examples: values });
  for (const [name, field] of Object.entries<string | SchemaMetadata>(fields)) {
    const child = schema.shape[name] as z.ZodMiniType;
    // The description of a named schema is its own.
    if (metadata.get(child)?.id) continue;
    metadata.add(child, typeof field === 'string' ? { description: field } : field);
  }
}

/** Names and describes a schema that is not an object. */
export function nameSchema(schema: z.ZodMiniType, words: SchemaMetadata & { id: string }): void {
  metadata.add(schema, words);
}

/** Numbers in sentences have a comma in thousands. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US');

export const count = { type: 'integer', minimum: 0 };
export const time = { format: 'date-time' };

metadata.add(RiskLevel, {
  id: 'RiskLevel',
  description:
    'Based on how many independent sources list the domain: 1 is `low`, 2 or 3 `medium`, 4 `high`, 5 or more `very high`. An admin can set another level.',
  examples: ['medium'],
});

metadata.add(Confidence, {
  id: 'Confidence',
  description:
    "How strong the evidence is. `confirmed`: a seller's offer or a verified submission with a price or an evidence URL. `probable`: at least two independent sources, or a seller's offer or a verified submission without either. `reported`: otherwise.",
  examples: ['probable'],
});

documentSchema('Check', Check, {
  description: 'The result for one domain.',
  values: [examples.listedCheck, examples.notListedCheck],
  fields: {
    domain:
      'The checked host in lower case, without `www.` and in ASCII (UTS 46, nontransitional). All spellings of a domain have the same value.',
    listed: 'Whether the domain or one of its parent domains is on the blacklist.',
    matchedDomain: 'The listed name: the domain itself or a parent domain. Null if not listed.',
    riskLevel: 'The risk level of `matchedDomain`. Null if not listed.',
    confidence: 'The confidence of `matchedDomain`. Null if not listed.',
    sourceCount: {
      description: 'How many sources list `matchedDomain`. Null if not listed.',
      type: ['integer', 'null'],
      minimum: 1,
    },
    independentSourceCount: {
      description:
        'The same number, but sources that copy from each other count once. The risk level depends on it. Null if not listed.',
      type: ['integer', 'null'],
      minimum: 1,
    },
    niche: 'The topic of the site. Null if unknown or not listed.',
    dateAdded: { description: 'When `matchedDomain` was added to the blacklist. Null if not listed.', ...time },
    lastUpdated: { description: 'When its entry last changed. Null if not listed.', ...time },
    checkedAt: { description: 'When this check was made.', ...time },
  },
});

documentSchema('CheckError', CheckError, {
  description: `The result for an entry of a bulk check that is not a domain or is longer than ${formatNumber(maxQueryLength)} characters. It has no \`listed\` field.`,
  values: [examples.checkError],
  fields: { domain: 'The entry as you sent it.', error: 'A sentence that says why the entry was refused.' },
});

documentSchema('BulkCheckRequest', BulkCheckRequest, {
  description: 'The body of a bulk check.',
  values: [examples.bulkRequest],
  fields: {
    domains: `Domains or URLs. Each entry counts as one request, including duplicates and refused entries.`,
  },
});

documentSchema('BulkCheckResponse', BulkCheckResponse, {
  description: 'The results of a bulk check.',
  values: [{ results: [examples.listedCheck, examples.checkError], listed: 1, total: 2 }],
  fields: {
    results: 'One result per entry, in the order of the request.',
    listed: { description: 'How many entries are listed.', ...count },
    total: { description: 'How many entries were sent.', ...count },
  },
});

documentSchema('KeyUsage', KeyUsage, {
  description: 'The usage of an API key.',
  values: [examples.keyUsage],
  fields: {
    name: 'The name of the key in your account.',
    dailyLimit: { description: 'Requests per day.', ...count },
    dailyUsage: { description: 'Requests used today, since 00:00 UTC.', ...count },
    remaining: { description: 'Requests left today.', ...count },
    resetAt: { description: 'When the daily limit resets: the next 00:00 UTC.', ...time },
    usageCount: { description: 'Requests since the key was created.', ...count },
    lastUsed: { description: 'When the key last made another call. Null if it never did.', ...time },
  },
});

documentSchema('Error', Problem, {
  description: 'The body of every response with a status of 400 or above: problem details (RFC 9457).',
  values: [examples.errorBody(400, 'invalid', examples.checkError.error, { domain: examples.checkError.error })],
  fields: {
    type: 'Identifies the kind of error: `urn:linksieve:error:` and the `code`.',
    title: 'The words of the status, such as `Not Found`.',
    status: { description: 'The status of the response.', ...count },
    detail: 'The same as `error`.',
    error: 'A sentence you can show to users. Its wording may change.',
    code: 'A word for your code to branch on, such as `invalid`. Codes may be added: handle unknown ones by the status.',
    requestId: {
      description: 'Identifies the call in the log of the server. Include it when you report a problem.',
      format: 'uuid',
    },
    fields:
      'Only with `invalid`: each refused parameter or field, with a sentence about it. Entries of a list are numbered from 0 (`domains.1`). `body` means the whole body.',
  },
});

export function namedSchemas(): Record<string, JsonSchema> {
  // The output schemas would forbid further fields, but new fields may be added to responses. The input schemas allow
  // them.
  const { schemas } = z.toJSONSchema(metadata, { io: 'input', metadata, uri: schemaRef });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withoutIdentifiers(schema)]));
}

/** Returns a reference if the schema is named, otherwise its JSON Schema. */
export function toJsonSchema(schema: z.ZodMiniType): JsonSchema {
  const id = metadata.get(schema)?.id;
  return id === undefined ? withoutIdentifiers(z.toJSONSchema(schema, { io: 'input' })) : { $ref: schemaRef(id) };
}

function schemaRef(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Removes the keywords that state the dialect and the location of a schema. The document states both. */
function withoutIdentifiers(schema: object): JsonSchema {
  const { $schema, $id, id, ...rest } = schema as Record<string, unknown>;
  return rest as JsonSchema;
}

export const headers = {
  'X-RateLimit-Limit': { description: 'Requests per day.', schema: count, example: apiKeyLimits.requestsPerDay },
  'X-RateLimit-Remaining': { description: 'Requests left today, after this call.', schema: count, example: 958 },
  'X-RateLimit-Reset': {
    description: 'When the daily limit resets (the next 00:00 UTC), in Unix seconds.',
    schema: count,
    example: 1_795_305_600,
  },
  'RateLimit-Policy': {
    description:
      'The limit that applies: its name, `q` requests per `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: `"day";q=${apiKeyLimits.requestsPerDay};w=86400`,
  },
  RateLimit: {
    description: 'Of that limit, `r` requests are left, and it resets in `t` seconds.',
    schema: { type: 'string' },
    example: '"day";r=958;t=52200',
  },
  'Retry-After': {
    description: 'Seconds to wait before you repeat the call. Sent with status 429, and with some 503.',
    schema: { type: 'integer', minimum: 1 },
    example: 52_200,
  },
  Location: {
    description: 'The path of what the call created.',
    schema: { type: 'string' },
    example: '/api/v1/websites/12',
  },
  'Idempotency-Replayed': {
    description:
      'Sent with the value `true` if this is the first answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string' },
    example: 'true',
  },
  ETag: {
    description:
      'Identifies the result, apart from `checkedAt`. Send it in `If-None-Match` to get a body only if the result changed.',
    schema: { type: 'string' },
    example: 'W/"iVHmCXzB2yK0wQ6d9eTf4A"',
  },
};

export type HeaderName = keyof typeof headers;

/** The headers of every response to a valid key. */
export const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const;

/** The headers of every response without a valid key. */
export const limitHeaders = ['RateLimit-Policy', 'RateLimit'] as const;

export function headerRefs(names: readonly HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function problemContent(values: Record<string, Example>): { 'application/problem+json': Body } {
  return { 'application/problem+json': { schema: toJsonSchema(Problem), examples: values } };
}

export function jsonContent(schema: z.ZodMiniType, values: Record<string, Example>): JsonContent {
  return { 'application/json': { schema: toJsonSchema(schema), examples: values } };
}
