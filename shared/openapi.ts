import { apiKeyLimits } from './api-keys.ts';
import type { Endpoint } from './endpoint.ts';
import { bulkLimit, checkManyWithKey, checkWithKey, readKeyUsage } from './key-checks.ts';
import {
  type ApiResponse,
  components,
  headerRefs,
  headers,
  type JsonContent,
  type JsonSchema,
  json,
  limitErrors,
  limitHeaders,
  problems,
  type Ref,
  riskLevelMeaning,
  schemaOf,
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
 * The public API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.1.html), made from the endpoints of the contract.
 * Every word about the API is in it: the page `/api/docs` is drawn from it.
 * @param origin scheme, host and port that people type, without a slash at the end
 */
export function openApiDocument(origin: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Linksieve API',
      version: '1.0.0',
      summary: 'Query the paid-link blacklist from your own programs.',
      description: guide.join('\n\n'),
      termsOfService: `${origin}/terms-of-service`,
      contact: { name: 'The maintainers of Linksieve', url: `${origin}/contact` },
      license: { name: 'Terms of Service of Linksieve', url: `${origin}/terms-of-service` },
    },
    servers: [{ url: origin, description: 'This server' }],
    externalDocs: {
      url: `${origin}/api/docs`,
      description: 'This documentation as a page, with a form to try the API',
    },
    tags: [
      { name: 'Checks', description: 'Check whether domains are on the blacklist.' },
      { name: 'Usage', description: 'Read what a key has used.' },
    ],
    security: [{ apiKey: [] }],
    paths: pathsOf(origin),
    components: {
      ...components(),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: `A key of your account. ${keySafety}` },
      },
    },
  };
}

