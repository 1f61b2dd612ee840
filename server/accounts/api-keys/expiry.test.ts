import { expect, test } from 'vitest';
import type { ApiKey } from '#shared/accounts/api-keys.ts';
import { startKeyApp } from '../../checks/checks/key-app.fixtures.ts';

const { call, context, send, signUp } = await startKeyApp();
const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

const create = async (cookie: string, body: object = {}): Promise<ApiKey & { keyValue: string }> => {
  const response = await call('POST', '/api/api-keys', { as: cookie, body });
  expect(response.statusCode).toBe(201);
  return response.json();
};
const rotate = (cookie: string, id: number, body: object = {}) =>
  call('POST', `/api/api-keys/${id}/rotate`, { as: cookie, body });
const rotated = async (cookie: string, id: number, body: object = {}): Promise<ApiKey & { keyValue: string }> => {
  const response = await rotate(cookie, id, body);
  expect(response.statusCode).toBe(200);
  return response.json();
};
const list = async ({ cookie, id }: { cookie: string; id: number }): Promise<ApiKey[]> =>
  (await call('GET', `/api/users/${id}/api-keys`, { as: cookie })).json();
const check = (value: string, from = '192.0.2.1') =>
  send('/check?domain=sold.example', { headers: { 'x-api-key': value }, from });
const statusOf = async (value: string) => (await check(value)).statusCode;
/** Moves the end of a key or of the value before the rotation into the past. */
const expire = (id: number, column: 'expires_at' | 'previous_expires_at') =>
  context.db
    .updateTable('api_keys')
    .set({ [column]: new Date('2026-01-31T23:59:00Z') })
    .where('id', '=', id)
    .execute();

test('a key works until it expires, and then returns 401 with the time and what to do', async () => {
  const user = await signUp();
  const expiresAt = inHours(24 * 30);
  const key = await create(user.cookie, { expiresAt });
  expect(key).toMatchObject({ expiresAt, active: true });
  expect(await statusOf(key.keyValue)).toBe(200);
  await expire(key.id, 'expires_at');
  const response = await check(key.keyValue);
  expect([response.statusCode, response.json()]).toMatchObject([
    401,
    {
      code: 'unauthorized',
      error:
        'This API key expired on 2026-01-31 at 23:59 UTC. Rotate it in the API Keys tab of your account, or create another one.',
    },
  ]);
  expect(response.headers['x-ratelimit-remaining']).toBeUndefined();
  expect(await list(user)).toMatchObject([{ id: key.id, active: false, usageCount: 1 }]);
});

test('returns 400 for an expiry in the past and for one that is not a time', async () => {
  const { cookie } = await signUp();
  const { id } = await create(cookie);
  for (const expiresAt of [inHours(-1), '2026-01-31', 'tomorrow', '']) {
    for (const path of ['/api/api-keys', `/api/api-keys/${id}/rotate`]) {
      const response = await call('POST', path, { as: cookie, body: { expiresAt } });
      expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([400, ['expiresAt']]);
    }
  }
  for (const graceHours of [1, -24, 1000, '24'])
    expect((await rotate(cookie, id, { graceHours })).statusCode).toBe(400);
});

test('a rotation keeps the key, its usage and its expiry, and the old value works for a day', async () => {
  const user = await signUp();
  const before = await create(user.cookie, { name: 'Nightly', expiresAt: inHours(24 * 90) });
  expect(await statusOf(before.keyValue)).toBe(200);
  const after = await rotated(user.cookie, before.id);
  expect(after.keyValue).not.toBe(before.keyValue);
  const { id, name, createdAt, expiresAt } = before;
  expect(after).toMatchObject({ id, name, createdAt, expiresAt, usageCount: 1, dailyUsage: 1 });
  const graceHours = (Date.parse(String(after.previousExpiresAt)) - Date.now()) / hourMs;
  expect(graceHours).toBeGreaterThan(23);
  expect(graceHours).toBeLessThanOrEqual(24);
  expect([await statusOf(before.keyValue), await statusOf(after.keyValue)]).toEqual([200, 200]);
  expect(await list(user)).toMatchObject([{ keyValue: after.keyValue, usageCount: 3, dailyUsage: 3 }]);

  await expire(id, 'previous_expires_at');
  const response = await check(before.keyValue);
  expect([response.statusCode, response.json().error]).toEqual([
    401,
    'This API key was replaced, and its old value stopped working on 2026-01-31 at 23:59 UTC. Copy the new value from the API Keys tab of your account.',
  ]);
  expect(await statusOf(after.keyValue)).toBe(200);
  expect(await list(user)).toMatchObject([{ previousExpiresAt: null, active: true }]);
});

