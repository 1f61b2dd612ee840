import { apiKeyLimits } from './api-keys.ts';
import { maxQueryLength } from './checks.ts';
import type { Endpoint } from './endpoint.ts';
import {
  checkDomainsWithKey,
  checkDomainWithKey,
  getKeyUsage,
  maxBulkDomains,
  maxKeyCallsPerMinute,
} from './key-checks.ts';
import {
  type ApiResponse,
  components,
  errorResponses,
  formatNumber,
  headerRefs,
  headers,
  type JsonContent,
  type JsonSchema,
  jsonContent,
  type Ref,
  rateLimitErrors,
  rateLimitHeaders,
  toJsonSchema,
} from './openapi-components.ts';
import * as examples from './openapi-examples.ts';

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; description: string; content: JsonContent };
  responses: Record<string, ApiResponse | Ref>;
  /**
   * Programs that make the call, as documentation tools show them
   * (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples).
   */
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

export interface Parameter {
  name: string;
  in: 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: string;
}

/**
 * Returns the public API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html), made from the
 * endpoints of the contract. It contains every text about the API: the page `/api/docs` is generated from it.
 * @param origin scheme, host and port of this server, without a trailing slash
 */
export function openApiDocument(origin: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Linksieve API',
      version: '1.0.0',
      summary: 'Check domains against the paid-link blacklist from your own code.',
      description: guide.join('\n\n'),
      termsOfService: `${origin}/terms-of-service`,
      contact: { name: 'Linksieve', url: `${origin}/contact` },
      license: { name: 'Linksieve Terms of Service', url: `${origin}/terms-of-service` },
    },
    servers: [{ url: origin, description: 'This server' }],
    externalDocs: {
      url: `${origin}/api/docs`,
      description: 'The same documentation as a page, with a form to try the API',
    },
    tags: [
      { name: 'Checks', description: 'Check whether domains are on the blacklist.' },
      { name: 'Usage', description: 'Get the usage of an API key.' },
    ],
    security: [{ apiKey: [] }],
    paths: buildPaths(origin),
    components: {
      ...components(),
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: `An API key of your account. ${keySafety}`,
        },
      },
    },
  };
}

/**
 * Every call of the public API. Calls that only serve the pages of this site are left out: they change with the pages.
 */
