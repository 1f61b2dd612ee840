import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const calls = (id: number) =>
  [
    ['GET', '/api/admin/users'],
    ['GET', '/api/admin/users/find?name=x'],
    ['POST', `/api/admin/users/${id}/grant-admin`],
    ['POST', `/api/admin/users/${id}/revoke-admin`],
    ['POST', `/api/admin/users/${id}/disable`],
    ['POST', `/api/admin/users/${id}/enable`],
  ] as const;

test('only admins can list and change accounts', async () => {
  const [user, other] = [await signUp(), await signUp()];
  for (const [method, path] of calls(other.id)) {
    expect([path, (await call(method, path)).statusCode]).toEqual([path, 401]);
    expect([path, (await call(method, path, { as: user.cookie })).statusCode]).toEqual([path, 403]);
  }
});

test('accounts are listed newest first, in pages, and searched by part of a name or address', async () => {
  const admin = await signUp({ admin: true });
  const [first, second] = [await signUp(), await signUp()];
  const list = async (query: string) => (await call('GET', `/api/admin/users?${query}`, { as: admin.cookie })).json();
  const page = await list('pageSize=2');
  expect(page.users.map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
  expect(page.users[0]).toMatchObject({ isAdmin: false, isDisabled: false, email: `${second.username}@mail.example` });
  expect(Date.parse(page.users[0].lastSeen)).toBeGreaterThan(Date.now() - 60_000);
  expect(page.users[0]).not.toHaveProperty('passwordHash');
  expect(page.pagination.totalPages).toBe(Math.ceil(page.pagination.total / 2));
  const found = await list(`search=${first.username.toUpperCase()}@MAIL`);
  expect(found.users.map(({ id }: { id: number }) => id)).toEqual([first.id]);
  expect((await list('search=%25')).users).toEqual([]);
  expect((await list('show=admins')).users.map(({ id }: { id: number }) => id)).toContain(admin.id);
});

test('a user is found by UID, email address or username, the UID first', async () => {
  const admin = await signUp({ admin: true });
  const [named, withUid] = [await signUp(), await signUp()];
  await context.db.updateTable('users').set({ firebase_uid: 'Uid28' }).where('id', '=', withUid.id).execute();
  const find = async (name: string) =>
    (await call('GET', `/api/admin/users/find?name=${encodeURIComponent(name)}`, { as: admin.cookie })).json();
  expect((await find('Uid28')).id).toBe(withUid.id);
  expect((await find('uid28')).code).toBe('not_found');
  expect((await find(`${named.username.toUpperCase()}@mail.example`)).id).toBe(named.id);
  expect((await find(named.username)).id).toBe(named.id);
  await context.db.updateTable('users').set({ firebase_uid: named.username }).where('id', '=', withUid.id).execute();
  expect((await find(named.username)).id).toBe(withUid.id);
});

test('disabling an account ends its sessions and blocks sign-in until it is enabled', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  const disabled = await call('POST', `/api/admin/users/${user.id}/disable`, { as: admin.cookie });
  expect([disabled.statusCode, disabled.json().isDisabled]).toEqual([200, true]);
  expect((await call('GET', '/api/auth/current-user', { as: user.cookie })).statusCode).toBe(401);
  const { username, password } = user;
  expect((await call('POST', '/api/auth/login', { body: { username, password } })).statusCode).toBe(401);
  await call('POST', `/api/admin/users/${user.id}/enable`, { as: admin.cookie });
  expect((await call('POST', '/api/auth/login', { body: { username, password } })).statusCode).toBe(200);
  expect((await call('GET', '/api/auth/current-user', { as: user.cookie })).statusCode).toBe(401);
});

test('admins cannot disable or revoke themselves', async () => {
  const admin = await signUp({ admin: true });
  for (const action of ['revoke-admin', 'disable']) {
    const response = await call('POST', `/api/admin/users/${admin.id}/${action}`, { as: admin.cookie });
    expect([response.statusCode, response.json().code]).toEqual([409, 'conflict']);
  }
  expect((await call('POST', '/api/admin/users/999999/grant-admin', { as: admin.cookie })).statusCode).toBe(404);
});

test.each(['revoke-admin', 'disable'])(
  'admins who call %s on each other at the same time leave at least one admin',
  async (action) => {
    for (let round = 0; round < 5; round++) {
      await context.db.updateTable('users').set({ is_admin: false }).execute();
      const admins = await Promise.all([signUp({ admin: true }), signUp({ admin: true }), signUp({ admin: true })]);
      const codes = await Promise.all(
        admins.map(async ({ cookie }, index) => {
          const target = admins[(index + 1) % admins.length];
          return (await call('POST', `/api/admin/users/${target?.id}/${action}`, { as: cookie })).statusCode;
        }),
      );
      const left = await context.db
        .selectFrom('users')
        .select('id')
        .where('is_admin', '=', true)
        .where('disabled_at', 'is', null)
        .execute();
      expect(left.length).toBeGreaterThanOrEqual(1);
      expect(codes.filter((code) => code === 200)).toHaveLength(3 - left.length);
    }
  },
);

test('changes of accounts are audited, and refused ones are not', async () => {
  const [admin, user] = [await signUp({ admin: true }), await signUp()];
  for (const action of ['grant-admin', 'revoke-admin', 'disable', 'enable']) {
    await call('POST', `/api/admin/users/${user.id}/${action}`, { as: admin.cookie });
  }
  await call('POST', `/api/admin/users/${admin.id}/disable`, { as: admin.cookie });
  const events = await context.db
    .selectFrom('audit_events')
    .selectAll()
    .where('user_id', '=', admin.id)
    .orderBy('id')
    .execute();
  expect(events.map(({ event }) => event)).toEqual([
    'Made an admin',
    'Removed an admin',
    'Disabled an account',
    'Enabled an account',
  ]);
  expect(events[0]).toMatchObject({
    username: admin.username,
    details: { id: user.id, username: user.username },
    address: '127.0.0.1',
  });
});
