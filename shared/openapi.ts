import { apiKeyLimits } from './api-keys.ts';
import type { Endpoint } from './endpoint.ts';
import { bulkLimit, checkManyWithKey, checkWithKey, readKeyUsage } from './key-checks.ts';
import {
  type Answer,
  answer,
  type Content,
  causes,
  components,
  headers,
  type JsonSchema,
  limitHeaders,
  problems,
  type Ref,
  schemaOf,
} from './openapi-components.ts';
import {
  bulkAnswer,
  bulkQuestion,
  exampleNames,
  keyPlaceholder,
  keyUsage,
  listedCheck,
  sampleLanguages,
  unknownCheck,
} from './openapi-examples.ts';

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required: boolean; description: string; content: { 'application/json': Content } };
  responses: Record<string, Answer | Ref>;
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
 * @param origin scheme, host and port that people type, without a slash at the end
 */
export function openApiDocument(origin: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Linksieve API',
      version: '1.0.0',
      summary: 'Ask the paid-link blacklist from your own programs.',
      description: guide.join('\n\n'),
      termsOfService: `${origin}/terms-of-service`,
      contact: { name: 'The maintainers of Linksieve', url: `${origin}/contact` },
      license: { name: 'Terms of Service of Linksieve', url: `${origin}/terms-of-service` },
    },
    servers: [{ url: origin, description: 'This server' }],
    externalDocs: { url: `${origin}/api/docs`, description: 'The same to read, with a box to try it' },
    tags: [
      { name: 'Checks', description: 'Whether domains are on the blacklist.' },
      { name: 'Usage', description: 'What a key has used.' },
    ],
    security: [{ apiKey: [] }],
    paths: pathsOf(origin),
    components: components(),
  };
}

/** Every call of the public API. The calls of the site's own pages are not for others: they change with the pages. */
function pathsOf(origin: string): Record<string, Partial<Record<'get' | 'post', Operation>>> {
  return {
    [checkWithKey.path]: {
      get: operation(origin, checkWithKey, {
        operationId: 'checkDomain',
        tags: ['Checks'],
        description:
          'Says whether a domain, or a domain above it, is on the blacklist. Costs one request. Public suffixes (`co.uk`) and the roots of shared hosts (`wordpress.com`) are never listed as a whole: ask for the whole name of the site.',
        parameters: [
          {
            name: 'domain',
            in: 'query',
            required: true,
            description: 'A domain, or the address of a page: it is reduced to its host.',
            schema: schemaOf(checkWithKey.query.shape.domain),
            example: exampleNames.subdomain,
          },
          {
            name: 'If-None-Match',
            in: 'header',
            required: false,
            description: 'The `ETag` of the answer that you have: where it is still right, 304 comes without a body.',
            schema: { type: 'string' },
            example: headers.ETag.example,
          },
        ],
        responses: {
          200: answer('What the blacklist says.', [...limitHeaders, 'ETag'], checkWithKey.responses[200], {
            listed: { summary: 'A subdomain of a listed domain', value: listedCheck },
            notListed: { summary: 'Not listed', value: unknownCheck },
          }),
          304: answer('What you have is still right. Costs one request, as every check.', [...limitHeaders, 'ETag']),
          ...errors('BadDomain', 'Unauthorized', 'TooManyRequests', 'Internal', 'Unavailable'),
        },
      }),
    },
    [checkManyWithKey.path]: {
      post: operation(origin, checkManyWithKey, {
        operationId: 'checkDomains',
        tags: ['Checks'],
        description: `Checks up to ${bulkLimit} domains at once. Each entry costs one request; where the key has fewer left, the answer is 429 and nothing is counted. An entry that is no domain does not spoil the others: it has an \`error\` in its place.`,
        requestBody: {
          required: true,
          description: 'The domains to be checked.',
          content: {
            'application/json': {
              schema: schemaOf(checkManyWithKey.body),
              examples: { question: { summary: 'Three entries, the last of them no domain', value: bulkQuestion } },
            },
          },
        },
        responses: {
          200: answer('The answers, in the order of the question.', limitHeaders, checkManyWithKey.responses[200], {
            three: { summary: 'Listed, not listed, and no domain', value: bulkAnswer },
          }),
          ...errors('BadList', 'Unauthorized', 'TooLarge', 'NotJson', 'TooManyEntries', 'Internal', 'Unavailable'),
        },
      }),
    },
    [readKeyUsage.path]: {
      get: operation(origin, readKeyUsage, {
        operationId: 'readUsage',
        tags: ['Usage'],
        description:
          'Says what the key has used of its day and what is left. Costs nothing, and answers when the day is used up too.',
        responses: {
          200: answer('What the key has used.', limitHeaders, readKeyUsage.responses[200], {
            day: { summary: 'A day with 42 requests so far', value: keyUsage },
          }),
          ...errors('Unauthorized', 'TooManyCalls', 'Internal', 'Unavailable'),
        },
      }),
    },
  };
}

