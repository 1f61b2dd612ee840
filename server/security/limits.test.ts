import { expect, test } from 'vitest';
import { publishedFormats, publishedLists } from '#shared/blacklist/published-list.ts';
import { maxSignInsPerHour } from '../accounts/accounts/google/google-sign-in.ts';
import { maxOidcSignInsPerHour } from '../accounts/accounts/oidc/oidc-sign-in.ts';
import { maxCodesPerHour } from '../accounts/accounts/sign-in.ts';
import { maxOAuthCallsPerHour } from '../accounts/api-keys/oauth/routes.ts';
import { maxSubscriptionsPerHour } from '../accounts/newsletter/newsletter.ts';
import { maxWrongLinksPerHour } from '../accounts/setup/setup.ts';
import { maxChecksPerHour, maxListChecksPerHour } from '../checks/checks/checks.ts';
import { maxDownloadsPerHour } from '../checks/published-list/routes.ts';
import { maxRegistrationsPerHour } from '../platform/throttle/throttle.ts';
import { maxFeedRequestsPerHour, toFeedPath } from '../reports/alert-feed/alert-feed.ts';
import { maxUnsubscribesPerHour, toUnsubscribePath } from '../reports/digests/unsubscribe.ts';
import { maxSharedRequestsPerHour } from '../reports/reports/share.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { rights } from './rights-table.fixtures.ts';

const { app, context } = await startTestApp({
  // There is no server at these addresses: the limits count requests before they would be contacted.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Linksieve <noreply@mail.example>',
  FIREBASE_API_KEY: 'key',
  FIREBASE_AUTH_DOMAIN: 'project.firebaseapp.com',
  FIREBASE_PROJECT_ID: 'project',
  FIREBASE_JWKS_URL: 'http://127.0.0.1:9/keys',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'linksieve',
  OIDC_CLIENT_SECRET: 'secret',
  PUBLISH_BLACKLIST: '1',
});

interface Limited {
  /** The path with its parameters filled in. */
  path?: string;
  body?: object;
  query?: string;
  /** The number of calls per hour that one address can make, or that can be made with one token. */
  max: number;
}

/** Of one address, for all calls together. */
const maxRequestsPerMinute = 1200;
const unknownToken = 'A'.repeat(43);

/** Calls of visitors that cost us something, each with the input that is cheapest for this test. */
const limited: Record<string, Limited> = {
  'POST /api/auth/login': { body: { username: 'nobody-here', password: 'whatever it is' }, max: 10 },
  'POST /api/auth/login/second-factor': { body: { challenge: 'made-up', code: '123456' }, max: maxCodesPerHour },
  'POST /api/auth/register': {
    body: { username: 'weak-one', email: 'weak@mail.example', password: 'password' },
    max: maxRegistrationsPerHour,
  },
  'POST /api/contact': {
    body: { name: 'A visitor', email: 'a@mail.example', subject: 'A question', message: 'How do I start?' },
    max: 10,
  },
  'POST /api/oauth/register': {
    body: { redirect_uris: ['http://refused.example'] },
    max: maxOAuthCallsPerHour.clients,
  },
  'GET /api/oauth/authorize': { max: maxOAuthCallsPerHour.requests },
  'POST /api/newsletter/subscribe': { body: { email: 'a@mail.example' }, max: maxSubscriptionsPerHour },
  'POST /api/auth/reset-request': { body: { email: 'a@mail.example' }, max: 20 },
  'POST /api/auth/reset': { body: { token: 'made-up', password: 'a long enough secret' }, max: 60 },
  'POST /api/auth/firebase': { body: { idToken: 'a.b.c' }, max: maxSignInsPerHour },
  'POST /api/auth/firebase/link': { body: { idToken: 'a.b.c', password: 'any' }, max: maxSignInsPerHour },
  'GET /api/auth/oidc/:provider/start': {
    path: '/api/auth/oidc/single-sign-on/start',
    max: maxOidcSignInsPerHour,
  },
  'POST /api/setup/check': { body: { token: 'made-up' }, max: maxWrongLinksPerHour },
  'POST /api/setup': {
    body: { token: 'made-up', username: 'first', email: 'a@mail.example', password: 'a long enough secret' },
    max: maxWrongLinksPerHour,
  },
  'GET /api/domains/by-name/:name': { path: '/api/domains/by-name/a.example', max: maxChecksPerHour.visitor },
  'POST /api/domain-lists': { body: { text: 'a.example' }, max: maxListChecksPerHour.visitor },
  'GET /api/shared/:token': { path: `/api/shared/${unknownToken}`, max: maxSharedRequestsPerHour },
  'GET /api/shared/:token/logo': { path: `/api/shared/${unknownToken}/logo`, max: maxSharedRequestsPerHour },
  'GET /api/shared/:token/domains': { path: `/api/shared/${unknownToken}/domains`, max: maxSharedRequestsPerHour },
  'GET /api/shared/:token/backlinks': {
    path: `/api/shared/${unknownToken}/backlinks`,
    query: '?domain=a.example',
    max: maxSharedRequestsPerHour,
  },
  'POST /unsubscribe/:token': { path: toUnsubscribePath(context.secretKey, 1), max: maxUnsubscribesPerHour },
  'GET /alerts/:token.xml': { path: toFeedPath(context.secretKey, 1, 1), max: maxFeedRequestsPerHour },
  'GET /api/check': { query: '?domain=a.example', max: maxChecksPerHour.visitor },
  ...Object.fromEntries(
    publishedFormats.map((format) => [`GET ${publishedLists[format].path}`, { max: maxDownloadsPerHour }]),
  ),
};

