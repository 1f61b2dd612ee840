import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { listLockWaiters } from '../db/lock-waiters.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { deviceName, sessionIdle } from './sessions.ts';

const { app, call, context, signUp } = await startTestApp();
const { db } = context;

type Person = Awaited<ReturnType<typeof signUp>>;
const signIn = ({ username, password }: Person, cookie?: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/auth/login', { body: { username, password }, headers, ...(cookie && { as: cookie }) });
const cookieOf = (response: Awaited<ReturnType<typeof signIn>>) =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';
const status = async (cookie: string) => (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode;
const list = async (cookie: string) => (await call('GET', '/api/account/sessions', { as: cookie })).json();

test('an id that the browser brought along is not taken over at sign-in', async () => {
  const person = await signUp();
  const chosen = `__Host-sid=${'a'.repeat(43)}`;
  const cookie = cookieOf(await signIn(person, chosen));
  expect(cookie).not.toBe(chosen);
  expect(await status(chosen)).toBe(401);
  expect(await status(cookie)).toBe(200);
});

test('signing in again ends the session that the browser had, also one of somebody else', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const cookie = cookieOf(await signIn(person, other.cookie));
  expect(await status(other.cookie)).toBe(401);
  const again = cookieOf(await signIn(person, cookie));
  expect([await status(cookie), await status(again)]).toEqual([401, 200]);
});

test('an id has 256 bits and only its hash is in the database', async () => {
  const { cookie, id } = await signUp();
  const value = cookie.replace('__Host-sid=', '');
  expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute();
  expect(rows.map(({ id_hash }) => id_hash)).toEqual([createHash('sha256').update(value).digest()]);
  expect(JSON.stringify(rows)).not.toContain(value);
});

test('the cookie is bound to the very host where browsers keep such a cookie, and to a plain name elsewhere', async () => {
  const person = await signUp();
  for (const host of ['localhost:3000', '127.0.0.1:3000']) {
    const cookie = String((await signIn(person, undefined, { host })).headers['set-cookie']);
    expect(cookie).toMatch(/^__Host-sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  }
  const plain = String((await signIn(person, undefined, { host: 'linksieve.example' })).headers['set-cookie']);
  expect(plain).toMatch(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
});

test('a copy of the cookie is worth nothing after signing out, and the browser forgets what it kept', async () => {
  const { cookie } = await signUp();
  const response = await call('POST', '/api/auth/logout', { as: cookie });
  expect(response.headers['clear-site-data']).toBe('"cache"');
  expect(String(response.headers['set-cookie'])).toMatch(/^__Host-sid=; .*Expires=Thu, 01 Jan 1970/);
  expect(await status(cookie)).toBe(401);
  const plain = await call('POST', '/api/auth/logout', { headers: { host: 'linksieve.example' } });
  expect(plain.headers).not.toHaveProperty('clear-site-data');
});

test.each([
  ['30 days after the sign-in, however much it is used', { expires_at: new Date() }],
  ['7 days after its last use', { last_seen_at: new Date(Date.now() - sessionIdle) }],
])('a session is over %s', async (_, change) => {
  const { cookie, id } = await signUp();
  await db.updateTable('sessions').set(change).where('user_id', '=', id).execute();
  expect(await status(cookie)).toBe(401);
});

test('use prolongs a session, but never past its end', async () => {
  const { cookie, id } = await signUp();
  const before = new Date(Date.now() - sessionIdle + 60_000);
  await db.updateTable('sessions').set({ last_seen_at: before }).where('user_id', '=', id).execute();
  const session = () =>
    db
      .selectFrom('sessions')
      .select(['last_seen_at', 'expires_at'])
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
  const { expires_at: end } = await session();
  expect(await status(cookie)).toBe(200);
  const used = await session();
  expect(used.last_seen_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(used.expires_at).toEqual(end);
});

test('rights that are taken and an account that is disabled count from the next call on', async () => {
  const admin = await signUp({ admin: true });
  const count = async () => (await call('GET', '/api/users/count', { as: admin.cookie })).statusCode;
  expect(await count()).toBe(200);
  await db.updateTable('users').set({ is_admin: false }).where('id', '=', admin.id).execute();
  expect(await count()).toBe(403);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', admin.id).execute();
  expect(await count()).toBe(401);
});

test('sessions are listed in words, the last used first, and nothing of them signs anybody in', async () => {
  const person = await signUp();
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
  const elsewhere = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: '192.0.2.7',
    headers: { host: 'localhost:3000', 'user-agent': firefox, origin: 'http://localhost:3000' },
    payload: { username: person.username, password: person.password },
  });
  const response = await call('GET', '/api/account/sessions', { as: person.cookie });
  expect(response.json()).toEqual([
    {
      id: expect.any(Number),
      device: 'Firefox on Windows',
      address: '192.0.2.7',
      signedInAt: expect.stringMatching(/^20\d\d-/),
      lastUsedAt: expect.stringMatching(/^20\d\d-/),
      isThisDevice: false,
    },
    expect.objectContaining({ address: '127.0.0.1', isThisDevice: true }),
  ]);
  const value = cookieOf(elsewhere).replace('__Host-sid=', '');
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(response.body).not.toContain(createHash('sha256').update(value).digest(encoding));
  }
});

test('sessions that are over are not listed', async () => {
  const person = await signUp();
  const [{ id: idle }] = await list(person.cookie);
  const cookie = cookieOf(await signIn(person));
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - sessionIdle) })
    .where('id', '=', idle)
    .execute();
  expect((await list(cookie)).map(({ isThisDevice }: { isThisDevice: boolean }) => isThisDevice)).toEqual([true]);
});

