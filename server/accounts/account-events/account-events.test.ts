import { expect, test } from 'vitest';
import { maxFailures } from '../../platform/throttle/throttle.ts';
import { startTestApp, type TestUser } from '../../test-app.fixtures.ts';
import { buildFactorCalls, generateCode, getCookies } from '../accounts/second-factor/second-factor.fixtures.ts';
import { createResetLink } from '../accounts/set-password.ts';
import { deleteOldAccountEvents, maxEventsPerKind } from './account-events.ts';

const { app, call, context, signUp } = await startTestApp();
const { db } = context;
const { turnOn, enterCode } = buildFactorCalls({ call, context });
const admin = await signUp({ admin: true });

const logIn = ({ username }: Pick<TestUser, 'username'>, password: string, remoteAddress = '192.0.2.7') =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', 'user-agent': 'curl/8.14.1' },
    payload: { username, password },
  });
const list = async (as: string, query = '') => (await call('GET', `/api/account/events${query}`, { as })).json();
const kinds = async (as: string): Promise<string[]> =>
  (await list(as, '?pageSize=100')).events.map(({ kind }: { kind: string }) => kind);
const countRows = async () => Number((await context.pool.query('select count(*) from account_events')).rows[0].count);

test('a sign-in is shown with its address, device and time', async () => {
  const user = await signUp();
  expect((await logIn(user, user.password)).statusCode).toBe(200);
  expect(await list(user.cookie)).toEqual({
    events: [
      {
        id: expect.any(Number),
        kind: 'signed-in',
        subject: null,
        address: '192.0.2.7',
        device: 'curl',
        count: 1,
        date: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    ],
    pagination: { page: 0, pageSize: 10, total: 1, totalPages: 1 },
  });
});

test('wrong passwords of one network within an hour are one event with a count', async () => {
  const user = await signUp();
  for (const address of ['192.0.2.7', '192.0.2.7', '192.0.2.8', '192.0.2.7']) {
    expect((await logIn(user, 'wrong', address)).statusCode).toBe(401);
  }
  const { events } = await list(user.cookie);
  expect(events).toMatchObject([
    { kind: 'wrong-password', address: '192.0.2.7', count: 3 },
    { kind: 'wrong-password', address: '192.0.2.8', count: 1 },
  ]);
  await context.pool.query("update account_events set hour = hour - interval '1 hour' where user_id = $1", [user.id]);
  await logIn(user, 'wrong');
  expect(await kinds(user.cookie)).toHaveLength(3);
});

test('refused sign-ins are one event for each network and hour, however many there are', async () => {
  const user = await signUp();
  for (let i = 0; i < maxFailures + 5; i++) await logIn(user, 'wrong');
  const { events } = await list(user.cookie);
  expect(events).toMatchObject([
    { kind: 'locked', count: 1 },
    { kind: 'wrong-password', count: maxFailures },
  ]);
});

test('a sign-in with an unknown username is not stored, because it may be a password', async () => {
  const before = await countRows();
  expect((await logIn({ username: 'no-such-user' }, 'wrong')).statusCode).toBe(401);
  expect(await countRows()).toBe(before);
});

test('a sign-in and its event are stored together or not at all', async () => {
  const user = await signUp();
  const sessions = () => db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  await context.pool.query('alter table account_events add constraint closed check (false) not valid');
  try {
    expect((await logIn(user, user.password)).statusCode).toBe(500);
  } finally {
    await context.pool.query('alter table account_events drop constraint closed');
  }
  expect(await sessions()).toHaveLength(1);
  expect(await kinds(user.cookie)).toEqual([]);
});

test('a registration, a new password and signing out everywhere are shown', async () => {
  const [username, password] = ['new-account', 'a long enough secret'];
  const body = { username, password, email: 'new-account@mail.example' };
  const registered = await call('POST', '/api/auth/register', { body });
  const as = getCookies(registered);
  const change = { currentPassword: 'wrong', newPassword: 'another long secret' };
  expect((await call('POST', '/api/account/password', { as, body: change })).statusCode).toBe(400);
  const right = { ...change, currentPassword: password };
  expect((await call('POST', '/api/account/password', { as, body: right })).statusCode).toBe(204);
  expect((await call('DELETE', '/api/account/sessions/others', { as })).statusCode).toBe(204);
  expect((await call('DELETE', '/api/account/sessions', { as })).statusCode).toBe(204);
  const again = getCookies(await call('POST', '/api/auth/login', { body: { username, password: right.newPassword } }));
  expect(await kinds(again)).toEqual([
    'signed-in',
    'signed-out-all',
    'signed-out-others',
    'password-changed',
    'wrong-password',
    'account-created',
  ]);
});

test('a reset link, a new email address and ending a session are shown', async () => {
  const user = await signUp();
  const { path } = await createResetLink(db, user.id, new Date());
  const password = 'another long secret';
  const reset = await call('POST', '/api/auth/reset', { body: { token: path.split('#')[1] ?? '', password } });
  const as = getCookies(reset);
  const email = { email: 'moved@mail.example', currentPassword: password };
  expect((await call('POST', '/api/account/email', { as, body: email })).statusCode).toBe(200);
  await logIn(user, password);
  const sessions = (await call('GET', '/api/account/sessions', { as })).json();
  const other = sessions.find(({ isThisDevice }: { isThisDevice: boolean }) => !isThisDevice);
  expect((await call('DELETE', `/api/account/sessions/${other.id}`, { as })).statusCode).toBe(204);
  expect(await kinds(as)).toEqual([
    'signed-out-device',
    'signed-in',
    'email-changed',
    'signed-in-reset-link',
    'password-changed',
  ]);
});

test('two-factor authentication, its sign-ins and wrong codes are shown', async () => {
  const user = await signUp();
  const { secret, recoveryCodes } = await turnOn(user);
  const challenge = async () => (await logIn(user, user.password)).json().challenge;
  expect((await enterCode(await challenge(), '000000')).statusCode).toBe(400);
  expect((await enterCode(await challenge(), 'AAAA-AAAA-AAAA-AAAA')).statusCode).toBe(400);
  expect((await enterCode(await challenge(), generateCode(secret))).statusCode).toBe(200);
  expect((await enterCode(await challenge(), recoveryCodes[0] ?? '')).statusCode).toBe(200);
  const as = user.cookie;
  expect((await call('POST', '/api/account/second-factor/recovery-codes', { as })).statusCode).toBe(200);
  expect((await call('DELETE', '/api/account/second-factor', { as })).statusCode).toBe(204);
  const { events } = await list(as);
  expect(events.map(({ kind, count }: { kind: string; count: number }) => `${kind} ${count}`)).toEqual([
    'second-factor-off 1',
    'recovery-codes-renewed 1',
    'signed-in-recovery-code 1',
    'signed-in-code 1',
    'wrong-code 2',
    'second-factor-on 1',
  ]);
});

test('creating, showing, rotating, reducing and deleting API keys is shown with their names', async () => {
  const { cookie: as, id: userId } = await signUp();
  const { id } = (await call('POST', '/api/api-keys', { as, body: { name: 'CI', scopes: ['check', 'read'] } })).json();
  for (let i = 0; i < 2; i++)
    expect((await call('GET', `/api/users/${userId}/api-keys`, { as })).json()).toHaveLength(1);
  expect((await call('POST', `/api/api-keys/${id}/rotate`, { as, body: {} })).statusCode).toBe(200);
  // Keeping the scopes is no event.
  for (const scopes of [['check', 'read'], ['check'], ['check']])
    expect((await call('PATCH', `/api/api-keys/${id}`, { as, body: { scopes } })).statusCode).toBe(204);
  expect((await call('DELETE', `/api/api-keys/${id}`, { as })).statusCode).toBe(204);
  expect((await list(as)).events).toMatchObject([
    { kind: 'api-key-deleted', subject: 'CI' },
    { kind: 'api-key-reduced', subject: 'CI' },
    { kind: 'api-key-rotated', subject: 'CI' },
    { kind: 'api-keys-shown', count: 1 },
    { kind: 'api-key-created', subject: 'CI' },
  ]);
});

test('users see only their own events, and admins those of all accounts, by kind and user', async () => {
  const [user, other] = [await signUp(), await signUp()];
  await logIn(user, 'wrong');
  await logIn(user, user.password);
  expect(await kinds(other.cookie)).toEqual([]);
  const find = async (query: string) =>
    (await call('GET', `/api/admin/account-events?${query}`, { as: admin.cookie })).json().events;
  expect(await find(`user=${user.username}`)).toMatchObject([
    { kind: 'signed-in', username: user.username },
    { kind: 'wrong-password', username: user.username },
  ]);
  expect(await find(`user=${user.username}&kind=signed-in`)).toHaveLength(1);
  expect(await find(`user=${other.username}`)).toEqual([]);
});

test('events are deleted with their account', async () => {
  const user = await signUp();
  await logIn(user, 'wrong');
  const rows = () => db.selectFrom('account_events').select('id').where('user_id', '=', user.id).execute();
  expect(await rows()).toHaveLength(1);
  const body = { password: user.password };
  expect((await call('DELETE', '/api/account', { as: user.cookie, body })).statusCode).toBe(204);
  expect(await rows()).toEqual([]);
});

test('events are deleted after 400 days, and an account keeps the newest 1,000 of each kind', async () => {
  const user = await signUp();
  const now = Date.now();
  await context.pool.query(
    `insert into account_events (user_id, kind, address, device, last_at)
     select $1::bigint, 'signed-in', n::text, 'curl', $2::timestamptz - n * interval '1 minute' from generate_series(1, $3) n
     union all select $1::bigint, 'password-changed', 'old', 'curl', $2::timestamptz - interval '401 days'
     union all select $1::bigint, 'password-changed', 'kept', 'curl', $2::timestamptz - interval '399 days'`,
    [user.id, new Date(now), maxEventsPerKind + 2],
  );
  await deleteOldAccountEvents(db, new Date(now));
  const rows = await db
    .selectFrom('account_events')
    .select(['kind', 'address'])
    .where('user_id', '=', user.id)
    .orderBy('last_at')
    .execute();
  expect(rows).toHaveLength(maxEventsPerKind + 1);
  expect(rows.slice(0, 2)).toEqual([
    { kind: 'password-changed', address: 'kept' },
    { kind: 'signed-in', address: String(maxEventsPerKind) },
  ]);
});
