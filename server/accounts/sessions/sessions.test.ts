import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { sessionIdleTimeoutMs } from './sessions.ts';

const { app, call, context, signUp } = await startTestApp();
const { db } = context;

type TestUser = Awaited<ReturnType<typeof signUp>>;
const signIn = ({ username, password }: TestUser, cookie?: string, headers: Record<string, string> = {}) =>
  call('POST', '/api/auth/login', { body: { username, password }, headers, ...(cookie && { as: cookie }) });
const getCookie = (response: Awaited<ReturnType<typeof signIn>>) =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';
const status = async (cookie: string) => (await call('GET', '/api/auth/current-user', { as: cookie })).statusCode;
const list = async (cookie: string) => (await call('GET', '/api/account/sessions', { as: cookie })).json();

test('signing in never reuses a session id that the browser sent', async () => {
  const user = await signUp();
  const chosen = `__Host-sid=${'a'.repeat(43)}`;
  const cookie = getCookie(await signIn(user, chosen));
  expect(cookie).not.toBe(chosen);
  expect(await status(chosen)).toBe(401);
  expect(await status(cookie)).toBe(200);
});

test('signing in ends the previous session of the browser, even of another user', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const cookie = getCookie(await signIn(user, other.cookie));
  expect(await status(other.cookie)).toBe(401);
  const again = getCookie(await signIn(user, cookie));
  expect([await status(cookie), await status(again)]).toEqual([401, 200]);
});

test('a session id has 256 bits, and the database contains only its hash', async () => {
  const { cookie, id } = await signUp();
  const value = cookie.replace('__Host-sid=', '');
  expect(Buffer.from(value, 'base64url')).toHaveLength(32);
  const rows = await db.selectFrom('sessions').selectAll().where('user_id', '=', id).execute();
  expect(rows.map(({ id_hash }) => id_hash)).toEqual([createHash('sha256').update(value).digest()]);
  expect(JSON.stringify(rows)).not.toContain(value);
});

