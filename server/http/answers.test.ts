import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { domainSorts } from '#shared/domains.ts';
import { startTestApp } from '../test-context.ts';

const { app, call, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const as = admin.cookie;

test('a query value that is left empty is not given', async () => {
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
  ['sort=colour', `sort must be one of: ${domainSorts.join(', ')}.`],
  ['sort=domain-asc&sort=cost-asc', `sort must be one of: ${domainSorts.join(', ')}.`],
  ['dateAdded=yesterday', 'dateAdded must be a date like 2026-01-31.'],
  [`tld=${'a'.repeat(254)}`, 'tld must have at most 253 characters.'],
])('the query %s is answered with a plain sentence', async (query, sentence) => {
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
])('%s with %j is answered with a plain sentence', async (path, body, field, sentence) => {
  const response = await call('POST', path, { as, body });
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ error: sentence, fields: { [field]: sentence } });
});

test('a call without its body is answered with a sentence', async () => {
  const response = await call('POST', '/api/auth/login');
  expect([response.statusCode, response.json().error]).toEqual([400, 'The request has no content.']);
});

test('an address that cannot be decoded has an error body of ours', async () => {
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
    error: 'This address could not be read.',
    code: 'invalid',
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('no other page may frame ours', async () => {
  const { headers } = await call('GET', '/');
  expect(headers['x-frame-options']).toBe('DENY');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});
