import { performance } from 'node:perf_hooks';
import { beforeAll, expect, test } from 'vitest';
import { listLockWaiters } from '../../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../../platform/db/locks.ts';
import { noAudit } from '../../../platform/http/scope.ts';
import { runInProcess } from '../../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../../test-app.fixtures.ts';
import { rebuildCounts } from '../domains.ts';
import { deleteAllDomains } from '../write.ts';

const { context } = await startTestApp();
const { pool } = context;
const names = 60_000;

const counted = async () =>
  (await pool.query("select sum(delta)::integer as total from domain_counts where facet = 'all'")).rows[0].total;

const rebuild = (signal = new AbortController().signal) =>
  runInProcess<typeof rebuildCounts>(
    context,
    { module: new URL('../domains.ts', import.meta.url), name: 'rebuildCounts' },
    undefined,
    { signal },
  );

beforeAll(async () => {
  await pool.query(
    `insert into domains (name, tld, risk_level, source)
     select 'cheap-guest-posts-and-links-' || n || '.test', 'test', 1, '{crawler}' from generate_series(1, $1) as n`,
    [names],
  );
});

test('a rebuild does not block the main thread and corrects the counts', async () => {
  await pool.query('update domain_counts set delta = delta + 7');
  const before = performance.eventLoopUtilization();
  await rebuild();
  const { utilization } = performance.eventLoopUtilization(before);
  expect(await counted()).toBe(names);
  expect(utilization).toBeLessThan(0.5);
});

test('progress is reported from the counts to the last pass over the names, in ascending order', async () => {
  const shares: number[] = [];
  await rebuildCounts({ pool, onProgress: (share) => shares.push(share) });
  expect(shares.length).toBeGreaterThan(8);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(0)).toBeLessThan(0.3);
  expect(shares.filter((share) => share > 0.4 && share < 0.8).length).toBeGreaterThan(2);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});

test('an abort stops a rebuild immediately, even during a database query, and changes nothing', async () => {
  const total = await counted();
  const waiting = () => listLockWaiters(pool);
  const client = await pool.connect();
  await client.query('begin');
  await client.query('lock table domains in access exclusive mode');
  try {
    const stopping = new AbortController();
    const running = rebuild(stopping.signal);
    running.catch(() => undefined);
    await expect.poll(waiting).toHaveLength(1);
    stopping.abort(new Error('stopping'));
    await expect(running).rejects.toThrow('stopping');
    await expect.poll(waiting).toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await counted()).toBe(total);
});

test('deleting all domains waits for the counts without blocking the domains, so a rebuild cannot deadlock with it', async () => {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [locks.counts]);
    const deleting = deleteAllDomains(context, 'test', noAudit);
    deleting.catch(() => undefined);
    await expect.poll(() => listLockWaiters(pool)).toHaveLength(1);
    await client.query('begin');
    await client.query('lock table domains in access share mode nowait');
    await client.query('rollback');
    await client.query('select pg_advisory_unlock($1)', [locks.counts]);
    expect(await deleting).toBe(names);
  } finally {
    client.release();
  }
});