/** Every call of the public API. The calls of the site's own pages are not documented: they change with the pages. */
function pathsOf(origin: string): Record<string, Partial<Record<'get' | 'post', Operation>>> {
  return {
    [checkWithKey.path]: {
      get: operation(origin, checkWithKey, {
        operationId: 'checkDomain',
        tags: ['Checks'],
        description: 'Returns whether a domain or one of its parent domains is on the blacklist. Costs one request.',
        parameters: [
          {
            name: 'domain',
            in: 'query',
            required: true,
            description: 'A domain or the address of a page, which is reduced to its host.',
            schema: schemaOf(checkWithKey.query.shape.domain),
            example: examples.exampleNames.subdomain,
          },
          {
            name: 'If-None-Match',
            in: 'header',
            required: false,
            description:
              'The `ETag` of the response you have. If nothing changed since, the response is 304 without a body.',
            schema: { type: 'string' },
            example: headers.ETag.example,
          },
        ],
        responses: {
          200: {
            description: 'The result of the check.',
            headers: headerRefs([...limitHeaders, 'ETag']),
            content: json(checkWithKey.responses[200], {
              listed: { summary: 'A subdomain of a listed domain', value: examples.listedCheck },
              notListed: { summary: 'Not listed', value: examples.unknownCheck },
            }),
          },
          304: {
            description: 'Nothing changed since the response you have. Costs one request, like every check.',
            headers: headerRefs([...limitHeaders, 'ETag']),
          },
          ...problemRefs('BadDomain', 'Unauthorized', 'TooManyRequests', 'Internal', 'Unavailable'),
        },
      }),
    },
    [checkManyWithKey.path]: {
      post: operation(origin, checkManyWithKey, {
        operationId: 'checkDomains',
        tags: ['Checks'],
        description: `Checks up to ${bulkLimit} domains at once. If the key has fewer requests left than the list has entries, the response is 429 and nothing is counted. An entry that is not a domain does not affect the others.`,
        requestBody: {
          required: true,
          description: 'The domains to check.',
          content: json(checkManyWithKey.body, {
            question: { summary: 'Three entries, the last of them not a domain', value: examples.bulkQuestion },
          }),
        },
        responses: {
          200: {
            description: 'One result for each entry, in the order of the request.',
            headers: headerRefs(limitHeaders),
            content: json(checkManyWithKey.responses[200], {
              three: { summary: 'Listed, not listed, and not a domain', value: examples.bulkAnswer },
            }),
          },
          ...problemRefs('BadList', 'Unauthorized', 'TooLarge', 'NotJson', 'TooManyEntries', 'Internal', 'Unavailable'),
        },
      }),
    },
    [readKeyUsage.path]: {
      get: operation(origin, readKeyUsage, {
        operationId: 'readUsage',
        tags: ['Usage'],
        description:
          'Returns what the key has used today and what is left. Costs nothing, and works when no requests are left, too.',
        responses: {
          200: {
            description: 'What the key has used.',
            headers: headerRefs(limitHeaders),
            content: json(readKeyUsage.responses[200], {
              day: { summary: 'A day with 42 requests so far', value: examples.keyUsage },
            }),
          },
          ...problemRefs('Unauthorized', 'TooManyCalls', 'Internal', 'Unavailable'),
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
    query: query && Object.fromEntries(query.map(({ name, example }) => [name, example])),
    body: body?.value,
  };
  return {
    ...described,
    summary,
    'x-codeSamples': examples.sampleLanguages.map(({ lang, label, write }) => ({ lang, label, source: write(call) })),
  };
}

function problemRefs(...names: (keyof typeof problems)[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [problems[name].status, { $ref: `#/components/responses/${name}` }]));
}

const keySafety =
  'Anyone with your key can act as you. Keep it in a secret store or an environment variable, never in a public page or repository. If it may have leaked, delete it in your account: it stops working at once.';

/**
 * What a program has to know beyond the single calls, in CommonMark. The page shows each chapter as a part of its own, with the blocks
 * that `web/api-docs/markdown.tsx` knows.
 */
const guide = [
  `Check whether domains are known or suspected to sell backlinks: one domain as someone enters it, or up to ${bulkLimit} domains of a crawl, an order list or a spreadsheet at once.`,

  '## Authentication',
  'Send your key in the `X-API-Key` header of each request. Cookies and sessions have no effect. If the key is missing, unknown or deleted, the response is 401.',
  `\`\`\`http the header with the key\nX-API-Key: ${examples.keyPlaceholder}\n\`\`\``,
  `You can have up to ${apiKeyLimits.maxKeys} keys. Use one for each program, so that you can delete one without stopping the others.`,
  keySafety,

  '## Limits',
  `A key has ${apiKeyLimits.requestsPerDay} requests a day. A day starts at 00:00 UTC. Checking one domain costs one request. A bulk check costs one request for each of its up to ${bulkLimit} entries. Reading the usage costs nothing. \`HEAD\` works where \`GET\` does and costs the same. Refused and failed requests (status 400 or above) are not counted.`,
  'The `X-RateLimit` headers come with responses of `/api/v1` to a valid key, including errors, and with no others. `Retry-After` comes with status 429.',
  '### Status 429',
  [
    '| Cause of 429 | X-RateLimit-Remaining | Retry-After | What to do |',
    '| --- | --- | --- | --- |',
    `| ${limitErrors.day.summary} | 0 | until 00:00 UTC | Wait. You can still read the usage. |`,
    `| ${limitErrors.left.summary} | above 0 | until 00:00 UTC | Send at most as many entries as requests are left, or send all of them after the wait. |`,
    `| ${limitErrors.minute.summary} | unchanged | at most 60 | Wait, then call less often. |`,
    `| ${limitErrors.failures.summary} | not sent | at most 60 | Wait, then send a valid key. |`,
  ].join('\n'),
  'To plan ahead, watch `X-RateLimit-Remaining` and store results instead of checking again: the blacklist changes about once a month.',

  '## What counts as a domain',
  'Send a domain or the address of a page, in upper or lower case. `https://user@www.Shop.example:8443/offer` and `shop.example.` are both checked as `shop.example`: scheme, user, port, path, `www.`, a trailing dot and surrounding spaces are removed.',
  'These are refused: a single label (`localhost`), an IP address (`192.0.2.1`), an email address (`name@shop.example`), a wildcard (`*.shop.example`) and a name with a space in it (`shop .example`). In a bulk check they cost as much as domains, so remove such lines first.',

  '## What a response means',
  '`listed: true` means that one or more sources list the domain or one of its parent domains as a seller of links. A listing is not proof that a particular link was paid for. Check the page before you act.',
  '`matchedDomain` is the name on the blacklist. A listed domain covers all its subdomains: if `example.com` is listed, a check of `blog.example.com` returns `listed: true` and `matchedDomain: "example.com"`. A listed subdomain covers nothing beside or above it.',
  riskLevelMeaning,
  '`listed: false` means that none of our sources lists the domain. It is not proof of quality. Public suffixes (`co.uk`) and the roots of shared hosts (`wordpress.com`) belong to many people and are never listed as a whole: check the full name of the site.',

  '## Errors',
  'Every response with a status of 400 or above has the same body. Show `error` to people, let your program decide by the status and `code`, and log `requestId`.',

  '## In a browser',
  'Pages of any site can call the API and read the headers of its responses (CORS). A tool for your own team needs no server in between.',
  '> **Never put a key into a public page.** Anyone who opens the page can read the key and use up your requests. Call the API from your own server, or let each person enter their own key.',

  '## Caching',
  'The response to a check of one domain has an `ETag` that covers everything except `checkedAt`. Store both, and send the tag when you check again: if nothing changed, you get 304 without a body.',
  `\`\`\`http the header with the tag\nIf-None-Match: ${headers.ETag.example}\n\`\`\``,
  'Responses with status 200 and 304 have `Cache-Control: private, no-cache` and `Vary: X-API-Key`: your own cache can store them and has to ask before it uses them. Shared caches do not store them. Bulk checks, the usage and errors are `no-store`.',

  '## Versions',
  'Everything under `/api/v1` stays as described here. Fields may be added, so ignore those you do not know. No field is removed or changes its meaning. Other changes come as `/api/v2`, beside this version.',
  'Other addresses under `/api` are for the pages of this site and change with them. Do not build on them.',
];