test('without a grace period the old value stops working immediately, and so does a value before the old one', async () => {
  const { cookie } = await signUp();
  const first = await create(cookie);
  const second = await rotated(cookie, first.id, { graceHours: 0 });
  expect(second.previousExpiresAt).toBeNull();
  expect([await statusOf(first.keyValue), await statusOf(second.keyValue)]).toEqual([401, 200]);
  const third = await rotated(cookie, first.id, { graceHours: 168 });
  expect(Date.parse(String(third.previousExpiresAt)) - Date.now()).toBeGreaterThan(167 * hourMs);
  const values = [first, second, third].map(({ keyValue }) => keyValue);
  expect(await Promise.all(values.map(statusOf))).toEqual([401, 200, 200]);
});

test('the old value never outlives the key', async () => {
  const { cookie } = await signUp();
  const expiresAt = inHours(2);
  const { id } = await create(cookie, { expiresAt });
  expect(await rotated(cookie, id, { graceHours: 24, expiresAt: null })).toMatchObject({
    expiresAt: null,
    previousExpiresAt: expiresAt,
  });
  const sooner = inHours(1);
  expect(await rotated(cookie, id, { graceHours: 168, expiresAt: sooner })).toMatchObject({
    expiresAt: sooner,
    previousExpiresAt: sooner,
  });
});

test('an expired key needs a new expiry, and its old value stays refused', async () => {
  const { cookie } = await signUp();
  const old = await create(cookie, { expiresAt: inHours(1) });
  await expire(old.id, 'expires_at');
  const refused = await rotate(cookie, old.id);
  expect([refused.statusCode, refused.json().fields]).toEqual([
    400,
    { expiresAt: 'This key has expired. Choose when its new value expires.' },
  ]);
  const renewed = await rotated(cookie, old.id, { expiresAt: inHours(24) });
  expect(renewed).toMatchObject({ active: true, previousExpiresAt: null });
  expect([await statusOf(old.keyValue), await statusOf(renewed.keyValue)]).toEqual([401, 200]);
});

test('users and admins cannot rotate the key of another user', async () => {
  const owner = await signUp();
  const key = await create(owner.cookie);
  for (const { cookie } of [await signUp(), await signUp({ admin: true })]) {
    expect((await rotate(cookie, key.id)).statusCode).toBe(404);
  }
  expect(await statusOf(key.keyValue)).toBe(200);
});

test('a key has the address of its last request that counted, also if several arrive at once', async () => {
  const user = await signUp();
  const key = await create(user.cookie);
  expect(await list(user)).toMatchObject([{ lastAddress: null, lastUsed: null }]);
  await check(key.keyValue, '198.51.100.7');
  expect(await list(user)).toMatchObject([{ lastAddress: '198.51.100.7', lastUsed: expect.any(String) }]);
  await Promise.all(Array.from({ length: 20 }, () => check(key.keyValue, '2001:db8::1')));
  expect(await list(user)).toMatchObject([{ lastAddress: '2001:db8::1', usageCount: 21 }]);
  expect((await check('lsv_wrong', '203.0.113.9')).statusCode).toBe(401);
  expect(await list(user)).toMatchObject([{ lastAddress: '2001:db8::1' }]);
});

test('a copy of the database contains no old value of a key', async () => {
  const { cookie } = await signUp();
  const { id, keyValue } = await create(cookie);
  await rotated(cookie, id);
  const { rows } = await context.pool.query('select api_keys::text as dump from api_keys where id = $1', [id]);
  expect(rows[0].dump).not.toContain(keyValue);
  expect(rows[0].dump).not.toContain(Buffer.from(keyValue).toString('hex'));
});

test('the security activity shows a rotation, and not one that was refused', async () => {
  const user = await signUp();
  const { id } = await create(user.cookie, { name: 'Nightly' });
  await rotated(user.cookie, id);
  expect((await rotate(user.cookie, id, { expiresAt: inHours(-1) })).statusCode).toBe(400);
  const { events } = (await call('GET', '/api/account/events', { as: user.cookie })).json();
  const kinds = events.filter(({ kind }: { kind: string }) => kind === 'api-key-rotated');
  expect(kinds).toMatchObject([{ subject: 'Nightly' }]);
});
