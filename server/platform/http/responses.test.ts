import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { domainSorts } from '#shared/blacklist/domains.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { app, call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const as = admin.cookie;

test('empty query parameters are ignored', async () => {
  const empty = await call('GET', '/api/domains?sort=&riskLevel=&dateAdded=&pageSize=&page=&tld=&userId=', { as });
  expect([empty.statusCode, empty.json().pagination]).toEqual([
    200,
    { page: 0, pageSize: 25, total: 0, totalPages: 0 },
  ]);
});

test.each([
  ['page=-1', 'page must be at least 0.'],
  ['page=first', 'page must be a number.'],
  ['page=1.5', 'page must be a whole number.'],
  ['pageSize=1000', 'pageSize must be at most 100.'],
  ['sort=color', `sort must be one of: ${domainSorts.join(', ')}.`],
  ['sort=domain-asc&sort=cost-asc', `sort must be one of: ${domainSorts.join(', ')}.`],
  ['dateAdded=yesterday', 'dateAdded must be a date like 2026-01-31.'],
  [`tld=${'a'.repeat(254)}`, 'tld must have at most 253 characters.'],
])('the query %s returns 400 with a sentence', async (query, sentence) => {
  const response = await call('GET', `/api/domains?${query}`, { as });
  const [field = ''] = query.split('=');
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ error: sentence, code: 'invalid', fields: { [field]: sentence } });
});

test.each([
  ['/api/auth/register', {}, 'email', 'Please fill in email.'],
  ['/api/auth/register', { email: 7 }, 'email', 'email must be text.'],
  ['/api/auth/login', { username: '', password: 'x' }, 'username', 'Please fill in username.'],
  ['/api/auth/register', { email: 'x' }, 'email', 'Please enter a valid email address'],
  ['/api/domains/bulk-delete', { ids: [] }, 'ids', 'ids must have at least 1 item.'],
  ['/api/domains/bulk-delete', { ids: 'all' }, 'ids', 'ids must be a list.'],
  ['/api/domains/bulk-delete', { ids: [1, 'x'] }, 'ids.1', 'ids.1 must be a number.'],
])('%s with %j returns 400 with a sentence', async (path, body, field, sentence) => {
  const response = await call('POST', path, { as, body });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ error: sentence, fields: { [field]: sentence } });
});

test('a request without a body returns 400 with a sentence', async () => {
  const response = await call('POST', '/api/auth/login');
  expect([response.statusCode, response.json().error]).toEqual([400, 'The request has no body.']);
});

test('only calls that take lists of names accept a long body', async () => {
  const text = 'listed.example\n'.repeat(10_000);
  const [contact, list] = await Promise.all([
    call('POST', '/api/contact', { body: { message: text } }),
    call('POST', '/api/domain-lists', { as, body: { text } }),
  ]);
  expect([contact.statusCode, contact.json().code, list.statusCode]).toEqual([413, 'too_large', 201]);
});

test('a URL that cannot be decoded returns 400 with the usual error body', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  request({ port, host: '127.0.0.1', path: '/%zz' }, async (response) =>
    resolve({ status: response.statusCode, body: Buffer.concat(await Array.fromAsync(response)).toString() }),
  )
    .on('error', reject)
    .end();
  const { status, body } = await promise;
  expect(status).toBe(400);
  expect(JSON.parse(body)).toEqual({
    error: 'This URL is not valid.',
    code: 'invalid',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('a deadlock and a serialization failure return 503 with the advice to try again', async () => {
  for (const code of ['40P01', '40001']) {
    await context.pool.query(`
      create or replace function fail() returns trigger language plpgsql as
        $$ begin raise exception 'made to fail' using errcode = '${code}'; end $$`);
    await context.pool.query(
      'create or replace trigger fail before insert on messages for each row execute function fail()',
    );
    const body = { name: 'A user', email: 'a@mail.example', subject: 'A question', message: 'How do I start?' };
    const response = await call('POST', '/api/contact', { body });
    expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
    expect(response.json().error).toMatch(/Please try again\.$/);
  }
});

test('every response has an HSTS header without subdomains', async () => {
  for (const path of ['/', '/api/account']) {
    expect((await call('GET', path)).headers['strict-transport-security']).toBe('max-age=31536000');
  }
  const { port } = app.server.address() as AddressInfo;
  const malformed = await fetch(`http://127.0.0.1:${port}/%zz`);
  expect(malformed.headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('no other site can frame a page', async () => {
  const { headers } = await call('GET', '/');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('an API request is rate-limited and never cached, in every spelling of its URL', async () => {
  for (const url of ['/api/stats/count', '/%61pi/stats/count', '/api/stats/count/', '/%61pi/no-such-call']) {
    const { headers } = await call('GET', url);
    expect(headers, url).toHaveProperty('ratelimit-remaining');
    expect(headers['cache-control'], url).toMatch(/^no-(?:store|cache)$/);
  }
  expect((await call('GET', '/%61pi/stats/count')).headers['cache-control']).toBe('no-store');
});
