import { expect, test } from 'vitest';
import type { HttpError } from '../http/errors.ts';
import type { KeyHolder } from '../http/scope.ts';
import { openFailingDatabase } from '../security/failing-database.fixtures.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { openQuota } from './api-keys.ts';

const { call, context, signUp } = await startTestApp();
const morning = () => new Date('2026-03-01T10:00:00Z');

/** The id of a new key. */
async function newKey(): Promise<number> {
  const { cookie } = await signUp();
  return (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json().id;
}
/** A request's key, found when it had made so many requests of its day. */
const holder = (keyId: number, dailyUsage = 0): KeyHolder => ({ keyId, userId: 0, day: '2026-03-01', dailyUsage });
const nothing = async () => undefined;
const useOf = async (keyId: number) => {
  const { rows } = await context.pool.query(
    'select usage_day::text as day, daily_usage as daily, usage_count as total from api_keys where id = $1',
    [keyId],
  );
  return rows[0];
};
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: HttpError) => error.status,
  );
/** One for each process that is played here. */
const quotaAt = (now: () => Date = morning, { pool } = context) => openQuota({ pool, now });

test('what a call costs is counted before it is answered, for every process', async () => {
  const keyId = await newKey();
  const [one, other] = [quotaAt(), quotaAt()];
  const first = holder(keyId);
  expect(await one(first, 3, async () => 'done')).toBe('done');
  expect([first.day, first.dailyUsage]).toEqual(['2026-03-01', 3]);
  expect(await useOf(keyId)).toEqual({ day: '2026-03-01', daily: 3, total: 3 });
  const second = holder(keyId);
  await other(second, 4, nothing);
  expect(second.dailyUsage).toBe(7);
  expect(await useOf(keyId)).toEqual({ day: '2026-03-01', daily: 7, total: 7 });
});

test('work that fails costs nothing', async () => {
  const key = holder(await newKey());
  const failing = quotaAt()(key, 20, async () => {
    throw new Error('The database is away.');
  });
  await expect(failing).rejects.toThrow('The database is away.');
  expect([key.dailyUsage, await useOf(key.keyId)]).toMatchObject([0, { daily: 0, total: 0 }]);
});

test('where a charge fails so do its calls, and the next ones are charged', async () => {
  const failing = openFailingDatabase(context.databaseUrl);
  const keyId = await newKey();
  const charge = quotaAt(morning, { ...context, pool: failing.pool });
  failing.failAt(1);
  const lost = [charge(holder(keyId), 5, nothing), charge(holder(keyId), 6, nothing)];
  for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected');
  await charge(holder(keyId), 1, nothing);
  await failing.close();
  expect(await useOf(keyId)).toMatchObject({ daily: 1, total: 1 });
});

test('calls that arrive together are one statement, and each knows what its key has used after it', async () => {
  const counting = openFailingDatabase(context.databaseUrl);
  const keys = await Promise.all([newKey(), newKey(), newKey()]);
  const charge = quotaAt(morning, { ...context, pool: counting.pool });
  counting.failAt(0);
  const calls = Array.from({ length: 60 }, (_, i) => holder(keys[i % 3] ?? 0));
  await Promise.all(calls.map((key) => charge(key, 2, nothing)));
  expect(counting.count()).toBe(1);
  await counting.close();
  expect(calls.map(({ dailyUsage }) => dailyUsage)).toEqual(calls.map((_, i) => 2 * Math.floor(i / 3) + 2));
  expect(await Promise.all(keys.map(useOf))).toEqual(keys.map(() => ({ day: '2026-03-01', daily: 40, total: 40 })));
});

