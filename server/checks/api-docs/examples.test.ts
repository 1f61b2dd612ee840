import { setTimeout } from 'node:timers/promises';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import type { ApiKeyScope } from '#shared/accounts/api-key-scopes.ts';
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
import { submissionInput } from '#shared/checks/openapi-report-examples.ts';
import type { ErrorBody } from '#shared/platform/errors.ts';
import { buildKeyCalls } from '../../accounts/api-keys/key-requests.fixtures.ts';
import { buildForm } from '../../reports/backlinks/analyses.fixtures.ts';
import { analysisJobs } from '../../reports/backlinks/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const testApp = await startTestApp({}, { work: analysisJobs });
const { app, call, context, signUp } = testApp;
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
const keyCalls = buildKeyCalls(testApp);

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

/** Expects the same fields and types as in the example, down to the first entry of each list. Null fits everything. */
function expectShape(name: string, value: unknown, example: unknown): void {
  if (value === null || example === null) return;
  if (Array.isArray(value) && Array.isArray(example)) {
    expect([name, value.length > 0]).toEqual([name, example.length > 0]);
    if (value.length > 0) expectShape(name, value[0], example[0]);
  } else if (typeof value === 'object' && typeof example === 'object') {
    expect([name, Object.keys(value as object).sort()]).toEqual([name, Object.keys(example as object).sort()]);
    for (const field of Object.keys(example as object))
      expectShape(`${name}.${field}`, Reflect.get(value as object, field), Reflect.get(example as object, field));
  } else expect([name, typeof value]).toEqual([name, typeof example]);
}

