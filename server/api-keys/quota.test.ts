import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import type { Context } from '../context.ts';
import type { HttpError } from '../http/errors.ts';
import { openFailingDatabase } from '../security/failing-database.fixtures.ts';
import { startTestApp } from '../test-context.ts';
import { openQuota } from './quota.ts';

const { call, context, signUp } = await startTestApp();

/** A new key, as its requests carry it. */
async function newKey() {
  const { cookie, id: userId } = await signUp();
  const { id: keyId, keyValue } = (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json();
  return { keyId: keyId as number, userId, used: 0, value: keyValue as string };
}
const nothing = async () => undefined;
/** What stands in the database of a key, day by day. */
const rowsOf = async ({ keyId }: { keyId: number }) => {
  const { rows } = await context.pool.query(
    'select day::text, requests, granted from api_key_usage where key_id = $1 order by day',
    [keyId],
  );
  return rows;
};
const statusOf = async (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { status: number }) => error.status,
  );
const quotaAt = (now: () => Date, also: Partial<Context> = {}, flushAfter?: number) =>
  openQuota({ ...context, ...also, now }, flushAfter);
const never = 1_000_000;

test('requests are taken in blocks, and after each writing down nothing is held', async () => {
  const key = await newKey();
  const quota = quotaAt(() => new Date('2026-03-01T10:00:00Z'), {}, never);
  for (let i = 0; i < 7; i++) await quota.charge(key, 1, nothing);
  expect(await rowsOf(key)).toEqual([{ day: '2026-03-01', requests: 0, granted: 50 }]);
  expect(quota.left(key)).toBe(993);
  await quota.flush();
  expect(await rowsOf(key)).toEqual([{ day: '2026-03-01', requests: 7, granted: 7 }]);
  expect(quota.left({ ...key, used: 7 })).toBe(993);
  await quota.close();
});

test('what was spent is written down within a second by itself, and nothing is left to write', async () => {
  const key = await newKey();
  const quota = quotaAt(() => new Date());
  await quota.charge(key, 3, nothing);
  await expect.poll(() => rowsOf(key)).toMatchObject([{ requests: 3, granted: 3 }]);
  await quota.close();
});

test('a call that was written down before it is answered knows what is left after it', async () => {
  const key = await newKey();
  const quota = quotaAt(() => new Date('2026-03-01T10:00:00Z'), {}, never);
  await quota.charge(key, 20, () => quota.flush());
  expect(quota.left(key)).toBe(980);
  await quota.close();
});

test('work that fails costs nothing, also when it was written down meanwhile', async () => {
  const key = await newKey();
  const quota = quotaAt(() => new Date('2026-03-01T10:00:00Z'));
  await quota.charge(key, 1, nothing);
  for (const flushed of [false, true]) {
    const failing = quota.charge(key, 20, async () => {
      if (flushed) await quota.flush();
      throw new Error('The database is away.');
    });
    await expect(failing).rejects.toThrow('The database is away.');
    expect(quota.left(key)).toBe(999);
  }
  await quota.flush();
  expect(await rowsOf(key)).toMatchObject([{ requests: 1, granted: 1 }]);
});

test('a day begins at midnight UTC, also for what was taken before', async () => {
  const key = await newKey();
  let now = new Date('2026-03-01T23:59:59.900Z');
  const quota = quotaAt(() => now);
  await quota.charge(key, 1000, nothing);
  expect(await statusOf(quota.charge(key, 1, nothing))).toBe(429);
  const other = await newKey();
  await quota.charge(other, 1, nothing);
  now = new Date('2026-03-02T00:00:00Z');
  await quota.charge(key, 2, nothing);
  await quota.charge(other, 4, nothing);
  await quota.flush();
  expect(await rowsOf(key)).toEqual([
    { day: '2026-03-01', requests: 1000, granted: 1000 },
    { day: '2026-03-02', requests: 2, granted: 2 },
  ]);
  expect(await rowsOf(other)).toEqual([
    { day: '2026-03-01', requests: 1, granted: 1 },
    { day: '2026-03-02', requests: 4, granted: 4 },
  ]);
});

/** A key of which one process has spent 950 of 1,000 requests, while the other has spent 1 and holds 49. */
async function nearlySpent() {
  const key = await newKey();
  const now = () => new Date('2026-03-01T10:00:00Z');
  const [one, other] = [quotaAt(now), quotaAt(now)];
  await other.charge(key, 1, nothing);
  await one.charge(key, 500, nothing);
  await one.charge(key, 450, nothing);
  return { key, one, other };
}

