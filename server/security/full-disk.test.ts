import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import type { Method } from './scenario.fixtures.ts';

/** No disk has this much free space, so the reserve is reached. */
const full = await startTestApp({ DISK_RESERVE_MB: '999999999', LINKSIEVE_DEBUG: 'true' });
const { app, call, context, signUp } = full;

/** What works apart from deletions and admin work: signing in and out, and what ends by itself. */
const exceptions = [
  // With REQUIRE_ADMIN_SECOND_FACTOR, an admin needs it before anything can be deleted.
  'POST /api/account/second-factor',
  'POST /api/account/second-factor/confirm',
  'POST /api/account/identities/:provider',
  'POST /api/account/reauthenticate',
  'POST /api/account/reauthenticate/firebase',
  'POST /api/auth/firebase',
  'POST /api/auth/firebase/link',
  'POST /api/auth/login',
  'POST /api/auth/login/second-factor',
  'POST /api/auth/logout',
  'GET /api/auth/oidc/:provider/start',
  'GET /api/auth/oidc/:provider/callback',
  'POST /api/auth/reset',
  'POST /api/auth/reset-request',
  'POST /api/newsletter/unsubscribe',
  'POST /api/oauth/revoke',
  'POST /api/setup',
  // Stripe would repeat the event for days, and the payment has already happened.
  'POST /api/stripe/webhook',
  'POST /unsubscribe/:token',
];
/** Requests whose answer needs a body, but which change nothing. */
const readings = [
  'POST /api/backlinks/preview',
  'POST /api/domains/lookup',
  'POST /api/domains/lookup/csv',
  'POST /api/setup/check',
  'POST /api/v1/check/bulk',
  'POST /mcp',
];

const routes = app.allRoutes.flatMap(({ method, url, config }) =>
  [method].flat().map((one) => ({ name: `${one} ${url}`, method: one as Method, url, config })),
);

test('every route that changes something returns 507 while the reserve is reached, with few exceptions', async () => {
  const working: string[] = [];
  for (const { name, method, url, config } of routes) {
    const changes = config?.changes ?? !['GET', 'HEAD', 'OPTIONS'].includes(method);
    if (method === 'HEAD' || (!changes && method !== 'POST')) continue;
    const response = await call(method, url.replace(/:\w+/g, '1').replace('*', ''));
    const { code, error } = response.statusCode === 507 ? response.json() : {};
    if (code !== 'disk_full') working.push(name);
    else expect([name, error]).toEqual([name, expect.stringContaining('You can still read and delete.')]);
  }
  const isAllowed = ({ method, config }: (typeof routes)[number]) => method === 'DELETE' || config?.access === 'admin';
  const allowed = new Set(routes.filter(isAllowed).map(({ name }) => name));
  expect(working.filter((name) => !allowed.has(name)).sort()).toEqual([...exceptions, ...readings].sort());
  expect(working.filter((name) => allowed.has(name)).length).toBeGreaterThan(40);
});

test('a user can sign in and delete, and an admin can work', async () => {
  const [user, admin] = [await signUp(), await signUp({ admin: true })];
  const { id } = await context.db
    .insertInto('websites')
    .values({ user_id: user.id, domain: 'full.example' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { username, password } = user;
  const signedIn = await call('POST', '/api/auth/login', { body: { username, password } });
  expect(signedIn.statusCode).toBe(200);
  const { name, value } = signedIn.cookies[0] ?? {};
  const as = `${name}=${value}`;
  expect((await call('PUT', `/api/profiles/${id}`, { as, body: { tags: ['client'] } })).statusCode).toBe(507);
  expect((await call('DELETE', `/api/profiles/${id}`, { as })).statusCode).toBe(204);
  const body = { domain: 'listed.example', source: 'A list' };
  const added = await call('POST', '/api/domains', { as: admin.cookie, body });
  expect(added.statusCode).toBe(201);
  const { id: domainId } = added.json();
  expect((await call('DELETE', `/api/domains/${domainId}`, { as: admin.cookie })).statusCode).toBe(204);
  expect((await call('POST', '/api/auth/logout', { as })).statusCode).toBe(204);
});
