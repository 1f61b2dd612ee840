import type { Check } from './checks.ts';
import type { ErrorBody, ErrorCode } from './errors.ts';
import type { BulkAnswer, KeyUsage } from './key-checks.ts';

/** Made-up names under endings that belong to nobody (RFC 2606), and an address that belongs to documents (RFC 5737). */
export const exampleNames = {
  listed: 'links-for-sale.example',
  subdomain: 'blog.links-for-sale.example',
  unknown: 'clean.example',
  none: '192.0.2.1',
} as const;

const checkedAt = '2026-11-21T09:30:00.000Z';

export const listedCheck: Check = {
  domain: exampleNames.subdomain,
  listed: true,
  matchedDomain: exampleNames.listed,
  riskLevel: 'medium',
  sourceCount: 3,
  niche: 'Health',
  dateAdded: '2026-01-05T08:12:44.000Z',
  lastUpdated: '2026-11-02T03:00:10.000Z',
  checkedAt,
};

export const unknownCheck: Check = {
  domain: exampleNames.unknown,
  listed: false,
  matchedDomain: null,
  riskLevel: null,
  sourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
  checkedAt,
};

export const noDomain = { domain: exampleNames.none, error: 'An IP address is not a domain.' };

/** What is asked in bulk, and what that is answered with. */
export const bulkQuestion = { domains: [exampleNames.subdomain, exampleNames.unknown, exampleNames.none] };
export const bulkAnswer: BulkAnswer = { results: [listedCheck, unknownCheck, noDomain], listed: 1, total: 3 };

export const keyUsage: KeyUsage = {
  name: 'Our crawler',
  dailyLimit: 1000,
  dailyUsage: 42,
  remaining: 958,
  resetAt: '2026-11-22T00:00:00.000Z',
  usageCount: 12_345,
  lastUsed: checkedAt,
};

/** The body of an error as an example. */
export function errorBody(code: ErrorCode, { error, fields }: Pick<ErrorBody, 'error' | 'fields'>): ErrorBody {
  return { error, code, requestId: '0b9f6f1e-5d0c-4a57-9d8e-3c1f2f6f0a11', ...(fields && { fields }) };
}

/** What stands in an example for the key of whoever reads it. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** A call as an example makes it. */
export interface SampleCall {
  method: 'GET' | 'POST';
  /** With scheme and host, without a query. */
  url: string;
  query?: Record<string, string>;
  body?: unknown;
}

/** The languages that examples are written in, by the names that they have in an OpenAPI document. */
export const sampleLanguages = [
  { lang: 'Shell', label: 'curl', write: curlSample },
  { lang: 'JavaScript', label: 'JavaScript', write: javascriptSample },
  { lang: 'Python', label: 'Python', write: pythonSample },
] as const;

/** For a shell of Unix. */
export function curlSample({ method, url, query, body }: SampleCall): string {
  const lines = [`curl '${addressOf(url, query)}'`, `--header 'X-API-Key: ${keyPlaceholder}'`];
  if (method !== 'GET' && body === undefined) lines.push(`--request ${method}`);
  if (body !== undefined) lines.push("--header 'Content-Type: application/json'", `--data '${JSON.stringify(body)}'`);
  return lines.join(' \\\n  ');
}

/** For Node.js 18 or later, as a module; also for Deno and Bun. */
function javascriptSample({ method, url, query, body }: SampleCall): string {
  const headers = [`'X-API-Key': '${keyPlaceholder}'`];
  if (body !== undefined) headers.push("'Content-Type': 'application/json'");
  return [
    `const url = new URL('${url}');`,
    ...Object.entries(query ?? {}).map(([name, value]) => `url.searchParams.set('${name}', '${value}');`),
    '',
    'const response = await fetch(url, {',
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${headers.join(', ')} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body)}),`]),
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(answer.error);',
    'console.log(answer);',
  ].join('\n');
}

/** For Python 3, with nothing but its own library. */
function pythonSample({ method, url, query, body }: SampleCall): string {
  const headers = [`"X-API-Key": "${keyPlaceholder}"`];
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  return [
    'import json',
    'import urllib.error',
    ...(query ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...(query ? [`query = urllib.parse.urlencode(${spaced(query)})`] : []),
    'request = urllib.request.Request(',
    query ? `    "${url}?" + query,` : `    "${url}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    `    headers={${headers.join(', ')}},`,
    ...(body === undefined ? [] : [`    data=json.dumps(${spaced(body)}).encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(json.load(response))',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(json.load(error)["error"])',
  ].join('\n');
}

const addressOf = (url: string, query: Record<string, string> | undefined) =>
  query
    ? `${url}?${Object.entries(query)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&')}`
    : url;

/** As people write it in JavaScript: names without quotes. */
const literal = (value: unknown) =>
  spaced(value)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replace(/^\{(.*)\}$/, '{ $1 }');

/** JSON with a space after each comma and colon, as both languages are written. The examples hold no such sign within a text. */
const spaced = (value: unknown) => JSON.stringify(value).replaceAll(/[,:](?=["[])/g, '$& ');
