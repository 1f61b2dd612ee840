import { checkDomainsAsCsv } from './csv-checks.ts';
import {
  BulkCheckRequest,
  checkDomainsWithKey,
  checkDomainWithKey,
  getKeyUsage,
  maxBulkDomains,
} from './key-checks.ts';
import {
  headerRefs,
  headers,
  jsonContent,
  namedSchemas,
  rateLimitHeaders,
  toJsonSchema,
} from './openapi-components.ts';
import { errorResponses } from './openapi-errors.ts';
import * as examples from './openapi-examples.ts';
import { buildGuide, keySafety } from './openapi-guide.ts';
import { errorRefs, operation, type PathItems } from './openapi-operation.ts';
import { buildReportPaths, reportTags } from './openapi-reports.ts';

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

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
      summary: 'Check domains against the paid-link blacklist, and automate your monthly review of backlinks.',
      description: buildGuide(origin).join('\n\n'),
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
      ...reportTags,
    ],
    security: [{ apiKey: [] }],
    paths: { ...buildPaths(origin), ...buildReportPaths(origin) },
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
 * The calls that check domains. Calls that only serve the pages of this site are left out: they change with the pages.
 */
function buildPaths(origin: string): PathItems {
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
    [checkDomainsAsCsv.path]: {
      get: operation(origin, checkDomainsAsCsv, {
        operationId: 'checkDomainsAsCsv',
        tags: ['Checks'],
        description: `Checks up to ${maxBulkDomains} domains like a bulk check, with the list in the URL and the results as CSV: for Excel, Power BI and other programs that load a table from an address. Send the key in the header, never in the URL. Each entry counts as one request.`,
        parameters: [
          {
            name: 'domains',
            in: 'query',
            required: true,
            description:
              'Domains or URLs, separated by commas. A URL that contains a comma counts as several entries, so reduce it to its host.',
            schema: toJsonSchema(BulkCheckRequest.shape.domains),
            style: 'form',
            explode: false,
            example: examples.bulkRequest.domains,
          },
        ],
        responses: {
          200: {
            description:
              'A row with the names of the columns, then one row per entry in the order of the request (RFC 4180, UTF-8). The columns are the fields of a check and of a check error. An apostrophe precedes a cell that a spreadsheet would run as a formula.',
            headers: headerRefs(rateLimitHeaders),
            content: {
              'text/csv': {
                schema: { type: 'string' },
                examples: {
                  results: { summary: 'Listed, not listed, and not a domain', value: examples.csvResponse },
                },
              },
            },
          },
          ...errorRefs('InvalidDomains', 'Unauthorized', 'TooManyBulkRequests', 'InternalError', 'Unavailable'),
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

/** The parts of the document that calls refer to by name. */
function components() {
  return {
    schemas: namedSchemas(),
    headers,
    responses: Object.fromEntries(Object.entries(errorResponses).map(([name, { response }]) => [name, response])),
  };
}
