import { performance } from 'node:perf_hooks';
import { beforeAll, expect, test } from 'vitest';
import { isTransientDbError } from '../db/transient-error.ts';
import { waitingForLocks } from '../db/waiting-for-locks.fixtures.ts';
import { startTestApp } from '../test-context.ts';
import { rebuildCounts } from './rebuild-counts.ts';
import { rebuildInThread } from './rebuild-in-thread.ts';

const { context } = await startTestApp();
const { pool } = context;
const names = 60_000;

const counted = async () =>
  (await pool.query("select sum(delta)::integer as total from domain_counts where facet = 'all'")).rows[0].total;

/** The processes of rebuilds that wait for `whileHeld` to let go of the blacklist. */
const waiting = () => waitingForLocks(pool, 'lock table domains%');

async function whileHeld(work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table domains in access exclusive mode');
  try {
    await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

beforeAll(async () => {
  await pool.query(
    `insert into domains (name, tld, risk_level, source)
     select 'cheap-guest-posts-and-links-' || n || '.test', 'test', 1, 'crawler' from generate_series(1, $1) as n`,
    [names],
  );
});

test('counting anew leaves this thread free, and counts right', async () => {
  await pool.query('update domain_counts set delta = delta + 7');
  const before = performance.eventLoopUtilization();
  await rebuildInThread(context, 'all', new AbortController().signal);
  const { utilization } = performance.eventLoopUtilization(before);
  expect(await counted()).toBe(names);
  expect(utilization).toBeLessThan(0.5);
});

test('progress is told from the counts to the last pass over the names', async () => {
  const shares: number[] = [];
  await rebuildCounts(pool, (share) => shares.push(share));
  expect(shares.length).toBeGreaterThan(8);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(0)).toBeLessThan(0.3);
  expect(shares.filter((share) => share > 0.4 && share < 0.8).length).toBeGreaterThan(2);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});

test('it is called off at once, even while PostgreSQL works for it, and changes nothing', async () => {
  const total = await counted();
  await whileHeld(async () => {
    const stopping = new AbortController();
    const running = rebuildInThread(context, 'all', stopping.signal);
    running.catch(() => undefined);
    await expect.poll(waiting).toHaveLength(1);
    stopping.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
    await expect.poll(waiting).toEqual([]);
  });
  expect(await counted()).toBe(total);
  await expect(rebuildInThread(context, 'grams', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

test('a connection that the thread loses is told as what passes by itself', async () => {
  await whileHeld(async () => {
    const running = rebuildInThread(context, 'grams', new AbortController().signal).catch((error: unknown) => error);
    await expect.poll(waiting).toHaveLength(1);
    await pool.query('select pg_terminate_backend($1)', await waiting());
    expect(isTransientDbError(await running)).toBe(true);
  });
});
