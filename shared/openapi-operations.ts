import type { Endpoint } from './endpoint.ts';
import { bulkLimit, checkManyWithKey, checkWithKey, readKeyUsage } from './key-checks.ts';
import { type headers, limitHeaders, type ProblemName } from './openapi-answers.ts';
import type { Example } from './openapi-document.ts';
import { bulkAnswer, bulkQuestion, exampleNames, keyUsage, listedCheck, unknownCheck } from './openapi-examples.ts';

/** What the document says of a call beyond its shapes. */
export interface Told {
  endpoint: Endpoint & { access: 'key' };
  operationId: string;
  tag: 'Checks' | 'Usage';
  description: string;
  /** What each parameter of the query means, and a value for the examples. */
  query?: Record<string, { description: string; example: string }>;
  /** What is sent in the examples. */
  body?: { description: string; example: Example };
  answer: {
    description: string;
    headers: readonly (keyof typeof headers)[];
    examples: Record<string, Example>;
  };
  /** Whether the answer can be asked for with `If-None-Match`. */
  conditional?: true;
  problems: readonly ProblemName[];
}

/** Every call of the public API. The calls of the site's own pages are not for others: they change with the pages. */
export const operations: readonly Told[] = [
  {
    endpoint: checkWithKey,
    operationId: 'checkDomain',
    tag: 'Checks',
    description:
      'Says whether a domain, or a domain above it, is on the blacklist. Costs one request. Public suffixes (`co.uk`) and the roots of shared hosts (`wordpress.com`) are never listed as a whole: ask for the whole name of the site.',
    query: {
      domain: {
        description: 'A domain, or the address of a page: it is reduced to its host.',
        example: exampleNames.subdomain,
      },
    },
    answer: {
      description: 'What the blacklist says.',
      headers: [...limitHeaders, 'ETag'],
      examples: {
        listed: { summary: 'A subdomain of a listed domain', value: listedCheck },
        notListed: { summary: 'Not listed', value: unknownCheck },
      },
    },
    conditional: true,
    problems: ['BadDomain', 'Unauthorized', 'TooManyRequests', 'Internal', 'Unavailable'],
  },
  {
    endpoint: checkManyWithKey,
    operationId: 'checkDomains',
    tag: 'Checks',
    description: `Checks up to ${bulkLimit} domains at once. Each entry costs one request; where the key has fewer left, the answer is 429 and nothing is counted. An entry that is no domain does not spoil the others: it has an \`error\` in its place.`,
    body: {
      description: 'The domains to be checked.',
      example: { summary: 'Three entries, the last of them no domain', value: bulkQuestion },
    },
    answer: {
      description: 'The answers, in the order of the question.',
      headers: limitHeaders,
      examples: { three: { summary: 'Listed, not listed, and no domain', value: bulkAnswer } },
    },
    problems: ['BadList', 'Unauthorized', 'TooLarge', 'NotJson', 'TooManyEntries', 'Internal', 'Unavailable'],
  },
  {
    endpoint: readKeyUsage,
    operationId: 'readUsage',
    tag: 'Usage',
    description:
      'Says what the key has used of its day and what is left. Costs nothing, and answers when the day is used up too.',
    answer: {
      description: 'What the key has used.',
      headers: limitHeaders,
      examples: { day: { summary: 'A day with 42 requests so far', value: keyUsage } },
    },
    problems: ['Unauthorized', 'TooManyCalls', 'Internal', 'Unavailable'],
  },
];
