import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { maxQueryLength } from '#shared/checks/checks.ts';
import type { CheckError } from '#shared/checks/key-checks.ts';
import { openApiDocument } from '#shared/checks/openapi.ts';
import { errorResponses } from '#shared/checks/openapi-errors.ts';
import {
  acceptedDomains,
  bulkRequest,
  bulkResponse,
  csvResponse,
  exampleDomains,
  keyUsage,
  listedCheck,
  notListedCheck,
  refusedDomains,
} from '#shared/checks/openapi-examples.ts';
import type { ErrorBody } from '#shared/platform/errors.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
await call('POST', '/api/domains', {
  as: admin.cookie,
  body: { domain: exampleDomains.listed, source: 'a, b, c', niche: 'Health' },
});
// Two of the sources are of one family.
await context.pool.query('update domains set copies = 1');
const createKey = async (name?: string): Promise<string> =>
  (await call('POST', '/api/api-keys', { as: admin.cookie, body: { name } })).json().keyValue;
const key = await createKey();

interface RequestOptions {
  method?: 'GET' | 'POST';
  payload?: string | object;
  headers?: Record<string, string>;
}
const send = (path: string, { headers = { 'x-api-key': key }, ...rest }: RequestOptions = {}) =>
  app.inject({ url: path, remoteAddress: '192.0.2.1', headers, ...rest });
const bulk = (domains: string[], value = key) =>
  send('/api/v1/check/bulk', { method: 'POST', payload: { domains }, headers: { 'x-api-key': value } });
const sendBody = (payload: string, type: string) =>
  send('/api/v1/check/bulk', { method: 'POST', payload, headers: { 'x-api-key': key, 'content-type': type } });
const check = '/api/v1/check';
const repeat = (count: number) => Array.from({ length: count }, () => exampleDomains.notListed);

/** Replaces times and days, which differ in each run. */
const timeless = (value: object | string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/20\d\d-\d\d-\d\d(T[\d:.]+Z)?/g, (_, time) => (time ? 'time' : 'day')));

test('the server returns the example responses', async () => {
  const listed = await send(`${check}?domain=${exampleDomains.subdomain}`);
  expect(timeless(listed.json())).toEqual(timeless(listedCheck));
  expect(timeless((await send(`${check}?domain=${exampleDomains.notListed}`)).json())).toEqual(
    timeless(notListedCheck),
  );
  expect(timeless((await bulk(bulkRequest.domains)).json())).toEqual(timeless(bulkResponse));
  const csv = await send(`/api/v1/check.csv?domains=${bulkRequest.domains}`);
  expect(timeless(csv.body)).toEqual(timeless(csvResponse));
  const usage = await send('/api/v1/usage');
  expect(Object.keys(usage.json()).sort()).toEqual(Object.keys(keyUsage).sort());
  const same = { headers: { 'x-api-key': key, 'if-none-match': String(listed.headers.etag) } };
  expect((await send(`${check}?domain=${exampleDomains.subdomain}`, same)).statusCode).toBe(304);
});

test('responses have the headers in the document', async () => {
  const { paths } = openApiDocument('https://linksieve.example');
  for (const [path, method, payload] of [
    [check, 'get'],
    ['/api/v1/check/bulk', 'post', bulkRequest],
    ['/api/v1/check.csv', 'get'],
    ['/api/v1/usage', 'get'],
  ] as const) {
    const response = paths[path]?.[method]?.responses[200];
    const names =
      response && 'headers' in response ? Object.keys(response.headers).map((name) => name.toLowerCase()) : [];
    expect(names.length).toBeGreaterThan(2);
    const { headers } = payload
      ? await send(path, { method: 'POST', payload })
      : await send(`${path}?domain=${exampleDomains.notListed}&domains=${exampleDomains.notListed}`);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
  }
});

test('accepts and refuses the domains that the guide lists', async () => {
  const spellings = acceptedDomains.flatMap(({ sent, checked }) => [
    { sent, checked },
    { sent: ` ${sent} `, checked },
  ]);
  const accepted = (await bulk(spellings.map(({ sent }) => sent))).json().results;
  expect(accepted.map(({ domain, error }: CheckError) => error ?? domain)).toEqual(
    spellings.map(({ checked }) => checked),
  );
  const tooLong = 'x'.repeat(maxQueryLength + 1);
  const refused = [...refusedDomains.map(({ sent }) => sent), tooLong];
  expect((await bulk(refused)).json().results).toEqual(
    refused.map((domain) => ({ domain, error: expect.any(String) })),
  );
  for (const domain of refused) {
    expect((await send(`${check}?domain=${encodeURIComponent(domain)}`)).statusCode).toBe(400);
  }
});