/** An operation with the summary of its endpoint, and with programs that make the call. */
function operation(
  origin: string,
  { method, path, summary }: Endpoint & { method: 'GET' | 'POST' },
  told: Omit<Operation, 'summary' | 'x-codeSamples'>,
): Operation {
  const query = told.parameters?.filter((parameter) => parameter.in === 'query');
  const [body] = Object.values(told.requestBody?.content['application/json'].examples ?? {});
  const call = {
    method,
    url: `${origin}${path}`,
    query: query && Object.fromEntries(query.map(({ name, example }) => [name, example])),
    body: body?.value,
  };
  return {
    ...told,
    summary,
    'x-codeSamples': sampleLanguages.map(({ lang, label, write }) => ({ lang, label, source: write(call) })),
  };
}

function errors(...names: (keyof typeof problems)[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [problems[name].status, { $ref: `#/components/responses/${name}` }]));
}

/** What a program has to know beyond the single calls, in CommonMark. The page shows each chapter as a part of its own. */
const guide = [
  `Checks whether domains are known or suspected to sell backlinks. One call checks a domain while somebody enters it, another checks up to ${bulkLimit} of a crawl, an order list or a spreadsheet.`,

  '## Authentication',
  'Send your key with each request, in the header `X-API-Key`. Cookies and sessions do not count here. A key that is missing, unknown or deleted is answered with 401.',
  `\`\`\`http the header with the key\nX-API-Key: ${keyPlaceholder}\n\`\`\``,
  'Whoever has your key asks in your name. Keep it in a secret store or an environment variable, never in a public repository, and delete it in your account when it may have been seen: it stops working at once.',

  '## Limits',
  `A key has ${apiKeyLimits.requestsADay} requests a day, and days begin at 00:00 UTC. Checking one domain costs one request; a bulk check costs one for each entry and takes at most ${bulkLimit}; asking for the usage costs nothing. \`HEAD\` works where \`GET\` does and costs the same. What is refused or fails (every answer from 400 on) is not counted.`,
  'The `X-RateLimit` headers come with answers of `/api/v1` to a valid key, errors too, and with no others; `Retry-After` comes with 429.',
  '### On 429',
  [
    '| Cause of 429 | X-RateLimit-Remaining | Retry-After | What to do |',
    '| --- | --- | --- | --- |',
    `| ${causes.day.summary} | 0 | until 00:00 UTC | Wait. The usage still answers. |`,
    `| ${causes.left.summary} | above 0 | until 00:00 UTC | Only this bulk was too large: send at most as many entries as are left now, or all of them after the wait. |`,
    `| ${causes.crowd.summary} | any | 2 | Wait, then send fewer at once. |`,
    `| ${causes.minute.summary} | as it was | at most 60 | Wait, then call less often. |`,
    `| ${causes.failures.summary} | not sent | at most 60 | Wait, and send a valid key. |`,
  ].join('\n'),
  'To plan ahead, look at `X-RateLimit-Remaining`, and keep answers instead of asking again: the blacklist changes about once a month.',

  '## What counts as a domain',
  'A domain or the address of a page, in any letters: `https://user@www.Shop.example:8443/offer` and `shop.example.` are both looked up as `shop.example`. Scheme, user, port, path, `www.`, a dot at the end and blanks around it are left out.',
  'Refused are a single label (`localhost`), an IP address (`192.0.2.1`), an email address (`name@shop.example`), a wildcard (`*.shop.example`) and a blank inside (`shop .example`). In a bulk they cost as much as domains: leave such lines out yourself.',

  '## What an answer means',
  '`listed: true` says that one or more sources name the domain, or one above it, as a seller of links. It does not prove that a certain link was paid for: look at the page before you act on it.',
  '`matchedDomain` is the name on the list. A listed domain covers all its subdomains: where `example.com` is listed, `blog.example.com` is answered with `listed: true` and `matchedDomain: "example.com"`. A listed subdomain covers nothing beside or above it.',
  '`riskLevel` comes from the number of sources: one is low, two or three medium, four high, five or more very high.',
  '`listed: false` says that none of our sources names the domain. It is no proof of quality. Public suffixes (`co.uk`) and the roots of shared hosts (`wordpress.com`) belong to many people: they are never listed as a whole, only names below them are.',

  '## Errors',
  'Every answer from 400 on has the same body. Show `error` to people, let your program decide by the status and `code`, and write `requestId` into your log.',

  '## In a browser',
  'The API answers pages of any site (CORS), and they may read its headers: a tool for your own team can call it without a server in between.',
  '> **Never put a key into a public page.** Everybody who opens the page can read the key and use up your day. Let your own server ask, or let each person enter their own key.',

  '## Caching',
  'The answer to a check of one domain has an `ETag` over everything but `checkedAt`. Keep both, and send the tag along when you ask again: as long as nothing has changed, you get 304 without a body.',
  `\`\`\`http the header with the tag\nIf-None-Match: ${headers.ETag.example}\n\`\`\``,
  "It says `Cache-Control: private, no-cache` and `Vary: X-API-Key`, with 200 and 304: a cache of your own may keep it and asks before it uses it; nobody else's keeps it. Bulk checks, the usage and errors are `no-store`.",

  '## Versions',
  'Everything under `/api/v1` stays as it is described here. Answers may get more fields, so ignore those that you do not know; no field is taken away or changes its meaning. What can not be done in this way comes as a `/api/v2` beside it.',
  'Other addresses under `/api` are for the pages of this site and change with them: please do not build on those.',
];