test('the calls of websites and reports return what their examples show, with the headers in the document', async () => {
  const { paths } = openApiDocument('https://linksieve.example');
  const value = await keyCalls.createKey(admin, ['read', 'write']);
  const seenCalls = new Set<string>();
  const send = async (name: string, id: string | number = '', request: Parameters<typeof keyCalls.send>[3] = {}) => {
    const [method = 'GET', path = ''] = name.split(' ');
    const operation = paths[`/api/v1${path}`]?.[method.toLowerCase() as 'get'];
    const body = Object.values(operation?.requestBody?.content['application/json']?.examples ?? {})[0]?.value;
    const given = { ...(body !== undefined && { body: body as object }), ...request };
    const response = await keyCalls.send(value, method as 'GET', path.replace('{id}', String(id)), given);
    const documented = operation?.responses[response.statusCode];
    if (!documented || !('headers' in documented)) throw new Error(`${name}: ${response.statusCode} ${response.body}`);
    const names = Object.keys(documented.headers).map((header) => header.toLowerCase());
    const sent = names.filter((header) => header !== 'idempotency-replayed');
    expect(Object.keys(response.headers), name).toEqual(expect.arrayContaining(sent));
    const example = Object.values(documented.content?.['application/json']?.examples ?? {})[0]?.value;
    if (example !== undefined) expectShape(name, response.json(), example);
    seenCalls.add(name);
    return response;
  };
  const { id } = (await send('POST /websites')).json();
  const links = await buildForm({}, [['links.csv', linksFile]], 'file');
  const started = (await send('POST /websites/{id}/analyses', id, links)).json();
  const wait = async (wanted: string) => {
    for (;;) {
      const analysis = (await keyCalls.send(value, 'GET', `/analyses/${started.id}`)).json();
      if (analysis.status === wanted) return analysis;
      expect(analysis.status).toBe('processing');
      await setTimeout(20);
    }
  };
  const { reportId } = await wait('completed');
  await send('GET /analyses/{id}', started.id);
  for (const name of ['GET /reports/{id}', 'GET /reports/{id}/domains', 'GET /reports/{id}/links'])
    await send(name, reportId);
  for (const name of ['PUT /websites/{id}/decisions', 'GET /websites/{id}/decisions', 'PATCH /websites/{id}'])
    await send(name, id);
  for (const name of ['GET /websites', 'GET /websites/{id}', 'GET /websites/{id}/reports']) await send(name, id);
  expect((await send('GET /websites/{id}/disavow.txt', id)).body).toContain(`domain:${exampleDomains.listed}\n`);
  await context.pool.query(
    `insert into alerts (run_id, website_id, domain, event, to_level, backlinks, created_at) values (1, $1, 'a.test', 'listed', 2, 1, now())`,
    [id],
  );
  await send('GET /alerts');
  await send('POST /submissions');
  await context.pool.query(
    `update analyses set status = 'waiting', question = '{"about":"site","file":"a","site":"b.test"}' where id = $1`,
    [started.id],
  );
  await send('POST /analyses/{id}/answer', started.id);
  const { path } = await context.files.save(linksFile);
  const { id: uploadId } = await context.db
    .insertInto('uploads')
    .values({
      user_id: admin.id,
      bytes: 0,
      bytes_left: 0,
      parts: JSON.stringify([{ path, fileName: 'links.csv' }]),
      expires_at: new Date(Date.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await send('GET /uploads/{id}', uploadId);
  await send('DELETE /websites/{id}', id);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.slice('/api/v1'.length)}`),
  );
  // The first test calls checks.
  const others = documented.filter((name) => !/ \/(check|usage)/.test(name));
  expect(others.filter((name) => !seenCalls.has(name))).toEqual([]);
});

const linksFile = `Source URL\nhttps://${exampleDomains.subdomain}/offer\nhttps://${exampleDomains.notListed}/\n`;

/** Rotates a new key, moves the end of one of its values into the past and sends this value. */
async function sendExpired(column: 'expires_at' | 'previous_expires_at') {
  const { cookie: as } = await signUp();
  const { id, keyValue: old } = (await call('POST', '/api/api-keys', { as, body: {} })).json();
  const { keyValue } = (await call('POST', `/api/api-keys/${id}/rotate`, { as, body: {} })).json();
  await context.pool.query(`update api_keys set ${column} = '2026-01-31T23:59:00Z' where id = $1`, [id]);
  return send(check, { headers: { 'x-api-key': column === 'expires_at' ? keyValue : old } });
}

const sender = await signUp();

/** Sends a request with a new key of a user who has nothing yet. */
async function sendWith(
  scopes: readonly ApiKeyScope[],
  name: `${'GET' | 'POST'} ${string}`,
  body?: object,
  headers?: Record<string, string>,
) {
  const [method = 'GET', path = ''] = name.split(' ');
  await context.pool.query('delete from api_keys where user_id = $1', [sender.id]);
  const value = await keyCalls.createKey(sender, scopes);
  return keyCalls.send(value, method as 'GET' | 'POST', path, { ...(body && { body }), ...(headers && { headers }) });
}

/** Calls that cause each example of an error. The tests of server/platform/http make the database unavailable. */
const causes: Record<string, () => Promise<LightMyRequestResponse>> = {
  'InvalidDomain address': () => send(`${check}?domain=${exampleDomains.ipAddress}`),
  'InvalidDomain missing': () => send(check),
  'InvalidList broken': () => sendBody('{', 'application/json'),
  'InvalidList tooMany': () => bulk(repeat(501)),
  'InvalidDomains missing': () => send('/api/v1/check.csv'),
  'InvalidRequest website': async () => sendWith(['write'], 'POST /websites', {}),
  'MissingScope scope': async () => sendWith(['check'], 'POST /websites', {}),
  'NotFound website': async () => sendWith(['read'], 'GET /websites/999999'),
  'Conflict twice': async () => {
    await sendWith(['write'], 'POST /submissions', submissionInput);
    return sendWith(['write'], 'POST /submissions', submissionInput);
  },
  'IdempotencyMismatch other': async () => {
    const headers = { 'idempotency-key': 'a' };
    await sendWith(['write'], 'POST /websites', { domain: 'first.example' }, headers);
    return sendWith(['write'], 'POST /websites', { domain: 'second.example' }, headers);
  },
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
  'StorageLimit account': async () => {
    const addBytes = (bytes: number) =>
      context.pool.query('update account_usage set bytes = bytes + $1 where user_id = $2', [bytes, sender.id]);
    await sendWith(['write'], 'POST /websites', { domain: 'small.example' });
    await addBytes(1e10);
    const response = await sendWith(['write'], 'POST /websites', { domain: 'large.example' });
    await addBytes(-1e10);
    return response;
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
  Object.entries(response.content['application/problem+json'].examples).flatMap(([example, { summary, value }]) => {
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
    expect([response?.statusCode, timeless(body)]).toEqual([
      status,
      timeless({ ...value, requestId: body.requestId, ...(body.scope && { scope: body.scope }) }),
    ]);
    const hasKey = name !== 'TooManyRequests failures';
    const expected = headers
      .filter((header) => hasKey || header === 'Retry-After')
      .map((header) => header.toLowerCase());
    expect(Object.keys(response?.headers ?? {})).toEqual(expect.arrayContaining(expected));
    if (/minute|failures/.test(name)) expect(Number(response?.headers['retry-after'])).toBeLessThanOrEqual(60);
  },
);
