import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createScenario } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, context, people, once } = scenario;
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

/** The answer to a path that no client library lets through, and its headers. */
async function raw(path: string, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    statusCode: number;
    headers: Record<string, unknown>;
  }>();
  request({ port, host: '127.0.0.1', path, method }, (response) => {
    response.resume();
    resolve({ statusCode: response.statusCode ?? 0, headers: response.headers });
  })
    .on('error', reject)
    .end();
  return promise;
}

const as = people.owner.cookie;
const html = { accept: 'text/html' };
const file = app.allRoutes.find(({ url }) => url.startsWith('/assets/') && url.endsWith('.js'))?.url ?? '';
const breakingOff = async () => {
  await context.pool.query('alter table profiles rename to profiles_gone');
  const answer = await call('GET', '/api/profiles', { as });
  await context.pool.query('alter table profiles_gone rename to profiles');
  return answer;
};

const answers: [what: string, status: number, answer: () => Promise<{ statusCode: number; headers: object }>][] = [
  ['JSON', 200, () => call('GET', '/api/account', { as })],
  ['something made', 201, () => call('POST', '/api/api-keys', { as, body: {} })],
  ['nothing to say', 204, () => call('POST', '/api/auth/logout')],
  ['a CSV', 200, () => call('GET', '/api/domains/export/csv', { as })],
  ['a download', 200, () => call('GET', '/api/account/data', { as })],
  ['a report', 200, () => call('GET', `/api/reports/${once.report.id}/disavow.txt`, { as })],
  ['the use of a key', 200, () => call('GET', '/api/v1/usage', { headers: { 'x-api-key': people.owner.key } })],
  ['a wrong value', 400, () => call('GET', '/api/domains?page=-1', { as })],
  ['a visitor', 401, () => call('GET', '/api/account')],
  ['no admin', 403, () => call('GET', '/api/admin/users', { as })],
  ['another site', 403, () => call('POST', '/api/contact', { headers: { 'sec-fetch-site': 'cross-site' } })],
  ['no such object', 404, () => call('GET', '/api/reports/999999', { as })],
  ['no such call', 404, () => call('GET', '/api/nothing-here')],
  ['no such page', 404, () => call('GET', '/nothing-here', { headers: html })],
  ['a method that nobody knows', 404, () => call('DELETE', '/api/account/data', { as })],
  ['a question for methods', 404, () => raw('/api/account', 'OPTIONS')],
  ['an echo', 404, () => raw('/api/account', 'TRACE')],
  ['too much', 413, () => call('POST', '/api/profiles', { as, body: { domain: 'x'.repeat(3_000_000) } })],
  ['another type', 415, () => call('POST', '/api/profiles', { as, payload: 'a', headers: { 'content-type': 'a/b' } })],
  ['an address that cannot be read', 400, () => raw('/%zz')],
  ['a fault of ours', 500, breakingOff],
  ['a public page', 200, () => call('GET', '/', { headers: html })],
  ['a screen', 200, () => call('GET', '/admin/panel', { headers: html })],
  ['a file of the web app', 200, () => call('GET', file)],
  ['the head of a file', 200, () => call('HEAD', file)],
  ['robots.txt', 200, () => call('GET', '/robots.txt')],
  ['the sitemap', 200, () => call('GET', '/sitemap.xml')],
  ['health', 200, () => call('GET', '/healthz')],
];

test.each(answers)('%s (%i) says what a browser may do with it', async (what, status, answer) => {
  const response = await answer();
  const headers = response.headers as Record<string, string | undefined>;
  expect([what, response.statusCode]).toEqual([what, status]);
  const policy = policyOf(headers['content-security-policy']);
  expect(policy['default-src']).toEqual(["'none'"]);
  for (const name of ['base-uri', 'frame-ancestors', 'object-src'])
    expect(policy[name] ?? ["'none'"]).toEqual(["'none'"]);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': expect.stringMatching(/^max-age=31536000/),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': expect.stringMatching(/^same-origin/),
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(headers['x-powered-by'] ?? headers.server).toBeUndefined();
  expect(headers['access-control-allow-origin']).toBe(what === 'the use of a key' ? '*' : undefined);
});

test.each(answers)('no script but ours runs in %s (%i)', async (_what, _status, answer) => {
  const { headers } = await answer();
  const policy = policyOf((headers as Record<string, string>)['content-security-policy']);
  const scripts = policy['script-src'] ?? policy['default-src'] ?? [];
  for (const source of scripts)
    expect(source).toMatch(/^('none'|'self'|'nonce-[\w+/=]+'|https:\/\/apis\.google\.com)$/);
  expect(policy['script-src-attr'] ?? scripts).not.toContain("'unsafe-inline'");
  expect(policy['style-src'] ?? []).not.toContain("'unsafe-inline'");
});

test('what the API says is kept by nobody, and a page is asked for anew', async () => {
  for (const [what, , answer] of answers) {
    const { headers } = await answer();
    const { 'cache-control': kept, 'content-type': type } = headers as Record<string, string>;
    if (what === 'JSON' || type?.includes('json') || type?.includes('csv')) {
      expect([what, kept ?? 'nothing']).toEqual([what, what === 'health' ? 'nothing' : 'no-store']);
    }
    if (type?.includes('html')) expect([what, kept]).toEqual([what, 'no-cache']);
  }
});

test('a page has no script or style in it that its policy would not know', async () => {
  const { body, headers } = await call('GET', '/', { headers: html });
  const nonces = String(headers['content-security-policy']).match(/'nonce-[^']+'/g) ?? [];
  const again = await call('GET', '/', { headers: html });
  expect(nonces.length).toBeGreaterThan(0);
  for (const nonce of nonces) expect(String(again.headers['content-security-policy'])).not.toContain(nonce);
  for (const [tag] of body.matchAll(/<script\b[^>]*>/g)) expect(tag).toMatch(/\bsrc="\/|type="application\/ld\+json"/);
  expect(body).not.toMatch(/<[^>]*\s(on[a-z]+=|(href|src|action)="javascript:)/i);
});

function policyOf(header = ''): Record<string, string[]> {
  return Object.fromEntries(
    header
      .split(';')
      .filter(Boolean)
      .map((rule) => {
        const [name = '', ...sources] = rule.trim().split(/\s+/);
        return [name, sources];
      }),
  );
}
