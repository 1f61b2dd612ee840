import type { ErrorCode, Problem } from '../platform/errors.ts';
import type { Check } from './checks.ts';
import { checkColumns, toCheckCells } from './csv-checks.ts';
import type { BulkCheckResponse, CheckError, KeyUsage } from './key-checks.ts';
import type { Range } from './range.ts';

const listed = 'paidlinks.example';
const subdomain = `blog.${listed}`;
const notListed = 'clean.example';
const ipAddress = '192.0.2.1';

/**
 * Made-up names under a TLD reserved for examples (RFC 2606), and an IP address reserved for documentation (RFC 5737).
 */
export const exampleDomains = { listed, subdomain, notListed, ipAddress };

const checkedAt = '2026-11-21T09:30:00.000Z';

export const listedCheck: Check = {
  domain: subdomain,
  listed: true,
  matchedDomain: listed,
  riskLevel: 'medium',
  confidence: 'probable',
  sourceCount: 3,
  independentSourceCount: 2,
  niche: 'Health',
  dateAdded: '2026-01-05T08:12:44.000Z',
  lastUpdated: '2026-11-02T03:00:10.000Z',
  checkedAt,
};

export const notListedCheck: Check = {
  domain: notListed,
  listed: false,
  matchedDomain: null,
  riskLevel: null,
  confidence: null,
  sourceCount: null,
  independentSourceCount: null,
  niche: null,
  dateAdded: null,
  lastUpdated: null,
  checkedAt,
};

export const checkError: CheckError = {
  domain: ipAddress,
  error: 'This is an IP address: enter a domain name such as example.com.',
};

export const bulkRequest = { domains: [subdomain, notListed, ipAddress] };
export const bulkResponse: BulkCheckResponse = {
  results: [listedCheck, notListedCheck, checkError],
  listed: 1,
  total: 3,
};

/** No cell of the examples needs quotes. */
export const csvResponse = [checkColumns, ...bulkResponse.results.map(toCheckCells)]
  .map((cells) => `${cells.join(',')}\r\n`)
  .join('');

export const keyUsage: KeyUsage = {
  name: 'Our crawler',
  dailyLimit: 1000,
  dailyUsage: 42,
  remaining: 958,
  resetAt: '2026-11-22T00:00:00.000Z',
  usageCount: 12_345,
  lastUsed: checkedAt,
};

/** Spellings of a domain, and the name that a check of each returns. */
export const acceptedDomains = [
  { sent: 'https://user@www.Shop.example:8443/offer', checked: 'shop.example', rule: 'A URL is reduced to its host.' },
  { sent: 'WWW.Shop.Example', checked: 'shop.example', rule: 'Case and a leading `www.` do not matter.' },
  { sent: 'shop.example.', checked: 'shop.example', rule: 'A trailing dot and outer spaces are removed.' },
  { sent: 'straße.example', checked: 'xn--strae-oqa.example', rule: 'Internationalized names are converted to ASCII.' },
];

/** Texts that are not domains. */
export const refusedDomains = [
  { sent: 'localhost', reason: 'It has no TLD.' },
  { sent: ipAddress, reason: 'It is an IP address.' },
  { sent: 'name@shop.example', reason: 'It is an email address.' },
  { sent: '*.shop.example', reason: 'It is a wildcard.' },
  { sent: 'shop .example', reason: 'It contains a space.' },
];

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
};

export function errorBody(status: number, code: ErrorCode, error: string, fields?: Record<string, string>): Problem {
  const problem = { type: `urn:linksieve:error:${code}`, title: titles[status] ?? '', status, detail: error };
  return { ...problem, error, code, requestId: '0b9f6f1e-5d0c-4a57-9d8e-3c1f2f6f0a11', ...(fields && { fields }) };
}

/** Readers replace it with their key. */
export const apiKeyPlaceholder = 'YOUR_API_KEY';

/** A call in an example. */
interface SampleCall {
  /** Without it, a GET, or a POST with a body. */
  method?: string;
  /** With scheme and host, without a query. */
  url: string;
  query?: Record<string, string>;
  body?: unknown;
  /** The parts of a form. A part with a file is `@` and its name. */
  form?: Record<string, string>;
  /** Whether the response is a text instead of JSON. Errors are always JSON. */
  isText?: boolean;
}

