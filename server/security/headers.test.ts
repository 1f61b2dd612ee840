import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createScenario } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { app, call, context, users, existing } = scenario;
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

/** Sends a request with a path or method that client libraries refuse. */
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

const as = users.owner.cookie;
const html = { accept: 'text/html' };
const file = app.allRoutes.find(({ url }) => url.startsWith('/assets/') && url.endsWith('.js'))?.url ?? '';
const failWith500 = async () => {
  await context.pool.query('alter table websites rename to websites_gone');
  const response = await call('GET', '/api/profiles', { as });
  await context.pool.query('alter table websites_gone rename to websites');
  return response;
};

const responses: [what: string, status: number, send: () => Promise<{ statusCode: number; headers: object }>][] = [
  ['JSON', 200, () => call('GET', '/api/account', { as })],
  ['a created object', 201, () => call('POST', '/api/api-keys', { as, body: {} })],
  ['no content', 204, () => call('POST', '/api/auth/logout')],
  ['a CSV', 200, () => call('GET', '/api/domains/export/csv', { as })],
  ['a download', 200, () => call('GET', '/api/account/data', { as })],
  ['a report', 200, () => call('GET', `/api/reports/${existing.report.id}/disavow.txt`, { as })],
  ['key usage', 200, () => call('GET', '/api/v1/usage', { headers: { 'x-api-key': users.owner.key } })],
  ['an invalid value', 400, () => call('GET', '/api/domains?page=-1', { as })],
  ['a missing session', 401, () => call('GET', '/api/account')],
  ['missing admin rights', 403, () => call('GET', '/api/admin/users', { as })],
  ['a cross-site request', 403, () => call('POST', '/api/contact', { headers: { 'sec-fetch-site': 'cross-site' } })],
  ['an unknown object', 404, () => call('GET', '/api/reports/999999', { as })],
  ['an unknown API path', 404, () => call('GET', '/api/nothing-here')],
  ['an unknown page', 404, () => call('GET', '/nothing-here', { headers: html })],
  ['a method that the path does not have', 404, () => call('DELETE', '/api/account/data', { as })],
  ['an OPTIONS request', 404, () => raw('/api/account', 'OPTIONS')],
  ['a TRACE request', 404, () => raw('/api/account', 'TRACE')],
  [
    'a body that is too large',
    413,
    () => call('POST', '/api/profiles', { as, body: { domain: 'x'.repeat(3_000_000) } }),
  ],
  [
    'an unsupported content type',
    415,
    () => call('POST', '/api/profiles', { as, payload: 'a', headers: { 'content-type': 'a/b' } }),
  ],
  ['a malformed URL', 400, () => raw('/%zz')],
  ['a server error', 500, failWith500],
  ['a public page', 200, () => call('GET', '/', { headers: html })],
  ['a screen', 200, () => call('GET', '/admin/panel', { as, headers: html })],
  ['a screen that needs an account', 302, () => call('GET', '/admin/panel', { headers: html })],
  ['a file of the web app', 200, () => call('GET', file)],
  ['HEAD of a file', 200, () => call('HEAD', file)],
  ['robots.txt', 200, () => call('GET', '/robots.txt')],
  ['the sitemap', 200, () => call('GET', '/sitemap.xml')],
  ['the description of the search', 200, () => call('GET', '/opensearch.xml')],
  ['llms.txt', 200, () => call('GET', '/llms.txt')],
  ['security.txt', 200, () => call('GET', '/.well-known/security.txt')],
  ['the Atom feed', 200, () => call('GET', '/updates.xml')],
  ['the health check', 200, () => call('GET', '/healthz')],
];

test.each(responses)('%s (%i) has all security headers', async (what, status, send) => {
  const response = await send();
  const headers = response.headers as Record<string, string | undefined>;
  expect([what, response.statusCode]).toEqual([what, status]);
  const policy = parsePolicy(headers['content-security-policy']);
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
  expect(headers['access-control-allow-origin']).toBe(what === 'key usage' ? '*' : undefined);
});

test.each(responses)('%s (%i) allows no foreign or inline script', async (_what, _status, send) => {
  const { headers } = await send();
  const policy = parsePolicy((headers as Record<string, string>)['content-security-policy']);
  const scripts = policy['script-src'] ?? policy['default-src'] ?? [];
  for (const source of scripts)
    expect(source).toMatch(/^('none'|'self'|'nonce-[\w+/=]+'|https:\/\/apis\.google\.com)$/);
  expect(policy['script-src-attr'] ?? scripts).not.toContain("'unsafe-inline'");
  expect(policy['style-src'] ?? []).not.toContain("'unsafe-inline'");
});

test('API responses and pages of users are never stored, and other pages are always revalidated', async () => {
  for (const [what, , send] of responses) {
    const { headers } = await send();
    const { 'cache-control': caching, 'content-type': type } = headers as Record<string, string>;
    if (what === 'JSON' || type?.includes('json') || type?.includes('csv')) {
      expect([what, caching ?? 'nothing']).toEqual([what, what === 'the health check' ? 'nothing' : 'no-store']);
    }
    const isPrivate = what === 'a screen';
    if (type?.includes('html')) expect([what, caching]).toEqual([what, isPrivate ? 'private, no-store' : 'no-cache']);
  }
});

test('a page contains no inline script without a nonce, and each response has new nonces', async () => {
  const { body, headers } = await call('GET', '/', { headers: html });
  const nonces: string[] = String(headers['content-security-policy']).match(/'nonce-[^']+'/g) ?? [];
  const again = await call('GET', '/', { headers: html });
  expect(nonces.length).toBeGreaterThan(0);
  for (const nonce of nonces) expect(String(again.headers['content-security-policy'])).not.toContain(nonce);
  const inline = [...body.matchAll(/<(?:script|style)\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !/\bsrc="\//.test(tag));
  expect(inline.length).toBeGreaterThan(1);
  for (const tag of inline) {
    const [, nonce] = / nonce="([^"]+)"/.exec(tag) ?? [];
    expect(/type="application\/(?:ld\+)?json"/.test(tag) || nonces.includes(`'nonce-${nonce}'`), tag).toBe(true);
  }
  expect(body).not.toMatch(/<[^>]*\s(on[a-z]+=|(href|src|action)="javascript:)/i);
});

function parsePolicy(header = ''): Record<string, string[]> {
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
