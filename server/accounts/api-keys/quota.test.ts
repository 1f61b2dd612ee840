import { expect, test } from 'vitest';
import type { HttpError } from '../../platform/http/errors.ts';
import type { KeyHolder } from '../../platform/http/scope.ts';
import { startFailingDatabase } from '../../security/failing-database.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { createKeyCharger } from './api-keys.ts';

const { call, context, signUp } = await startTestApp();
const morning = () => new Date('2026-03-01T10:00:00Z');

/** Returns the id of a new key. */
async function createKey(): Promise<number> {
  const { cookie } = await signUp();
  return (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json().id;
}
/** Builds the key of a request, found when it had `dailyUsage` requests. */
const buildHolder = (keyId: number, dailyUsage = 0): KeyHolder => ({
  keyId,
  userId: 0,
  scopes: ['check'],
  day: '2026-03-01',
  dailyUsage,
  address: '192.0.2.1',
});
const noWork = async () => undefined;
const readUsage = async (keyId: number) => {
  const { rows } = await context.pool.query(
    'select usage_day::text as day, daily_usage as daily, usage_count as total from api_keys where id = $1',
    [keyId],
  );
  return rows[0];
};
const getStatus = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: HttpError) => error.status,
  );
/** Each call simulates another process. */
const createCharger = (now: () => Date = morning, { pool } = context) => createKeyCharger({ pool, now });

test('counts the cost of a call for all processes', async () => {
  const keyId = await createKey();
  const [process1, process2] = [createCharger(), createCharger()];
  const first = buildHolder(keyId);
  expect(await process1(first, 3, async () => 'done')).toBe('done');
  expect([first.day, first.dailyUsage]).toEqual(['2026-03-01', 3]);
  expect(await readUsage(keyId)).toEqual({ day: '2026-03-01', daily: 3, total: 3 });
  const second = buildHolder(keyId);
  await process2(second, 4, noWork);
  expect(second.dailyUsage).toBe(7);
  expect(await readUsage(keyId)).toEqual({ day: '2026-03-01', daily: 7, total: 7 });
});

test('work that fails costs nothing', async () => {
  const key = buildHolder(await createKey());
  const failing = createCharger()(key, 20, async () => {
    throw new Error('The database is unavailable.');
  });
  await expect(failing).rejects.toThrow('The database is unavailable.');
  expect([key.dailyUsage, await readUsage(key.keyId)]).toMatchObject([0, { daily: 0, total: 0 }]);
});

test('a failed charge rejects its calls, and the next calls are charged', async () => {
  const failing = startFailingDatabase(context.databaseUrl);
  const keyId = await createKey();
  const charge = createCharger(morning, { ...context, pool: failing.pool });
  failing.failAt(1);
  const lost = [charge(buildHolder(keyId), 5, noWork), charge(buildHolder(keyId), 6, noWork)];
  for (const { status } of await Promise.allSettled(lost)) expect(status).toBe('rejected');
  await charge(buildHolder(keyId), 1, noWork);
  await failing.close();
  expect(await readUsage(keyId)).toMatchObject({ daily: 1, total: 1 });
});

test('charges calls that arrive together in one statement, and updates the usage of each', async () => {
  const counting = startFailingDatabase(context.databaseUrl);
  const keys = await Promise.all([createKey(), createKey(), createKey()]);
  const charge = createCharger(morning, { ...context, pool: counting.pool });
  counting.failAt(0);
  const calls = Array.from({ length: 60 }, (_, i) => buildHolder(keys[i % 3] ?? 0));
  await Promise.all(calls.map((key) => charge(key, 2, noWork)));
  expect(counting.count()).toBe(1);
  await counting.close();
  expect(calls.map(({ dailyUsage }) => dailyUsage)).toEqual(calls.map((_, i) => 2 * Math.floor(i / 3) + 2));
  expect(await Promise.all(keys.map(readUsage))).toEqual(keys.map(() => ({ day: '2026-03-01', daily: 40, total: 40 })));
});

