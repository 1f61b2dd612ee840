import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ApiKey } from '#shared/api-keys.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { listKeys, openKeyFinder, openQuota } from './api-keys.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;

const create = async (cookie: string, body: object = {}): Promise<ApiKey> => {
  const response = await call('POST', '/api/api-keys', { as: cookie, body });
  expect(response.statusCode).toBe(201);
  return response.json();
};
const listOf = async ({ cookie, id }: { cookie: string; id: number }): Promise<ApiKey[]> =>
  (await call('GET', `/api/users/${id}/api-keys`, { as: cookie })).json();

test('a key is made with a name or without, and stands in the list with its value', async () => {
  const person = await signUp();
  const unnamed = await create(person.cookie, { userId: person.id, name: '  ' });
  const named = await create(person.cookie, { name: ' Nightly check ' });
  expect(unnamed).toEqual({
    id: expect.any(Number),
    name: 'API Key',
    keyValue: expect.stringMatching(/^lsv_[0-9A-Za-z]{38}$/),
    active: true,
    createdAt: expect.stringMatching(/^20\d\d-/),
    usageCount: 0,
    dailyLimit: 1000,
    dailyUsage: 0,
    lastUsed: null,
  });
  expect(named.name).toBe('Nightly check');
  expect(await listOf(person)).toEqual([named, unnamed]);
});

test('a name that is too long or no text is refused beside its field', async () => {
  const { cookie } = await signUp();
  for (const name of ['x'.repeat(51), 'a\0b', 'a\nb']) {
    const response = await call('POST', '/api/api-keys', { as: cookie, body: { name } });
    expect([response.statusCode, Boolean(response.json().fields.name)]).toEqual([400, true]);
  }
});

test('nobody has more than five keys, however fast they ask', async () => {
  const person = await signUp();
  const ask = () => call('POST', '/api/api-keys', { as: person.cookie, body: {} });
  const codes = (await Promise.all(Array.from({ length: 12 }, ask))).map((response) => response.statusCode);
  expect(codes.sort()).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
  expect((await ask()).json().error).toBe('You have 5 API keys, which is the most. Please delete one first.');
  const [first] = await listOf(person);
  expect((await call('DELETE', `/api/api-keys/${first?.id}`, { as: person.cookie })).statusCode).toBe(204);
  expect((await ask()).statusCode).toBe(201);
});

test('nobody sees, makes or deletes the keys of another, not even an admin', async () => {
  const [owner, other, admin] = [await signUp(), await signUp(), await signUp({ admin: true })];
  const key = await create(owner.cookie);
  for (const { cookie } of [other, admin]) {
    const asked = await call('GET', `/api/users/${owner.id}/api-keys`, { as: cookie });
    expect([asked.statusCode, asked.json().error]).toEqual([403, 'This is not your account.']);
    const made = await call('POST', '/api/api-keys', { as: cookie, body: { userId: owner.id } });
    expect(made.statusCode).toBe(403);
    expect((await call('DELETE', `/api/api-keys/${key.id}`, { as: cookie })).statusCode).toBe(404);
  }
  expect(await listOf(owner)).toEqual([key]);
  expect(await listOf(other)).toEqual([]);
});

test('visitors are sent to sign in', async () => {
  const owner = await signUp();
  const { id } = await create(owner.cookie);
  expect((await call('GET', `/api/users/${owner.id}/api-keys`)).statusCode).toBe(401);
  expect((await call('POST', '/api/api-keys', { body: {} })).statusCode).toBe(401);
  expect((await call('DELETE', `/api/api-keys/${id}`)).statusCode).toBe(401);
});

test('use is counted by UTC day', async () => {
  const person = await signUp();
  const { keyValue } = await create(person.cookie);
  const use = async (requests: number, at: string) => {
    const then = { ...context, now: () => new Date(at) };
    const key = await openKeyFinder(then)(String(keyValue));
    if (!key) throw new Error('The key was not found.');
    await openQuota(then)(key, requests, async () => undefined);
  };
  const at = (now: string) => listKeys({ ...context, now: () => new Date(now) }, person.id);
  await use(990, '2026-03-01T23:59:59Z');
  const first = { usageCount: 990, lastUsed: '2026-03-01T23:59:59.000Z' };
  expect(await at('2026-03-01T23:59:59Z')).toMatchObject([{ ...first, dailyUsage: 990 }]);
  expect(await at('2026-03-02T00:00:00Z')).toMatchObject([{ ...first, dailyUsage: 0 }]);
  await use(12, '2026-03-02T04:00:00Z');
  const both = { usageCount: 1002, lastUsed: '2026-03-02T04:00:00.000Z' };
  expect(await at('2026-03-02T23:59:59Z')).toMatchObject([{ ...both, dailyUsage: 12 }]);
  expect(await at('2026-03-03T00:00:00Z')).toMatchObject([{ ...both, dailyUsage: 0 }]);
});

test('the database holds no value, and another secret key hides values without breaking the list', async () => {
  const person = await signUp();
  const { keyValue, ...key } = await create(person.cookie);
  const { rows } = await sql<{
    dump: string;
  }>`select api_keys::text as dump from api_keys where id = ${key.id}`.execute(db);
  expect(rows[0]?.dump).not.toContain(keyValue);
  expect(rows[0]?.dump).not.toContain(Buffer.from(keyValue ?? '').toString('hex'));
  const elsewhere = { ...context, secretKey: randomBytes(32) };
  expect(await listKeys(elsewhere, person.id)).toEqual([{ ...key, keyValue: null }]);
});

test('a sealed value that was moved to another row does not open', async () => {
  const [owner, thief] = [await signUp(), await signUp()];
  const stolen = await create(owner.cookie);
  const own = await create(thief.cookie);
  const { sealed } = await db
    .selectFrom('api_keys')
    .select('sealed')
    .where('id', '=', stolen.id)
    .executeTakeFirstOrThrow();
  await db.updateTable('api_keys').set({ sealed }).where('id', '=', own.id).execute();
  expect(await listOf(thief)).toMatchObject([{ id: own.id, keyValue: null }]);
});

test('a key leads to its owner until it is deleted or the account is disabled', async () => {
  const person = await signUp();
  const [kept, deleted] = [await create(person.cookie), await create(person.cookie)];
  const finder = openKeyFinder(context);
  const find = (key: ApiKey) => finder(String(key.keyValue));
  const found = { keyId: kept.id, userId: person.id, day: new Date().toISOString().slice(0, 10), dailyUsage: 0 };
  expect(await Promise.all([find(kept), find(deleted), find(kept)])).toEqual([
    found,
    { ...found, keyId: deleted.id },
    found,
  ]);
  await call('DELETE', `/api/api-keys/${deleted.id}`, { as: person.cookie });
  expect(await find(deleted)).toBeUndefined();
  await db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', person.id).execute();
  expect(await find(kept)).toBeUndefined();
});
