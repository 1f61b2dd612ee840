import { afterAll, expect, test } from 'vitest';
import { maxSubscriptionsPerHour } from '../../accounts/newsletter/newsletter.ts';
import { identifySession } from '../../accounts/sessions/sessions.ts';
import { buildApp } from '../../app.ts';
import { maxSubmissionsPerHour } from '../../blacklist/submissions/submissions.ts';
import { maxChecksPerHour } from '../../checks/checks/checks.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { openDatabase } from '../db/database.ts';
import { maxRegistrationsPerHour, maxUndelayedFailures, recordAttempt, recordUse, signInLimits } from './throttle.ts';

const { app, call, context, signUp } = await startTestApp();
const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' };

/** Starts an app with its own connections to the same database, like another process. */
async function startSecondApp() {
  const { db, pool, close } = openDatabase(context.databaseUrl, () => undefined, { size: 5 });
  const app = buildApp({ ...context, db, pool, identify: (request) => identifySession(db, request, new Date()) });
  await app.ready();
  afterAll(async () => {
    await app.close();
    await close();
  });
  return {
    stop: () => app.close(),
    logIn: async (username: string, password: string) =>
      (await app.inject({ method: 'POST', url: '/api/auth/login', headers, payload: { username, password } }))
        .statusCode,
  };
}

test('failures are counted across processes and restarts', async () => {
  const { username, password } = await signUp();
  const [first, second] = [await startSecondApp(), await startSecondApp()];
  for (let i = 0; i < 5; i++) {
    expect(await first.logIn(username, 'wrong')).toBe(401);
    expect(await second.logIn(username, 'wrong')).toBe(401);
  }
  expect([await first.logIn(username, password), await second.logIn(username, password)]).toEqual([429, 429]);
  await first.stop();
  const restarted = await startSecondApp();
  expect(await restarted.logIn(username, password)).toBe(429);
});

test('only ten of many concurrent guesses are checked', async () => {
  const { username } = await signUp();
  const guesses = Array.from({ length: 30 }, (_, i) =>
    call('POST', '/api/auth/login', { body: { username, password: `guess ${i}` } }),
  );
  const codes = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 401)).toHaveLength(10);
  expect(codes.filter((code) => code === 429)).toHaveLength(20);
});

test('an address that tries many accounts is throttled, and successful sign-ins are not counted', async () => {
  const { username, password } = await signUp();
  const from = { 'x-forwarded-for': '192.0.2.1' };
  const logIn = (name: string, secret: string, more = {}, remoteAddress = '192.0.2.30') =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      headers: { ...headers, ...more },
      payload: { username: name, password: secret },
    });
  await context.db.deleteFrom('login_failures').execute();
  for (let i = 0; i < 3; i++) expect((await logIn(username, password)).statusCode).toBe(200);
  expect(await context.db.selectFrom('login_failures').selectAll().execute()).toEqual([]);
  const failedAt = new Date();
  const earlier = Array.from({ length: 99 }, () => ({ key: 'address:192.0.2.30', failed_at: failedAt }));
  await context.db.insertInto('login_failures').values(earlier).execute();
  expect((await logIn('unknown-name', 'wrong')).statusCode).toBe(401);
  expect((await logIn(username, password)).statusCode).toBe(429);
  expect((await logIn(username, password, {}, '192.0.2.31')).statusCode).toBe(200);
  // Without TRUST_PROXY, X-Forwarded-For is ignored.
  expect((await logIn(username, password, from)).statusCode).toBe(429);
});

const message = { name: 'A visitor', email: 'a@mail.example', subject: 'A question', message: 'How do I start?' };
const weak = { username: 'weak-one', email: 'weak@mail.example', password: 'password' };
const site = {
  evidence: 'Their price list contains it in the third row.',
  source: 'List',
  cost: '$80',
  niche: 'Travel',
};

test.each<{ name: string; max: number; url: string; body?: (i: number) => object }>([
  { name: 'messages', max: 10, url: '/api/contact', body: () => message },
  { name: 'checks', max: maxChecksPerHour.visitor, url: '/api/check?domain=a.example' },
  {
    name: 'subscriptions',
    max: maxSubscriptionsPerHour,
    url: '/api/newsletter/subscribe',
    body: () => ({ email: 'a@mail.example' }),
  },
  { name: 'registrations', max: maxRegistrationsPerHour, url: '/api/auth/register', body: () => weak },
  {
    name: 'submissions',
    max: maxSubmissionsPerHour,
    url: '/api/site-submissions',
    body: (i) => ({ ...site, domain: `site-${i}.example`, domainRating: i }),
  },
])('of concurrent $name from one address, $max are accepted', async ({ name, max, url, body }) => {
  await context.db.deleteFrom('login_failures').execute();
  const as = name === 'submissions' ? { as: (await signUp()).cookie } : {};
  const calls = Array.from({ length: max + 20 }, (_, i) =>
    body ? call('POST', url, { ...as, body: body(i) }) : call('GET', url, as),
  );
  const codes = (await Promise.all(calls)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 429)).toHaveLength(20);
  expect(codes.filter((code) => code < 429)).toHaveLength(max);
});

test('an IPv6 /64 network counts as one address, and an IPv4-mapped address as its IPv4 address', async () => {
  const check = async (remoteAddress: string) =>
    (await app.inject({ url: '/api/check?domain=a.example', remoteAddress })).statusCode;
  for (const [addressAt, otherNetwork] of [
    [(i: number) => `2001:db8:1:2:${i}::1`, '2001:db8:1:3::1'],
    [(i: number) => (i % 2 ? '::ffff:192.0.2.9' : '192.0.2.9'), '::ffff:192.0.2.8'],
  ] as const) {
    for (let i = 0; i < maxChecksPerHour.visitor; i++) expect(await check(addressAt(i))).toBe(200);
    expect([await check(addressAt(99)), await check(otherNetwork)]).toEqual([429, 200]);
  }
});

test('recordUse accepts exactly maxPerHour concurrent uses', async () => {
  const use = { key: 'a-form:192.0.2.1', maxPerHour: 7, limitMessage: 'Too many.' };
  const uses = Array.from({ length: 25 }, () => recordUse(context.db, use, new Date()));
  const results = await Promise.allSettled(uses);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
});

test.each([
  [-1, 0],
  [0, 1],
  [4, 1],
  [5, 2],
  [10, 4],
  [15, 8],
  [20, 16],
  [25, 32],
  [30, 60],
  [500, 60],
])(
  '%i failures above the limit of an account, from many networks, delay the next attempt by %i seconds',
  async (more, seconds) => {
    const [userId, now] = [1000 + more, new Date()];
    const failures = Array.from({ length: maxUndelayedFailures + more }, () => ({
      key: `account:${userId}`,
      failed_at: now,
    }));
    await context.db.insertInto('login_failures').values(failures).execute();
    const attempt = (ms: number) =>
      recordAttempt(
        context.db,
        signInLimits(userId, 'name', { network: `net-${ms}`, isShared: false }),
        new Date(now.getTime() + ms),
      );
    if (seconds > 0) await expect(attempt(seconds * 1000 - 1)).rejects.toMatchObject({ status: 429 });
    await expect(attempt(seconds * 1000)).resolves.toBeUndefined();
  },
);