test('the cookie has the __Host- prefix on secure hosts and a plain name over plain HTTP', async () => {
  const user = await signUp();
  for (const host of ['localhost:3000', '127.0.0.1:3000']) {
    expect((await signIn(user, undefined, { host })).headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/^__Host-device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
  }
  expect((await signIn(user, undefined, { host: 'linksieve.example' })).headers['set-cookie']).toEqual([
    expect.stringMatching(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
});

test('signing out invalidates copies of the cookie and clears the browser cache', async () => {
  const { cookie } = await signUp();
  const response = await call('POST', '/api/auth/logout', { as: cookie });
  expect(response.headers['clear-site-data']).toBe('"cache"');
  expect(String(response.headers['set-cookie'])).toMatch(/^__Host-sid=; .*Expires=Thu, 01 Jan 1970/);
  expect(await status(cookie)).toBe(401);
  const plain = await call('POST', '/api/auth/logout', { headers: { host: 'linksieve.example' } });
  expect(plain.headers).not.toHaveProperty('clear-site-data');
});

test.each([
  ['30 days after the sign-in, even if it is used', { expires_at: new Date() }],
  ['7 days after its last use', { last_seen_at: new Date(Date.now() - sessionIdleTimeoutMs) }],
])('a session expires %s', async (_, change) => {
  const { cookie, id } = await signUp();
  await db.updateTable('sessions').set(change).where('user_id', '=', id).execute();
  expect(await status(cookie)).toBe(401);
});

test('use extends the idle timeout of a session, but not its expiry', async () => {
  const { cookie, id } = await signUp();
  const before = new Date(Date.now() - sessionIdleTimeoutMs + 60_000);
  await db.updateTable('sessions').set({ last_seen_at: before }).where('user_id', '=', id).execute();
  const session = () =>
    db
      .selectFrom('sessions')
      .select(['last_seen_at', 'expires_at'])
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow();
  const { expires_at: expiresAt } = await session();
  expect(await status(cookie)).toBe(200);
  const used = await session();
  expect(used.last_seen_at.getTime()).toBeGreaterThan(Date.now() - 60_000);
  expect(used.expires_at).toEqual(expiresAt);
});

test('revoked admin rights and a disabled account take effect on the next call', async () => {
  const admin = await signUp({ admin: true });
  const count = async () => (await call('GET', '/api/users/count', { as: admin.cookie })).statusCode;
  expect(await count()).toBe(200);
  await db.updateTable('users').set({ is_admin: false }).where('id', '=', admin.id).execute();
  expect(await count()).toBe(403);
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', admin.id).execute();
  expect(await count()).toBe(401);
});

test('sessions are listed with device and address, most recently used first, without their secrets', async () => {
  const user = await signUp();
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';
  const elsewhere = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: '192.0.2.7',
    headers: { host: 'localhost:3000', 'user-agent': firefox, origin: 'http://localhost:3000' },
    payload: { username: user.username, password: user.password },
  });
  const response = await call('GET', '/api/account/sessions', { as: user.cookie });
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
  const value = getCookie(elsewhere).replace('__Host-sid=', '');
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(response.body).not.toContain(createHash('sha256').update(value).digest(encoding));
  }
});

test('expired sessions are not listed', async () => {
  const user = await signUp();
  const [{ id: idle }] = await list(user.cookie);
  const cookie = getCookie(await signIn(user));
  await db
    .updateTable('sessions')
    .set({ last_seen_at: new Date(Date.now() - sessionIdleTimeoutMs) })
    .where('id', '=', idle)
    .execute();
  expect((await list(cookie)).map(({ isThisDevice }: { isThisDevice: boolean }) => isThisDevice)).toEqual([true]);
});

test('only its owner can end a session', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const elsewhere = getCookie(await signIn(user));
  const [{ id }] = await list(elsewhere);
  const end = (as: string) => call('DELETE', `/api/account/sessions/${id}`, { as });
  expect((await end(other.cookie)).statusCode).toBe(404);
  expect(await status(elsewhere)).toBe(200);
  const response = await end(user.cookie);
  expect(response.statusCode).toBe(204);
  expect(String(response.headers['set-cookie'])).not.toContain('sid=');
  expect([await status(elsewhere), await status(user.cookie)]).toEqual([401, 200]);
  expect((await end(user.cookie)).statusCode).toBe(404);
});

test('ending the current session clears its cookie', async () => {
  const { cookie } = await signUp();
  const [{ id }] = await list(cookie);
  const response = await call('DELETE', `/api/account/sessions/${id}`, { as: cookie });
  expect(String(response.headers['set-cookie'])).toContain('__Host-sid=;');
  expect(await status(cookie)).toBe(401);
});

test('a user can end all other sessions or all sessions, without affecting other users', async () => {
  const [user, other] = [await signUp(), await signUp()];
  const second = getCookie(await signIn(user));
  expect((await call('DELETE', '/api/account/sessions/others', { as: second })).statusCode).toBe(204);
  expect([await status(user.cookie), await status(second)]).toEqual([401, 200]);
  const third = getCookie(await signIn(user));
  const response = await call('DELETE', '/api/account/sessions', { as: third });
  expect([response.statusCode, response.headers['clear-site-data']]).toEqual([204, '"cache"']);
  expect([await status(second), await status(third), await status(other.cookie)]).toEqual([401, 401, 200]);
});

test('session calls return 401 without a session', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['DELETE', '/others'],
    ['DELETE', '/1'],
  ] as const) {
    expect((await call(method, `/api/account/sessions${path}`)).statusCode).toBe(401);
  }
});

test('a sign-in with the old password fails when the password changes at the same time', async () => {
  const { id, username, password } = await signUp();
  const other = await context.pool.connect();
  await other.query('begin');
  await other.query("update users set password_hash = 'another' where id = $1", [id]);
  const response = call('POST', '/api/auth/login', { body: { username, password } });
  await expect.poll(() => listLockWaiters(context.pool)).toHaveLength(1);
  await other.query('commit');
  other.release();
  expect((await response).statusCode).toBe(401);
});