test('one session is ended by its owner, and by nobody else', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const elsewhere = cookieOf(await signIn(person));
  const [{ id }] = await list(elsewhere);
  const end = (as: string) => call('DELETE', `/api/account/sessions/${id}`, { as });
  expect((await end(other.cookie)).statusCode).toBe(404);
  expect(await status(elsewhere)).toBe(200);
  const response = await end(person.cookie);
  expect([response.statusCode, response.headers['set-cookie']]).toEqual([204, undefined]);
  expect([await status(elsewhere), await status(person.cookie)]).toEqual([401, 200]);
  expect((await end(person.cookie)).statusCode).toBe(404);
});

test('ending the session that asks signs its browser out', async () => {
  const { cookie } = await signUp();
  const [{ id }] = await list(cookie);
  const response = await call('DELETE', `/api/account/sessions/${id}`, { as: cookie });
  expect(String(response.headers['set-cookie'])).toContain('__Host-sid=;');
  expect(await status(cookie)).toBe(401);
});

test('signing out everywhere else keeps the session that asks, signing out everywhere none; others keep theirs', async () => {
  const [person, other] = [await signUp(), await signUp()];
  const second = cookieOf(await signIn(person));
  expect((await call('DELETE', '/api/account/sessions/others', { as: second })).statusCode).toBe(204);
  expect([await status(person.cookie), await status(second)]).toEqual([401, 200]);
  const third = cookieOf(await signIn(person));
  const response = await call('DELETE', '/api/account/sessions', { as: third });
  expect([response.statusCode, response.headers['clear-site-data']]).toEqual([204, '"cache"']);
  expect([await status(second), await status(third), await status(other.cookie)]).toEqual([401, 401, 200]);
});

test('visitors have no sessions to see or to end', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['DELETE', '/others'],
    ['DELETE', '/1'],
  ] as const) {
    expect((await call(method, `/api/account/sessions${path}`)).statusCode).toBe(401);
  }
});

test('a sign-in under way with the old password ends where another one is set', async () => {
  const { id, username, password } = await signUp();
  const other = await context.pool.connect();
  await other.query('begin');
  await other.query("update users set password_hash = 'another' where id = $1", [id]);
  const answer = call('POST', '/api/auth/login', { body: { username, password } });
  await expect.poll(() => listLockWaiters(context.pool)).toHaveLength(1);
  await other.query('commit');
  other.release();
  expect((await answer).statusCode).toBe(401);
});

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`;
const android = `Mozilla/5.0 (Linux; Android 10; K) ${webkit}`;
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['Chrome on Windows', windows],
  ['Edge on Windows', `${windows} Edg/142.0.0.0`],
  ['Opera on Windows', `${windows} OPR/124.0.0.0`],
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  ['Safari on iPhone', `${iphone} Version/26.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${iphone} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', `${iphone} FxiOS/144.0 Mobile/15E148 Safari/605.1.15`],
  ['Safari on iPad', `${iphone.replaceAll('iPhone', 'iPad')} Version/26.0 Mobile/15E148 Safari/604.1`],
  ['Chrome on Android', `${android} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Samsung Internet on Android', `${android} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0'],
  ['A browser on Windows', 'Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)'],
  ['curl', 'curl/8.14.1'],
  ['python-requests', 'python-requests/2.32.3'],
])('%s', (name, userAgent) => {
  expect(deviceName(userAgent)).toBe(name);
});

test.each([null, '', 'Mozilla/5.0', '<b>Chrome</b>', 'x'.repeat(500), `${'a'.repeat(40)}/1`])(
  'nothing is made up of %j',
  (userAgent) => {
    expect(deviceName(userAgent)).toBe('Unknown device');
  },
);