test('a day begins at midnight UTC, also for a process whose clock is behind', async () => {
  const keyId = await newKey();
  let now = new Date('2026-03-01T23:59:59.900Z');
  const charge = quotaAt(() => now);
  await charge(holder(keyId), 1000, nothing);
  expect(await statusOf(charge(holder(keyId), 1, nothing))).toBe(429);
  now = new Date('2026-03-02T00:00:00Z');
  // Found before midnight.
  const key = holder(keyId, 999);
  await charge(key, 1, nothing);
  expect([key.day, key.dailyUsage]).toEqual(['2026-03-02', 1]);
  await quotaAt(() => new Date('2026-03-01T23:59:59Z'))(holder(keyId), 2, nothing);
  expect(await useOf(keyId)).toEqual({ day: '2026-03-02', daily: 3, total: 1003 });
});

test('a key that has too few requests left is refused before the work is done, with the time until midnight', async () => {
  const key = holder(await newKey(), 998);
  let isDone = false;
  const refused = await quotaAt()(key, 3, async () => {
    isDone = true;
  }).catch((error: HttpError) => error);
  expect(isDone).toBe(false);
  expect(refused).toMatchObject({
    status: 429,
    message:
      'This asks for 3 requests, and this key has 2 left today: please ask for fewer at once. ' +
      'The count resets at 00:00 UTC on 2026-03-02.',
    headers: { 'retry-after': String(14 * 3600) },
  });
});

test('what others have used meanwhile is told to a call that does not fit any more', async () => {
  const keyId = await newKey();
  const [one, other] = [quotaAt(), quotaAt()];
  const key = holder(keyId);
  const refused = one(key, 30, () => other(holder(keyId), 990, nothing));
  await expect(refused).rejects.toThrow('This asks for 30 requests, and this key has 10 left today');
  expect([key.dailyUsage, await useOf(keyId)]).toMatchObject([990, { daily: 990, total: 990 }]);
});

test('calls with one key that arrive together are charged in their order as far as they fit', async () => {
  const [scarce, ample, deleted] = await Promise.all([newKey(), newKey(), newKey()]);
  const charge = quotaAt();
  await charge(holder(scarce), 900, nothing);
  await context.pool.query('delete from api_keys where id = $1', [deleted]);
  const calls = [60, 60, 30, 11, 10, 1].map((cost) => ({ cost, key: holder(scarce) }));
  const statuses = await Promise.all([
    statusOf(charge(holder(ample), 500, nothing)),
    ...calls.map(({ cost, key }) => statusOf(charge(key, cost, nothing))),
    statusOf(charge(holder(deleted), 1, nothing)),
    statusOf(charge(holder(ample), 500, nothing)),
  ]);
  expect(statuses).toEqual([200, 200, 429, 200, 429, 200, 429, 401, 200]);
  expect(calls.map(({ key }) => key.dailyUsage)).toEqual([960, 960, 990, 990, 1000, 1000]);
  expect(await Promise.all([useOf(scarce), useOf(ample)])).toMatchObject([{ daily: 1000 }, { daily: 1000 }]);
});

test('of all that ask for the last request at once one gets it, whichever process is asked', async () => {
  const keyId = await newKey();
  await quotaAt()(holder(keyId), 999, nothing);
  const asked = Array.from({ length: 4 }, () => quotaAt()).flatMap((charge) =>
    Array.from({ length: 10 }, () => statusOf(charge(holder(keyId), 1, nothing))),
  );
  expect((await Promise.all(asked)).filter((code) => code === 200)).toHaveLength(1);
  expect(await useOf(keyId)).toMatchObject({ daily: 1000, total: 1000 });
});

test('processes that charge the same keys at the same moment neither wait in a circle nor lose a request', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, newKey));
  const work = Array.from({ length: 4 }, async (_, process) => {
    const charge = quotaAt();
    const order = process % 2 ? keys : keys.toReversed();
    for (let round = 0; round < 30; round++) {
      await Promise.all(order.map((keyId) => charge(holder(keyId), 1, nothing)));
    }
  });
  await Promise.all(work);
  expect(await Promise.all(keys.map(useOf))).toEqual(keys.map(() => ({ day: '2026-03-01', daily: 120, total: 120 })));
});