test('a day starts at midnight UTC, even for a process with a slow clock', async () => {
  const keyId = await createKey();
  let now = new Date('2026-03-01T23:59:59.900Z');
  const charge = createCharger(() => now);
  await charge(buildHolder(keyId), 1000, noWork);
  expect(await getStatus(charge(buildHolder(keyId), 1, noWork))).toBe(429);
  now = new Date('2026-03-02T00:00:00Z');
  // This key was found before midnight.
  const key = buildHolder(keyId, 999);
  await charge(key, 1, noWork);
  expect([key.day, key.dailyUsage]).toEqual(['2026-03-02', 1]);
  await createCharger(() => new Date('2026-03-01T23:59:59Z'))(buildHolder(keyId), 2, noWork);
  expect(await readUsage(keyId)).toEqual({ day: '2026-03-02', daily: 3, total: 1003 });
});

test('returns 429 before the work if too few requests are left, with the time until midnight', async () => {
  const key = buildHolder(await createKey(), 998);
  let isDone = false;
  const refused = await createCharger()(key, 3, async () => {
    isDone = true;
  }).catch((error: HttpError) => error);
  expect(isDone).toBe(false);
  expect(refused).toMatchObject({
    status: 429,
    message:
      'This call needs 3 requests, but this key has 2 left today. Send fewer domains. ' +
      'The limit resets at 00:00 UTC on 2026-03-02.',
    headers: { 'retry-after': String(14 * 3600) },
  });
});

test('returns 429 with the current usage if other calls used up the limit during the work', async () => {
  const keyId = await createKey();
  const [process1, process2] = [createCharger(), createCharger()];
  const key = buildHolder(keyId);
  const refused = process1(key, 30, () => process2(buildHolder(keyId), 990, noWork));
  await expect(refused).rejects.toThrow('This call needs 30 requests, but this key has 10 left today');
  expect([key.dailyUsage, await readUsage(keyId)]).toMatchObject([990, { daily: 990, total: 990 }]);
});

test('charges calls with one key that arrive together in their order, as far as they fit', async () => {
  const [scarce, ample, deleted] = await Promise.all([createKey(), createKey(), createKey()]);
  const charge = createCharger();
  await charge(buildHolder(scarce), 900, noWork);
  await context.pool.query('delete from api_keys where id = $1', [deleted]);
  const calls = [60, 60, 30, 11, 10, 1].map((cost) => ({ cost, key: buildHolder(scarce) }));
  const statuses = await Promise.all([
    getStatus(charge(buildHolder(ample), 500, noWork)),
    ...calls.map(({ cost, key }) => getStatus(charge(key, cost, noWork))),
    getStatus(charge(buildHolder(deleted), 1, noWork)),
    getStatus(charge(buildHolder(ample), 500, noWork)),
  ]);
  expect(statuses).toEqual([200, 200, 429, 200, 429, 200, 429, 401, 200]);
  expect(calls.map(({ key }) => key.dailyUsage)).toEqual([960, 960, 990, 990, 1000, 1000]);
  expect(await Promise.all([readUsage(scarce), readUsage(ample)])).toMatchObject([{ daily: 1000 }, { daily: 1000 }]);
});

test('only one of many concurrent calls gets the last request, across processes', async () => {
  const keyId = await createKey();
  await createCharger()(buildHolder(keyId), 999, noWork);
  const statuses = Array.from({ length: 4 }, () => createCharger()).flatMap((charge) =>
    Array.from({ length: 10 }, () => getStatus(charge(buildHolder(keyId), 1, noWork))),
  );
  expect((await Promise.all(statuses)).filter((code) => code === 200)).toHaveLength(1);
  expect(await readUsage(keyId)).toMatchObject({ daily: 1000, total: 1000 });
});

test('processes that charge the same keys at the same time do not deadlock or lose requests', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, createKey));
  const work = Array.from({ length: 4 }, async (_, process) => {
    const charge = createCharger();
    const order = process % 2 ? keys : keys.toReversed();
    for (let round = 0; round < 30; round++) {
      await Promise.all(order.map((keyId) => charge(buildHolder(keyId), 1, noWork)));
    }
  });
  await Promise.all(work);
  expect(await Promise.all(keys.map(readUsage))).toEqual(
    keys.map(() => ({ day: '2026-03-01', daily: 120, total: 120 })),
  );
});
