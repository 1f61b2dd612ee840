import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ApiKey } from '#shared/accounts/api-keys.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createKeyCharger, createKeyFinder, listKeysOfUser } from './api-keys.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;

const createKey = async (cookie: string, body: object = {}): Promise<ApiKey> => {
  const response = await call('POST', '/api/api-keys', { as: cookie, body });
  expect(response.statusCode).toBe(201);
  return response.json();
};
const listKeys = async ({ cookie, id }: { cookie: string; id: number }): Promise<ApiKey[]> =>
  (await call('GET', `/api/users/${id}/api-keys`, { as: cookie })).json();

test('creates a key with or without a name, and lists it with its value', async () => {
  const user = await signUp();
  const unnamed = await createKey(user.cookie, { userId: user.id, name: '  ' });
  const named = await createKey(user.cookie, { name: ' Nightly check ' });
  expect(unnamed).toEqual({
    id: expect.any(Number),
    name: 'API Key',
    keyValue: expect.stringMatching(/^lsv_[0-9A-Za-z]{38}$/),
    scopes: ['check'],
    scopesChosen: true,
    assistant: null,
    active: true,
    createdAt: expect.stringMatching(/^20\d\d-/),
    expiresAt: null,
    previousExpiresAt: null,
    usageCount: 0,
    dailyLimit: 1000,
    dailyUsage: 0,
    lastUsed: null,
    lastAddress: null,
  });
  expect(named.name).toBe('Nightly check');
  expect(await listKeys(user)).toEqual([named, unnamed]);
});

test('a key has the scopes that its owner chooses, and its owner can only reduce them', async () => {
  const user = await signUp();
  const { id, scopes } = await createKey(user.cookie, { scopes: ['write', 'check', 'check'] });
  expect(scopes).toEqual(['check', 'write']);
  for (const wrong of [[], ['admin'], 'check']) {
    const response = await call('POST', '/api/api-keys', { as: user.cookie, body: { scopes: wrong } });
    expect([wrong, response.statusCode]).toEqual([wrong, 400]);
  }
  const reduce = async (as: string, chosen: string[]) =>
    (await call('PATCH', `/api/api-keys/${id}`, { as, body: { scopes: chosen } })).statusCode;
  expect(await reduce((await signUp()).cookie, ['check'])).toBe(404);
  expect(await reduce(user.cookie, ['check', 'read'])).toBe(400);
  expect(await reduce(user.cookie, ['check'])).toBe(204);
  expect(await reduce(user.cookie, ['check', 'write'])).toBe(400);
  expect((await listKeys(user))[0]?.scopes).toEqual(['check']);
});

test('a key from before scopes can check and read, until its owner keeps or reduces that', async () => {
  const user = await signUp();
  const { id } = await createKey(user.cookie, { scopes: ['check', 'read'] });
  await db.updateTable('api_keys').set({ scopes_chosen: false }).where('id', '=', id).execute();
  const isChosen = async () => (await listKeys(user))[0]?.scopesChosen;
  expect(await isChosen()).toBe(false);
  await call('PATCH', `/api/api-keys/${id}`, { as: user.cookie, body: { scopes: ['check', 'read'] } });
  expect(await isChosen()).toBe(true);
});

test('returns 400 with the field for a name that is too long or has control characters', async () => {
  const { cookie } = await signUp();
  for (const name of ['x'.repeat(51), 'a\0b', 'a\nb']) {
    const response = await call('POST', '/api/api-keys', { as: cookie, body: { name } });
    expect([response.statusCode, Boolean(response.json().fields.name)]).toEqual([400, true]);
  }
});