test('errors contain the refused fields as the guide says, and a wrong path or method returns 404', async () => {
  expect((await sendBody('{"domains":["a.example",1]}', 'application/json')).json().fields).toHaveProperty([
    'domains.1',
  ]);
  expect((await sendBody('[]', 'application/json')).json().fields).toHaveProperty('body');
  for (const wrong of [await send('/api/v1/checks'), await send(check, { method: 'POST', payload: {} })]) {
    expect([wrong.statusCode, wrong.json().code]).toEqual([404, 'not_found']);
  }
});

/** Rotates a new key, moves the end of one of its values into the past and sends this value. */
async function sendExpired(column: 'expires_at' | 'previous_expires_at') {
  const { cookie: as } = await signUp();
  const { id, keyValue: old } = (await call('POST', '/api/api-keys', { as, body: {} })).json();
  const { keyValue } = (await call('POST', `/api/api-keys/${id}/rotate`, { as, body: {} })).json();
  await context.pool.query(`update api_keys set ${column} = '2026-01-31T23:59:00Z' where id = $1`, [id]);
  return send(check, { headers: { 'x-api-key': column === 'expires_at' ? keyValue : old } });
}

/** Calls that cause each example of an error. The tests of server/platform/http make the database unavailable. */
const causes: Record<string, () => Promise<LightMyRequestResponse>> = {
  'InvalidDomain address': () => send(`${check}?domain=${exampleDomains.ipAddress}`),
  'InvalidDomain missing': () => send(check),
  'InvalidList broken': () => sendBody('{', 'application/json'),
  'InvalidList tooMany': () => bulk(repeat(501)),
  'InvalidDomains missing': () => send('/api/v1/check.csv'),
  'Unauthorized unknown': () => send(check, { headers: { 'x-api-key': 'lsv_made-up' } }),
  'Unauthorized expired': () => sendExpired('expires_at'),
  'Unauthorized replaced': () => sendExpired('previous_expires_at'),
  'Unauthorized missing': () => send(check, { headers: {} }),
  'TooLarge body': () => bulk(['x'.repeat(3_000_000)]),
  'UnsupportedMediaType form': () => sendBody('domains=a', 'application/x-www-form-urlencoded'),
  'TooManyBulkRequests left': async () => {
    const value = await createKey();
    for (const count of [500, 498]) await bulk(repeat(count), value);
    return bulk(repeat(3), value);
  },
  'TooManyRequests day': async () => {
    const value = await createKey();
    for (const count of [500, 500]) await bulk(repeat(count), value);
    return bulk(repeat(1), value);
  },
  'TooManyRequests minute': async () => {
    const headers = { 'x-api-key': await createKey() };
    let last = await send('/api/v1/usage', { headers });
    for (let i = 0; i < 1300 && last.statusCode === 200; i++) last = await send('/api/v1/usage', { headers });
    return last;
  },
  'TooManyRequests failures': async () => {
    let last = await send(check, { headers: {} });
    for (let i = 0; i < 200 && last.statusCode === 401; i++) last = await send(check, { headers: {} });
    return last;
  },
  'InternalError unexpected': async () => {
    await context.pool.query('alter table domains rename to domains_gone');
    const response = await send(`${check}?domain=${exampleDomains.notListed}`);
    await context.pool.query('alter table domains_gone rename to domains');
    return response;
  },
};

/** An example that several responses share is tested once. */
const seen = new Set<string>();
const examples = Object.entries(errorResponses).flatMap(([name, { status, response }]) =>
  Object.entries(response.content['application/json'].examples).flatMap(([example, { summary, value }]) => {
    if (seen.has(summary)) return [];
    seen.add(summary);
    return { name: `${name} ${example}`, status, headers: Object.keys(response.headers), value: value as ErrorBody };
  }),
);

test('every example of an error has a cause, except for an unavailable database', () => {
  const names = examples.map(({ name }) => name).filter((name) => name !== 'Unavailable database');
  expect(Object.keys(causes).sort()).toEqual(names.sort());
});

test.each(examples.filter(({ name }) => name in causes))(
  'the server returns the error $name',
  async ({ name, status, headers, value }) => {
    const response = await causes[name]?.();
    const body = response?.json();
    expect([response?.statusCode, timeless(body)]).toEqual([status, timeless({ ...value, requestId: body.requestId })]);
    const hasKey = name !== 'TooManyRequests failures';
    const expected = headers
      .filter((header) => hasKey || header === 'Retry-After')
      .map((header) => header.toLowerCase());
    expect(Object.keys(response?.headers ?? {})).toEqual(expect.arrayContaining(expected));
    if (/minute|failures/.test(name)) expect(Number(response?.headers['retry-after'])).toBeLessThanOrEqual(60);
  },
);