/** The languages of the examples. `lang` is the name that OpenAPI tools know. */
export const sampleLanguages = [
  { lang: 'Shell', label: 'curl', write: curlSample },
  { lang: 'JavaScript', label: 'JavaScript', write: javascriptSample },
  { lang: 'Python', label: 'Python', write: pythonSample },
];

/** Returns the call as a command for a Unix shell. */
export function curlSample({ method = 'GET', url, query, body, form }: SampleCall): string {
  // curl sends a POST if there is a body.
  const isImplied = method === 'GET' || (method === 'POST' && (body !== undefined || form !== undefined));
  return [
    `curl '${url}'${query ? ' --get' : ''}${isImplied ? '' : ` --request ${method}`}`,
    ...Object.entries(query ?? {}).map(([name, value]) => `--data-urlencode '${name}=${value}'`),
    `--header 'X-API-Key: ${apiKeyPlaceholder}'`,
    ...Object.entries(form ?? {}).map(([name, value]) => `--form '${name}=${value}'`),
    ...(body
      ? ["--header 'Content-Type: application/json'", `--data '${indentFurther(JSON.stringify(body, null, 2), 2)}'`]
      : []),
  ].join(' \\\n  ');
}

/** Returns the call as a module for Node.js 18 or later, Deno and Bun. */
function javascriptSample({ url, query = {}, body, isText }: SampleCall): string {
  const options = body
    ? [
        "  method: 'POST',",
        '  headers: {',
        `    'X-API-Key': '${apiKeyPlaceholder}',`,
        "    'Content-Type': 'application/json',",
        '  },',
        `  body: JSON.stringify(${indentFurther(toJavaScriptLiteral(body), 2)}),`,
      ]
    : [`  headers: { 'X-API-Key': '${apiKeyPlaceholder}' },`];
  return [
    'const url = new URL(',
    `  '${url}',`,
    ');',
    ...Object.entries(query).map(([name, value]) => `url.searchParams.set('${name}', '${value}');`),
    '',
    'const response = await fetch(url, {',
    ...options,
    '});',
    'if (!response.ok) throw new Error((await response.json()).error);',
    `console.log(await response.${isText ? 'text' : 'json'}());`,
  ].join('\n');
}

/** Returns the call as a program for Python 3 that needs only the standard library. */
function pythonSample({ url, query, body, isText }: SampleCall): string {
  const options = body
    ? [
        '    method="POST",',
        '    headers={',
        `        "X-API-Key": "${apiKeyPlaceholder}",`,
        '        "Content-Type": "application/json",',
        '    },',
        '    data=json.dumps(body).encode(),',
      ]
    : [`    headers={"X-API-Key": "${apiKeyPlaceholder}"},`];
  return [
    'import json',
    'from urllib.error import HTTPError',
    ...(query ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    '',
    ...(query ? [`query = ${spaced(query)}`] : []),
    ...(body ? [`body = ${JSON.stringify(body, null, 4)}`] : []),
    'request = Request(',
    query ? `    "${url}?" + urlencode(query),` : `    "${url}",`,
    ...options,
    ')',
    'try:',
    '    with urlopen(request) as response:',
    `        print(${isText ? 'response.read().decode()' : 'json.load(response)'})`,
    'except HTTPError as error:',
    '    raise SystemExit(json.load(error)["error"])',
  ].join('\n');
}

/** Moves every line but the first to the right. */
function indentFurther(code: string, spaces: number): string {
  return code.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** JSON in JavaScript's usual style: names without quotes, strings in single quotes. */
function toJavaScriptLiteral(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll(/(?<=['\]])(?=\n)/g, ',');
}

/** JSON on one line, with a space after each colon and comma. The example values contain neither. */
function spaced(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[,:](?=["[])/g, '$& ');
}

/** Part of a response to a private check. The first hash is that of the listed domain of the other examples. */
export const rangeResponse: Range = {
  prefix: '2bba',
  hashes: [
    {
      hash: '2bba34de94fa1798379341ac0edc458c24cf56d8784a0a6807dab0c1c822f876',
      riskLevel: 'high',
      confidence: 'confirmed',
      sourceCount: 4,
      dateAdded: '2026-03-04T05:06:07.000Z',
    },
  ],
  version: '9b1d2c40aa57e613',
};
