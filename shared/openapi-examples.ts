import type { Check } from './checks.ts';
import type { ErrorBody, ErrorCode } from './errors.ts';
import type { BulkAnswer, KeyUsage } from './key-checks.ts';

const listed = 'links-for-sale.example';
const subdomain = `blog.${listed}`;
const unknown = 'clean.example';
const none = '192.0.2.1';

/** Made-up names under endings that belong to nobody (RFC 2606), and an address that belongs to documents (RFC 5737). */
export const exampleNames = { listed, subdomain, unknown, none };

const checkedAt = '2026-11-21T09:30:00.000Z';

export const listedCheck: Check = {
  domain: subdomain,
  listed: true,
  matchedDomain: listed,
  riskLevel: 'medium',
  sourceCount: 3,
  niche: 'Health',
  dateAdded: '2026-01-05T08:12:44.000Z',
  lastUpdated: '2026-11-02T03:00:10.000Z',
  checkedAt,
};

export const unknownCheck: Check = {
  domain: unknown,
  listed: false,
  matchedDomain: null,
  riskLevel: null,
  sourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
  checkedAt,
};

export const noDomain = { domain: none, error: 'This is an IP address: enter a domain name such as example.com.' };

export const bulkQuestion = { domains: [subdomain, unknown, none] };
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

export function errorBody(code: ErrorCode, error: string, fields?: Record<string, string>): ErrorBody {
  return { error, code, requestId: '0b9f6f1e-5d0c-4a57-9d8e-3c1f2f6f0a11', ...(fields && { fields }) };
}

/** Readers put their key in its place. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** A call as an example makes it: a POST if it has a body, else a GET. */
interface SampleCall {
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
];

/** For a Unix shell. */
export function curlSample({ url, query = {}, body }: SampleCall): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return [
    `curl '${url}${search.length > 0 ? '?' : ''}${search.join('&')}'`,
    `--header 'X-API-Key: ${keyPlaceholder}'`,
    ...(body ? ["--header 'Content-Type: application/json'", `--data '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n  ');
}

/** For Node.js 18 or later, as a module; also for Deno and Bun. */
function javascriptSample({ url, query = {}, body }: SampleCall): string {
  const options = body
    ? [
        "  method: 'POST',",
        `  headers: { 'X-API-Key': '${keyPlaceholder}', 'Content-Type': 'application/json' },`,
        `  body: JSON.stringify(${literal(body)}),`,
      ]
    : [`  headers: { 'X-API-Key': '${keyPlaceholder}' },`];
  return [
    `const url = new URL('${url}');`,
    ...Object.entries(query).map(([name, value]) => `url.searchParams.set('${name}', '${value}');`),
    '',
    'const response = await fetch(url, {',
    ...options,
    '});',
    'const result = await response.json();',
    'if (!response.ok) throw new Error(result.error);',
    'console.log(result);',
  ].join('\n');
}

/** For Python 3, with nothing but its own library. */
function pythonSample({ url, query, body }: SampleCall): string {
  const options = body
    ? [
        '    method="POST",',
        `    headers={"X-API-Key": "${keyPlaceholder}", "Content-Type": "application/json"},`,
        `    data=json.dumps(${spaced(body)}).encode(),`,
      ]
    : [`    headers={"X-API-Key": "${keyPlaceholder}"},`];
  return [
    'import json',
    'import urllib.error',
    ...(query ? ['import urllib.parse'] : []),
    'import urllib.request',
    '',
    ...(query ? [`query = urllib.parse.urlencode(${spaced(query)})`] : []),
    'request = urllib.request.Request(',
    query ? `    "${url}?" + query,` : `    "${url}",`,
    ...options,
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(json.load(response))',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(json.load(error)["error"])',
  ].join('\n');
}

/** As people write it in JavaScript: names without quotes. */
function literal(value: unknown): string {
  return spaced(value)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replace(/^\{(.*)\}$/, '{ $1 }');
}

/** JSON with a space after each comma and colon, as both languages are written. No text in the examples contains such a sign. */
function spaced(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[,:](?=["[])/g, '$& ');
}
