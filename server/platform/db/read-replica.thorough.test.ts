import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type PostgresPair, startPostgresPair } from '../../../e2e/faults/postgres-pair.ts';
import { openDatabase } from './database.ts';
import { openReadReplica, type ReadPool } from './read-replica.ts';
import { isTransientDbError } from './transient-error.ts';

// Two servers start, and several tests share the machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let pair: PostgresPair;
const log = pino({ level: 'silent' });
const closes: (() => Promise<void>)[] = [];

beforeAll(async () => {
  pair = await startPostgresPair();
  await open(pair.url).query({ text: 'create table changes (n integer)' });
});
afterAll(async () => {
  for (const close of closes) await close();
  await pair.stop();
});

function open(url: string, timeoutMs = 5000) {
  const { pool, close } = openDatabase(url, () => undefined, { size: 4, timeoutMs });
  closes.push(close);
  return pool;
}

/** Opens the pools of one process. */
async function openProcess(replicaUrl = pair.standbyUrl) {
  const primary = open(pair.url);
  const replica = openReadReplica(primary, open(replicaUrl, 1000), open(replicaUrl, 1000), log);
  closes.unshift(async () => replica.stop());
  await replica.probe();
  return { primary, replica };
}

const readServer = async (pool: ReadPool) => {
  const { rows } = await pool.query<{ isStandby: boolean }>({ text: 'select pg_is_in_recovery() as "isStandby"' });
  return rows[0]?.isStandby ? 'replica' : 'primary';
};

async function countChanges(pool: ReadPool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({ text: 'select count(*)::integer as count from changes' });
  return rows[0]?.count ?? 0;
}

test('reads use the replica, and see all changes of any process', async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  expect(await readServer(one.replica.pool)).toBe('replica');
  const before = await countChanges(one.primary);
  for (let i = 1; i <= 100; i += 1) {
    await other.primary.query('insert into changes values (1)');
    expect(await countChanges(one.replica.pool)).toBe(before + i);
  }
});

test('a read that the replica cannot serve yet uses the primary, until the replica has caught up', async () => {
  const { primary, replica } = await openProcess();
  const before = await countChanges(primary);
  await pair.pauseReplay();
  try {
    expect(await readServer(replica.pool)).toBe('replica');
    await primary.query('insert into changes values (1)');
    expect(await countChanges(replica.pool)).toBe(before + 1);
    expect(await readServer(replica.pool)).toBe('primary');
    await replica.probe();
    expect(replica.failure()).toBe('behind');
  } finally {
    await pair.resumeReplay();
  }
  await vi.waitFor(
    async () => {
      await replica.probe();
      expect(replica.failure()).toBeUndefined();
    },
    { timeout: 60_000 },
  );
  expect(await readServer(replica.pool)).toBe('replica');
  expect(await countChanges(replica.pool)).toBe(before + 1);
});

test('reads that find all connections to the replica in use use the primary, and the replica stays in use', async () => {
  const { replica } = await openProcess();
  const slow = Array.from({ length: 4 }, () => replica.pool.query({ text: 'select pg_sleep(3)' }));
  expect(await readServer(replica.pool)).toBe('primary');
  await replica.probe();
  expect(replica.failure()).toBeUndefined();
  await Promise.all(slow);
  expect(await readServer(replica.pool)).toBe('replica');
});

test('a read that is running on the replica when it freezes fails, and later ones use the primary', async () => {
  const { replica } = await openProcess();
  const running = replica.pool.query({ text: 'select pg_sleep(5)' }).catch((error: unknown) => error);
  await vi.waitFor(async () => {
    const { rows } = await replica.pool.query<{ count: number }>({
      text: "select count(*)::integer as count from pg_stat_activity where query = 'select pg_sleep(5)'",
    });
    expect(rows[0]?.count).toBe(1);
  });
  const thaw = await pair.freezeStandby();
  onTestFinished(thaw);
  expect(isTransientDbError(await running)).toBe(true);
  expect(await readServer(replica.pool)).toBe('primary');
  expect(replica.failure()).toBe('unreachable');
  thaw();
  await vi.waitFor(() => expect(replica.failure()).toBeUndefined(), { timeout: 60_000 });
});

test('a query that fails on the replica does not leave its connection in use', async () => {
  const { replica } = await openProcess();
  for (let i = 0; i < 10; i += 1)
    await expect(replica.pool.query({ text: 'insert into changes values (1)' })).rejects.toThrow('read-only');
  expect(await readServer(replica.pool)).toBe('replica');
});

test('a server that is not a standby of the primary is not used', async () => {
  const { replica } = await openProcess(pair.url);
  expect(replica.failure()).toBe('foreign');
  expect(await readServer(replica.pool)).toBe('primary');
});

test('reads use the primary when the replica dies, without an error for those that have not begun', async () => {
  const { primary, replica } = await openProcess();
  const before = await countChanges(primary);
  expect(await readServer(replica.pool)).toBe('replica');
  await pair.killStandby();
  // The connections of the pool notice it with their next event.
  await delay(200);
  expect(await countChanges(replica.pool)).toBe(before);
  expect(await readServer(replica.pool)).toBe('primary');
  await replica.probe();
  expect(replica.failure()).toBe('unreachable');
});