/** Calls that only the limit of all calls together applies to, which has a test of its own. */
const limitedTogether = ['GET /api/v1/range', 'GET /api/v1/range/:prefix'];

/** Cheap calls without an effect on other users. */
const unlimited = [
  'POST /api/auth/logout',
  'GET /api/stats/count',
  'GET /api/updates',
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /unsubscribe/:token',
];

test('every expensive call of a visitor has a limit', () => {
  const google = ['POST /api/auth/firebase', 'POST /api/auth/firebase/link', 'GET /api/auth/oidc/:provider/start'];
  // The scenario of the table has an admin, so it refuses them.
  const setup = ['POST /api/setup/check', 'POST /api/setup'];
  // Without the parameters of an assistant, it is refused.
  const oauth = ['GET /api/oauth/authorize'];
  const open = Object.entries(rights)
    .filter(
      ([name, { visitor }]) =>
        /\/(?:api|feeds|unsubscribe|alerts)\//.test(name) && [visitor].flat().some((status) => status < 400),
    )
    .map(([name]) => name);
  expect([...open.filter((name) => !unlimited.includes(name)), ...google, ...setup, ...oauth].sort()).toEqual(
    [...Object.keys(limited), ...limitedTogether].sort(),
  );
});

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

async function send(name: string, remoteAddress: string, headers: Record<string, string> = {}) {
  const [method = 'GET', template = ''] = name.split(' ');
  const { path = template, body, query = '' } = limited[name] ?? {};
  return app.inject({
    method: method as 'GET' | 'POST',
    url: `${path}${query}`,
    remoteAddress,
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...headers },
    ...(body && { payload: body }),
  });
}

/** Counts the calls since then again, as often as given, because sending hundreds takes long. */
const repeatCalls = (start: Date, times: number) =>
  context.pool.query(
    'insert into login_failures (key, failed_at) select key, failed_at from login_failures, generate_series(1, $2) where failed_at >= $1',
    [start, times],
  );

test.each(Object.entries(limited))(
  '%s eventually returns 429, whatever proxy headers it sends',
  async (name, { max }) => {
    const address = newAddress();
    const start = new Date();
    expect((await send(name, address)).statusCode).not.toBe(429);
    await repeatCalls(start, max - 2);
    for (let accepted = 1; (await send(name, address)).statusCode !== 429; accepted++)
      expect(accepted).toBeLessThan(max);
    const proxies: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '198.51.100.7' },
      { forwarded: 'for=198.51.100.7' },
      { 'x-real-ip': '198.51.100.7' },
      { 'x-client-ip': '198.51.100.7', 'cf-connecting-ip': '198.51.100.7', 'true-client-ip': '198.51.100.7' },
    ];
    for (const headers of proxies) {
      const response = await send(name, address, headers);
      expect([headers, response.statusCode, Number(response.headers['retry-after']) > 0]).toEqual([headers, 429, true]);
      expect(response.json()).toMatchObject({ code: 'too_many_requests', error: expect.stringMatching(/[a-z]\.$/) });
    }
  },
);

test('an address can make 1,200 calls a minute in all, without affecting others', async () => {
  const remoteAddress = newAddress();
  const call = (from: string, url = '/api/account') => app.inject({ url, remoteAddress: from });
  const codes: number[] = [];
  for (let count = 0; count < maxRequestsPerMinute + 10; count++) codes.push((await call(remoteAddress)).statusCode);
  expect([codes.indexOf(429), codes.at(-1)]).toEqual([maxRequestsPerMinute, 429]);
  expect((await call(remoteAddress, '/api/nothing-here')).statusCode).toBe(429);
  expect((await call(newAddress())).statusCode).toBe(401);
  expect((await app.inject({ url: '/healthz', remoteAddress })).statusCode).toBe(200);
});

test('X-Forwarded headers are trusted only when TRUST_PROXY is set', async () => {
  const behind = await startTestApp({ TRUST_PROXY: '1' });
  const register = (target: typeof app, headers: Record<string, string>) =>
    target.inject({
      method: 'POST',
      url: '/api/auth/register',
      headers: { host: 'links.example', 'sec-fetch-site': 'same-origin', ...headers },
      payload: {
        username: `user${++addresses}`,
        email: `user${addresses}@mail.example`,
        password: 'a quite long one, this',
      },
    });
  const forwarded = {
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '198.51.100.7',
    'x-forwarded-host': 'evil.example',
  };
  const trusted = String((await register(behind.app, forwarded)).headers['set-cookie']);
  expect(trusted).toMatch(/^__Host-sid=[\w-]{43};/);
  for (const word of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(trusted).toContain(word);
  expect(trusted).not.toMatch(/domain/i);
  expect(String((await register(app, forwarded)).headers['set-cookie'])).toMatch(/^sid=/);
  const listSessionAddresses = async ({ context }: Pick<typeof behind, 'context'>) =>
    (await context.db.selectFrom('sessions').select('address').execute()).map(({ address }) => address);
  expect(await listSessionAddresses(behind)).toEqual(['198.51.100.7']);
  expect((await register(behind.app, { ...forwarded, origin: 'https://evil.example' })).statusCode).toBe(403);
});