test('what another process holds and gives back is waited for once, and the quota ends at its limit', async () => {
  const { key, one, other } = await nearlySpent();
  // 49 are held by the other, which gives them back within its second.
  const codes = await Promise.all(Array.from({ length: 60 }, () => statusOf(one.charge(key, 1, nothing))));
  expect(codes.filter((code) => code === 200)).toHaveLength(49);
  await Promise.all([one.close(), other.close()]);
  expect(await rowsOf(key)).toMatchObject([{ requests: 1000, granted: 1000 }]);
});

test('who finds too many waiting for what others hold is told to come again in seconds, not tomorrow', async () => {
  const { key, one, other } = await nearlySpent();
  const waits = await Promise.all(
    Array.from({ length: 110 }, () =>
      one.charge(key, 1, nothing).catch((error: HttpError) => Number(error.headers['retry-after'])),
    ),
  );
  const [answered, soon, tomorrow] = [undefined, 2, 14 * 3600].map(
    (told) => waits.filter((seconds) => seconds === told).length,
  );
  expect([answered, soon && soon + (tomorrow ?? 0)]).toEqual([49, 61]);
  // Those who did wait know that the day is over.
  expect(tomorrow).toBeLessThanOrEqual(51);
  await Promise.all([one.close(), other.close()]);
});

test('what a killed process held counts as used: the limit is never exceeded', async () => {
  const key = await newKey();
  const now = () => new Date('2026-03-01T10:00:00Z');
  await context.pool.query(
    "insert into api_key_usage (key_id, day, requests, granted, last_used_at) values ($1, '2026-03-01', 1, 50, now())",
    [key.keyId],
  );
  const quota = quotaAt(now);
  await quota.charge(key, 500, nothing);
  await quota.charge(key, 449, nothing);
  const error = await quota.charge(key, 2, nothing).catch((caught) => caught);
  expect(error.message).toMatch('This asks for 2 requests, and this key has 1 left today');
});

test('of all that ask for the last request at once one gets it, whichever process is asked', async () => {
  const key = await newKey();
  const now = () => new Date('2026-03-01T10:00:00Z');
  const quotas = Array.from({ length: 4 }, () => quotaAt(now));
  await quotas[0]?.charge(key, 500, nothing);
  await quotas[1]?.charge(key, 499, nothing);
  const asked = quotas.flatMap((quota) => Array.from({ length: 10 }, () => statusOf(quota.charge(key, 1, nothing))));
  expect((await Promise.all(asked)).filter((code) => code === 200)).toHaveLength(1);
  await Promise.all(quotas.map((quota) => quota.close()));
  expect(await rowsOf(key)).toMatchObject([{ requests: 1000, granted: 1000 }]);
});

test('a key that is deleted while it is used is not valid any more, and leaves nothing behind', async () => {
  const key = await newKey();
  const quota = quotaAt(() => new Date());
  await quota.charge(key, 1, nothing);
  await context.pool.query('delete from api_keys where id = $1', [key.keyId]);
  expect(await statusOf(quota.charge(key, 500, nothing))).toBe(401);
  await quota.close();
});

test('what could not be written down is written the next time', async () => {
  const key = await newKey();
  const failing = openFailingDatabase(context.databaseUrl);
  const quota = quotaAt(() => new Date('2026-03-01T10:00:00Z'), { db: failing.db }, never);
  await quota.charge(key, 5, nothing);
  failing.failAt(1);
  await expect(quota.flush()).rejects.toThrow('The connection broke.');
  expect(quota.left(key)).toBe(995);
  await quota.charge(key, 1, nothing);
  await quota.close();
  await failing.close();
  // The block that was to go back counts as used.
  expect(await rowsOf(key)).toMatchObject([{ requests: 6, granted: 51 }]);
});

test('closing the server writes everything down', async () => {
  const key = await newKey();
  const app = buildApp(context);
  const headers = { 'x-api-key': key.value };
  const payload = { domains: ['a.example', 'b.example', 'c.example'] };
  expect((await app.inject({ method: 'POST', url: '/api/v1/check/bulk', headers, payload })).statusCode).toBe(200);
  await app.close();
  expect(await rowsOf(key)).toMatchObject([{ requests: 3, granted: 3 }]);
});