function buildPaths(origin: string): Record<string, Partial<Record<'get' | 'post', Operation>>> {
  return {
    [checkDomainWithKey.path]: {
      get: operation(origin, checkDomainWithKey, {
        operationId: 'checkDomain',
        tags: ['Checks'],
        description:
          'Checks whether a domain or one of its parent domains is on the blacklist. Counts as one request, listed or not.',
        parameters: [
          {
            name: 'domain',
            in: 'query',
            required: true,
            description: 'A domain or the URL of a page. A URL is reduced to its host.',
            schema: toJsonSchema(checkDomainWithKey.query.shape.domain),
            example: examples.exampleDomains.subdomain,
          },
          {
            name: 'If-None-Match',
            in: 'header',
            required: false,
            description: 'The `ETag` of an earlier response. If the result is unchanged, you get 304 without a body.',
            schema: { type: 'string' },
            example: headers.ETag.example,
          },
        ],
        responses: {
          200: {
            description: 'The result of the check.',
            headers: headerRefs([...rateLimitHeaders, 'ETag']),
            content: jsonContent(checkDomainWithKey.responses[200], {
              listed: { summary: 'A subdomain of a listed domain', value: examples.listedCheck },
              notListed: { summary: 'A domain that is not listed', value: examples.notListedCheck },
            }),
          },
          304: {
            description: 'The result has not changed. Counts as one request, like every check.',
            headers: headerRefs([...rateLimitHeaders, 'ETag']),
          },
          ...errorRefs('InvalidDomain', 'Unauthorized', 'TooManyRequests', 'InternalError', 'Unavailable'),
        },
      }),
    },
    [checkDomainsWithKey.path]: {
      post: operation(origin, checkDomainsWithKey, {
        operationId: 'checkDomains',
        tags: ['Checks'],
        description: `Checks up to ${maxBulkDomains} domains in one call. Each entry counts as one request. If the key has fewer requests left than the list has entries, nothing is checked or counted, and you get 429. An entry that is not a domain gets an \`error\` in the results and does not affect the others.`,
        requestBody: {
          required: true,
          description: 'The domains to check.',
          content: jsonContent(checkDomainsWithKey.body, {
            domains: { summary: 'Two domains and an entry that is not a domain', value: examples.bulkRequest },
          }),
        },
        responses: {
          200: {
            description: 'One result per entry, in the order of the request.',
            headers: headerRefs(rateLimitHeaders),
            content: jsonContent(checkDomainsWithKey.responses[200], {
              results: { summary: 'Listed, not listed, and not a domain', value: examples.bulkResponse },
            }),
          },
          ...errorRefs(
            'InvalidList',
            'Unauthorized',
            'TooLarge',
            'UnsupportedMediaType',
            'TooManyBulkRequests',
            'InternalError',
            'Unavailable',
          ),
        },
      }),
    },
    [getKeyUsage.path]: {
      get: operation(origin, getKeyUsage, {
        operationId: 'getUsage',
        tags: ['Usage'],
        description:
          'Returns how many requests the key has used and how many are left today. Does not count as a request, and works even if none are left.',
        responses: {
          200: {
            description: 'The usage of the key.',
            headers: headerRefs(rateLimitHeaders),
            content: jsonContent(getKeyUsage.responses[200], {
              usage: { summary: 'A key with 42 requests used today', value: examples.keyUsage },
            }),
          },
          ...errorRefs('Unauthorized', 'TooManyCalls', 'InternalError', 'Unavailable'),
        },
      }),
    },
  };
}

/** Adds the summary of the endpoint, and programs that make the call with the examples of its query and body. */
function operation(
  origin: string,
  { path, summary }: Endpoint,
  described: Omit<Operation, 'summary' | 'x-codeSamples'>,
): Operation {
  const query = described.parameters?.filter((parameter) => parameter.in === 'query');
  const [body] = Object.values(described.requestBody?.content['application/json'].examples ?? {});
  const call = {
    url: `${origin}${path}`,
    ...(query && { query: Object.fromEntries(query.map(({ name, example }) => [name, example])) }),
    body: body?.value,
  };
  return {
    ...described,
    summary,
    'x-codeSamples': examples.sampleLanguages.map(({ lang, label, write }) => ({ lang, label, source: write(call) })),
  };
}

function errorRefs(...names: (keyof typeof errorResponses)[]): Record<string, Ref> {
  return Object.fromEntries(
    names.map((name) => [errorResponses[name].status, { $ref: `#/components/responses/${name}` }]),
  );
}

const keySafety =
  'Anyone with your key can act as you. Store it in a secret manager or an environment variable, never in public code or on a public page. If it leaks, delete it in your account: it stops working immediately.';

/** A table in Markdown. */
function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A block of code in Markdown. The page uses the words after the language as its title. */
function codeBlock(language: string, label: string, code: string): string {
  return `\`\`\`${language} ${label}\n${code}\n\`\`\``;
}

/** Rows of the table of errors: each error once, by status. */
function errorRows() {
  const notFound = {
    status: 404,
    code: 'not_found',
    meaning: 'The path or the method is wrong.',
    action: 'Compare both with this documentation.',
  };
  const unique = new Map([notFound, ...Object.values(errorResponses)].map((error) => [error.meaning, error]));
  return [...unique.values()]
    .sort((a, b) => a.status - b.status)
    .map(({ status, code, meaning, action }) => [status, `\`${code}\``, meaning, action]);
}

const { day, left, minute, failures } = rateLimitErrors;
const dailyLimit = formatNumber(apiKeyLimits.requestsPerDay);

