import { afterAll, expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { checksPerHour } from '../checks/checks.ts';
import { openDatabase } from '../db/database.ts';
import { subscriptionsPerHour } from '../newsletter/newsletter.ts';
import { identifySession } from '../sessions/sessions.ts';
import { submissionsPerHour } from '../submissions/submissions.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { countUse, registrationsPerHour } from './throttle.ts';

const { app, call, context, signUp } = await startTestApp();
const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin' };

/** Another process on the same database: an app of its own with connections of its own. */
async function startAnother() {
  const { db, pool, close } = openDatabase(context.databaseUrl, () => undefined, 5);
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

test('failures count together across processes, and a restart forgets none', async () => {
  const { username, password } = await signUp();
  const [first, second] = [await startAnother(), await startAnother()];
  for (let i = 0; i < 5; i++) {
    expect(await first.logIn(username, 'wrong')).toBe(401);
    expect(await second.logIn(username, 'wrong')).toBe(401);
  }
  expect([await first.logIn(username, password), await second.logIn(username, password)]).toEqual([429, 429]);
  await first.stop();
  const restarted = await startAnother();
  expect(await restarted.logIn(username, password)).toBe(429);
});

test('of guesses at the same moment no more than ten are looked at', async () => {
  const { username } = await signUp();
  const guesses = Array.from({ length: 30 }, (_, i) =>
    call('POST', '/api/auth/login', { body: { username, password: `guess ${i}` } }),
  );
  const codes = (await Promise.all(guesses)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 401)).toHaveLength(10);
  expect(codes.filter((code) => code === 429)).toHaveLength(20);
});

test('an address that guesses at many accounts is stopped, and signing in well counts for nothing', async () => {
  const { username, password } = await signUp();
  const from = { 'x-forwarded-for': '192.0.2.1' };
  const logIn = (name: string, secret: string, more = {}) =>
    call('POST', '/api/auth/login', { body: { username: name, password: secret }, headers: more });
  await context.db.deleteFrom('login_failures').execute();
  for (let i = 0; i < 3; i++) expect((await logIn(username, password)).statusCode).toBe(200);
  expect(await context.db.selectFrom('login_failures').selectAll().execute()).toEqual([]);
  const failedAt = new Date();
  const earlier = Array.from({ length: 99 }, () => ({ key: 'address:127.0.0.1', failed_at: failedAt }));
  await context.db.insertInto('login_failures').values(earlier).execute();
  expect((await logIn('nobody-of-this-name', 'wrong')).statusCode).toBe(401);
  expect((await logIn(username, password)).statusCode).toBe(429);
  // Nobody has set TRUST_PROXY: what a caller says of its own address is nothing.
  expect((await logIn(username, password, from)).statusCode).toBe(429);
});

const visit = { name: 'A person', email: 'a@mail.example', subject: 'A question', message: 'How do I begin?' };
const weak = { username: 'weak-one', email: 'weak@mail.example', password: 'password' };
const site = { evidence: 'Their price list names it in the third row.', source: 'List', cost: '$80', niche: 'Travel' };

test.each<[name: string, max: number, method: 'GET' | 'POST', url: string, body: (i: number) => object | undefined]>([
  ['messages', 10, 'POST', '/api/contact', () => visit],
  ['checks', checksPerHour.visitor, 'GET', '/api/check?domain=a.example', () => undefined],
  ['subscriptions', subscriptionsPerHour, 'POST', '/api/newsletter/subscribe', () => ({ email: 'a@mail.example' })],
  ['registrations', registrationsPerHour, 'POST', '/api/auth/register', () => weak],
  [
    'submissions',
    submissionsPerHour,
    'POST',
    '/api/site-submissions',
    (i) => ({ ...site, domain: `site-${i}.example`, domainRating: i }),
  ],
])('of %s at the same moment %i are taken', async (name, max, method, url, body) => {
  await context.db.deleteFrom('login_failures').execute();
  const as = name === 'submissions' ? { as: (await signUp()).cookie } : {};
  const asked = Array.from({ length: max + 20 }, (_, i) => {
    const sent = body(i);
    return call(method, url, { ...as, ...(sent && { body: sent }) });
  });
  const codes = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(codes.filter((code) => code === 429)).toHaveLength(20);
  expect(codes.filter((code) => code < 429)).toHaveLength(max);
});

test('all addresses of an IPv6 network count as one, and an IPv4 address by way of IPv6 as itself', async () => {
  const check = async (remoteAddress: string) =>
    (await app.inject({ url: '/api/check?domain=a.example', remoteAddress })).statusCode;
  for (const [of, another] of [
    [(i: number) => `2001:db8:1:2:${i}::1`, '2001:db8:1:3::1'],
    [(i: number) => (i % 2 ? '::ffff:192.0.2.9' : '192.0.2.9'), '::ffff:192.0.2.8'],
  ] as const) {
    for (let i = 0; i < checksPerHour.visitor; i++) expect(await check(of(i))).toBe(200);
    expect([await check(of(99)), await check(another)]).toEqual([429, 200]);
  }
});

test('what anybody may do is counted exactly, also at the same moment', async () => {
  const use = { key: 'a-form:192.0.2.1', maxPerHour: 7, sentence: 'Too many.' };
  const uses = Array.from({ length: 25 }, () => countUse(context.db, use, new Date()));
  const done = await Promise.allSettled(uses);
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
});