test('a user has at most five keys, even with concurrent requests', async () => {
  const user = await signUp();
  const create = () => call('POST', '/api/api-keys', { as: user.cookie, body: {} });
  const codes = (await Promise.all(Array.from({ length: 12 }, create))).map((response) => response.statusCode);
  expect(codes.sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
  expect((await create()).json().error).toBe(
    'You have 5 API keys, which is the maximum. Delete one to create another.',
  );
  const [first] = await listKeys(user);
  expect((await call('DELETE', `/api/api-keys/${first?.id}`, { as: user.cookie })).statusCode).toBe(204);
  expect((await create()).statusCode).toBe(201);
});

test('users and admins cannot list, create or delete the keys of another user', async () => {
  const [owner, other, admin] = [await signUp(), await signUp(), await signUp({ admin: true })];
  const key = await createKey(owner.cookie);
  for (const { cookie } of [other, admin]) {
    const listed = await call('GET', `/api/users/${owner.id}/api-keys`, { as: cookie });
    expect([listed.statusCode, listed.json().error]).toEqual([403, 'This is not your account.']);
    const created = await call('POST', '/api/api-keys', { as: cookie, body: { userId: owner.id } });
    expect(created.statusCode).toBe(403);
    expect((await call('DELETE', `/api/api-keys/${key.id}`, { as: cookie })).statusCode).toBe(404);
  }
  expect(await listKeys(owner)).toEqual([key]);
  expect(await listKeys(other)).toEqual([]);
});

test('returns 401 to visitors', async () => {
  const owner = await signUp();
  const { id } = await createKey(owner.cookie);
  expect((await call('GET', `/api/users/${owner.id}/api-keys`)).statusCode).toBe(401);
  expect((await call('POST', '/api/api-keys', { body: {} })).statusCode).toBe(401);
  expect((await call('DELETE', `/api/api-keys/${id}`)).statusCode).toBe(401);
});

test('counts usage per UTC day', async () => {
  const user = await signUp();
  const { keyValue } = await createKey(user.cookie);
  const use = async (requests: number, at: string) => {
    const then = { ...context, now: () => new Date(at) };
    const key = await createKeyFinder(then)(String(keyValue));
    if (!key) throw new Error('The key was not found.');
    await createKeyCharger(then)({ ...key, address: '192.0.2.1' }, requests, async () => undefined);
  };
  const at = (now: string) => listKeysOfUser({ ...context, now: () => new Date(now) }, user.id);
  await use(990, '2026-03-01T23:59:59Z');
  const first = { usageCount: 990, lastUsed: '2026-03-01T23:59:59.000Z' };
  expect(await at('2026-03-01T23:59:59Z')).toMatchObject([{ ...first, dailyUsage: 990 }]);
  expect(await at('2026-03-02T00:00:00Z')).toMatchObject([{ ...first, dailyUsage: 0 }]);
  await use(12, '2026-03-02T04:00:00Z');
  const both = { usageCount: 1002, lastUsed: '2026-03-02T04:00:00.000Z' };
  expect(await at('2026-03-02T23:59:59Z')).toMatchObject([{ ...both, dailyUsage: 12 }]);
  expect(await at('2026-03-03T00:00:00Z')).toMatchObject([{ ...both, dailyUsage: 0 }]);
});

test('the database contains no key in plain text, and with another secret key the list has null values', async () => {
  const user = await signUp();
  const { keyValue, ...key } = await createKey(user.cookie);
  const { rows } = await sql<{
    dump: string;
  }>`select api_keys::text as dump from api_keys where id = ${key.id}`.execute(db);
  expect(rows[0]?.dump).not.toContain(keyValue);
  expect(rows[0]?.dump).not.toContain(Buffer.from(keyValue ?? '').toString('hex'));
  const elsewhere = { ...context, secretKey: { current: randomBytes(32), previous: undefined } };
  expect(await listKeysOfUser(elsewhere, user.id)).toEqual([{ ...key, keyValue: null }]);
});

test('a sealed value that was copied to another row cannot be decrypted', async () => {
  const [owner, thief] = [await signUp(), await signUp()];
  const stolen = await createKey(owner.cookie);
  const ownKey = await createKey(thief.cookie);
  const { sealed } = await db
    .selectFrom('api_keys')
    .select('sealed')
    .where('id', '=', stolen.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('api_keys').set({ sealed }).where('id', '=', ownKey.id).execute();
  expect(await listKeys(thief)).toMatchObject([{ id: ownKey.id, keyValue: null }]);
});

test('finds the owner of a key until it is deleted or the account is disabled', async () => {
  const user = await signUp();
  const [active, deleted] = [await createKey(user.cookie), await createKey(user.cookie)];
  const finder = createKeyFinder(context);
  const find = (key: ApiKey) => finder(String(key.keyValue));
  const found = {
    keyId: active.id,
    userId: user.id,
    day: new Date().toISOString().slice(0, 10),
    dailyUsage: 0,
    expiresAt: null,
    isReplaced: false,
    scopes: ['check'],
  };
  expect(await Promise.all([find(active), find(deleted), find(active)])).toEqual([
    found,
    { ...found, keyId: deleted.id },
    found,
  ]);
  await call('DELETE', `/api/api-keys/${deleted.id}`, { as: user.cookie });
  expect(await find(deleted)).toBeUndefined();
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', user.id).execute();
  expect(await find(active)).toBeUndefined();
});