/**
 * What applies to more than one call, in CommonMark, with the blocks that `web/api-docs/markdown.tsx` supports. The
 * page shows each chapter as a section: the text before the first heading and the first chapter before the calls, the
 * next two chapters (limits, errors) with the objects, and the others at the end.
 */
const guide = [
  `The Linksieve API tells you whether a domain is known or suspected to sell backlinks. Check a single domain, such as one that a user enters, or up to ${maxBulkDomains} domains in one call, such as the result of a crawl.`,
  'Send query parameters or a JSON body. Responses are JSON, and times are ISO 8601 in UTC. Limits are counted in requests: one request is one checked domain.',

  '## Authentication',
  'Send your API key in the `X-API-Key` header of every call. Without a valid key, you get 401. Cookies and sessions have no effect.',
  `You can have up to ${apiKeyLimits.maxKeys} keys. Create one for each program, so that you can delete one without affecting the others.`,
  `> **Keep your keys secret.** ${keySafety}`,
  codeBlock('http', 'authentication header', `X-API-Key: ${examples.apiKeyPlaceholder}`),
  codeBlock(
    'json',
    'response without a key (401)',
    JSON.stringify(errorResponses.Unauthorized.response.content['application/json'].examples.missing?.value, null, 2),
  ),

  '## Rate limits',
  `Each key has ${dailyLimit} requests per day, counted from 00:00 UTC. A request is one checked domain: a bulk check of ${maxBulkDomains} domains counts as ${maxBulkDomains} requests. Calls to \`${getKeyUsage.path}\` are free.`,
  'Calls that fail with status 400 or above do not count toward the daily limit. `HEAD` works wherever `GET` does and counts the same.',
  table(
    ['Limit', 'Value', 'Header', 'What happens'],
    [
      ['Requests per day', `${dailyLimit} per key`, '`X-RateLimit-Remaining`', '429 until 00:00 UTC'],
      [
        'Calls per minute',
        `${formatNumber(maxKeyCallsPerMinute.withKey)} per key`,
        '`Retry-After`',
        '429 for up to 60 seconds',
      ],
      [
        'Calls per minute without a valid key',
        `${maxKeyCallsPerMinute.withoutKey} per IP address, or per /64 network for IPv6`,
        '`Retry-After`',
        '429 for up to 60 seconds. Calls with a valid key still work.',
      ],
      ['Domains in a bulk check', formatNumber(maxBulkDomains), 'none', '400. Nothing is checked.'],
      [
        'Length of a domain or URL',
        `${formatNumber(maxQueryLength)} characters`,
        'none',
        '400. In a bulk check, only that entry gets an `error`.',
      ],
      ['Request body', '2 MiB (2,097,152 bytes)', 'none', '413. Nothing is checked.'],
      ['API keys per account', apiKeyLimits.maxKeys, 'none', 'Delete a key before you create another one.'],
    ],
  ),
  '### Headers',
  'Every response of the endpoints above to a valid key has the three `X-RateLimit` headers, including errors.',
  table(
    ['Header', 'Meaning'],
    [...rateLimitHeaders, 'Retry-After' as const].map((name) => [`\`${name}\``, headers[name].description]),
  ),
  '### Status 429',
  table(
    ['Cause', 'X-RateLimit-Remaining', 'Retry-After', 'What to do'],
    [
      [day.summary, '0', 'seconds until 00:00 UTC', 'Wait. You can still get the usage.'],
      [
        left.summary,
        'above 0',
        'seconds until 00:00 UTC',
        'Send at most as many entries as requests are left, or wait.',
      ],
      [minute.summary, 'unchanged', '60 or less', 'Wait, then make fewer calls.'],
      [failures.summary, 'not sent', '60 or less', 'Wait, then send a valid key.'],
    ],
  ),

  '## Errors',
  'The status tells you whether a call worked: 200 and 304 mean success, 400 and above an error. Every error has the same JSON body. Show `error` to users, branch on the status and `code`, and log `requestId`.',
  table(['Status', 'Code', 'Meaning', 'What to do'], errorRows()),

  '## Understanding results',
  '`listed: true` means that at least one source lists the domain or one of its parent domains as a site that sells links or places harmful ones. A listing is not proof that a particular link was paid for. Check the page before you act.',
  'A listed domain covers all its subdomains: if `example.com` is listed, a check of `blog.example.com` returns `listed: true` and `matchedDomain: "example.com"`. A listed subdomain does not cover its parent domain or other subdomains.',
  '`listed: false` means that no source lists the domain or a parent domain. It is not proof of quality. Public suffixes (`co.uk`) and shared hosts (`wordpress.com`) are never listed as a whole: check the full hostname of the site.',
  'The risk level depends on how many sources list the domain. An admin can set another level.',
  table(
    ['Risk level', 'Sources'],
    [
      ['`low`', '1'],
      ['`medium`', '2 or 3'],
      ['`high`', '4'],
      ['`very high`', '5 or more'],
    ],
  ),

  '## Domain format',
  'Send a domain or the URL of a page. All spellings of a domain return the same `domain`, so you can use it to merge duplicates.',
  table(
    ['You send', 'Checked domain', 'Rule'],
    examples.acceptedDomains.map(({ sent, checked, rule }) => [`\`${sent}\``, `\`${checked}\``, rule]),
  ),
  '### Refused entries',
  'A check of one of these returns 400. In a bulk check, the entry gets an `error` and counts as a request.',
  table(
    ['You send', 'Why it is refused'],
    examples.refusedDomains.map(({ sent, reason }) => [`\`${sent}\``, reason]),
  ),

  '## Retries and best practices',
  'A check changes nothing but your usage, so you can repeat it safely. If the connection fails before you receive the response, the call may still have counted.',
  table(
    ['Status', 'Retry', 'When'],
    [
      ['429', 'Yes', 'After the seconds in `Retry-After`'],
      ['500', 'Once', 'After a few seconds'],
      [
        '503, timeout or lost connection',
        'Yes',
        'After the seconds in `Retry-After` if it is sent, otherwise after 1, 2, 4, 8 and more seconds, up to a minute',
      ],
      ['400, 401, 404, 413, 415', 'No', 'Correct the call first'],
    ],
  ),
  '### Best practices',
  [
    `- **Send batches.** One bulk check of ${maxBulkDomains} domains counts the same as ${maxBulkDomains} single checks and is much faster.`,
    '- **Remove duplicates and refused entries first.** Every entry of a bulk check counts.',
    '- **Store results.** The blacklist is updated about once a month, so there is no need to check a domain every day.',
    '- **Watch `X-RateLimit-Remaining`.** Stop before it reaches 0, or split a bulk check so that it fits.',
  ].join('\n'),

  '## Caching',
  'The response to a check of one domain has an `ETag` that covers everything except `checkedAt`. Store both. When you check the domain again, send the tag in `If-None-Match`: if the result is unchanged, you get 304 without a body.',
  'These responses have `Cache-Control: private, no-cache` and `Vary: X-API-Key`. Your own cache can store them, but must revalidate them before each use. Shared caches must not store them. All other responses are `no-store`.',
  codeBlock('http', 'header with the tag', `If-None-Match: ${headers.ETag.example}`),

  '## Calls from a browser',
  'Any website can call the API and read the `X-RateLimit`, `Retry-After` and `ETag` headers (CORS). An internal tool can call it directly from its pages.',
  '> **Never put a key in a public page.** Anyone who opens the page can read the key and use up your requests. Call the API from your server, or let each user enter their own key.',

  '## Versioning',
  'Within `/api/v1`, fields and error codes may be added, so ignore those you do not know. No field is removed and none changes its meaning. Breaking changes get a new path, `/api/v2`, next to this one.',
  'Other paths under `/api` serve the pages of this site and can change at any time. Do not build on them.',
];
