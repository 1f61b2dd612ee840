import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Feed } from '#shared/blacklist/feeds.ts';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../platform/db/locks.ts';
import { runInProcess } from '../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { expireHeartbeats, startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { feedQueue, startDueRuns } from './feeds.ts';
import { buildFeedCalls, startListServer } from './list-server.fixtures.ts';
import { runFeed } from './run-feed.ts';

const server = await startListServer();
const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' }, { runWork: runInProcess });
const { context, signUp } = testApp;
const { db } = context;
const { cookie: as } = await signUp({ admin: true });
const { createFeed, getFeed, listRuns } = buildFeedCalls(testApp, as);
const never = new AbortController().signal;

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await stopProcess(child, 'SIGKILL');
});

const startWorker = () => {
  const child = startWorkerProcess(context, { ALLOW_PRIVATE_ADDRESSES: '1' });
  children.push(child);
  return child;
};

/** Everything that a refresh changes. */
async function readEffects() {
  const tables = ['domains', 'listings', 'held_listings', 'feed_names', 'feed_changes', 'feed_copies'];
  const parts = tables.map(
    (table) => sql`select ${sql.lit(table)} as name, md5(coalesce(string_agg(t::text, '' order by t::text), '')) as hash
      from ${sql.table(table)} as t`,
  );
  return (await sql`${sql.join(parts, sql` union all `)}`.execute(db)).rows;
}

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `fault-${from + i}.com\n`).join('');

/** Holds the lock that a merge needs, so that a refresh stops before it changes anything. */
async function holdMergeLock(): Promise<() => Promise<void>> {
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [locks.merge]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Locks a listed domain, so that a refresh stops after it has written others. */
async function lockName(name: string): Promise<() => Promise<void>> {
  const client = await context.pool.connect();
  await client.query('begin');
  await client.query('select from domains where name = $1 for update', [name]);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

/** Waits until a run waits for a lock. The update of its progress may wait as well, for the run. */
const waitForWaiter = (statement: string) =>
  expect.poll(() => listLockWaiters(context.pool, statement), { timeout: 60_000 }).toHaveLength(1);

test('a refresh that is stopped at any moment changes nothing, and runs again', async () => {
  server.serve('/stopped.txt', `${names(0, 300)}google.com\n`);
  const { id, lastRun } = await createFeed({ name: 'Stopped', url: server.url('/stopped.txt') });
  const runId = lastRun?.id ?? 0;
  await runFeed(context, runId, never);
  // The second copy drops names for the second time, brings new ones back and adds others.
  server.serve('/stopped.txt', `${names(0, 250)}apple.com\n`);
  await runFeed(context, (await testApp.call('POST', `/api/admin/feeds/${id}/refresh`, { as })).json().runId, never);
  server.serve('/stopped.txt', `${names(0, 240)}${names(400, 500)}`);
  const before = await readEffects();
  const { runId: next } = (await testApp.call('POST', `/api/admin/feeds/${id}/refresh`, { as })).json();

  const stopAt = async (reach: () => Promise<void>, release: () => Promise<void>) => {
    const stopping = new AbortController();
    const done = expect(runFeed(context, next, stopping.signal)).rejects.toThrow();
    await reach();
    stopping.abort();
    await done;
    await release();
    expect(await readEffects()).toEqual(before);
    expect((await listRuns(id))[0]).toMatchObject({ id: next, status: 'running', message: 'Waiting to start' });
  };
  const content = `${names(0, 240)}${names(400, 500)}`;
  const requested = new Promise<void>((resolve) =>
    server.serve('/stopped.txt', (_, response) => {
      response.write('fault-0.com\n');
      resolve();
    }),
  );
  await stopAt(
    () => requested,
    async () => server.serve('/stopped.txt', content),
  );
  await stopAt(() => waitForWaiter('%pg_advisory_xact_lock%'), await holdMergeLock());
  await stopAt(() => waitForWaiter('%for update%'), await lockName('fault-270.com'));

  await runFeed(context, next, never);
  expect((await listRuns(id))[0]).toMatchObject({ status: 'updated', added: 100, removed: 50 });
  expect(await getFeed(id)).toMatchObject({ domains: 350 });
  expect(await readdir(join(context.config.dataDir, 'uploads'))).toEqual([]);
}, 120_000);

test('after kill -9 in the middle of a refresh, another process completes it', async () => {
  server.serve('/killed.txt', names(1000, 1300));
  const { id, lastRun } = await createFeed({ name: 'Killed', url: server.url('/killed.txt') });
  const refresh = async () => (await testApp.call('POST', `/api/admin/feeds/${id}/refresh`, { as })).json().runId;
  await runFeed(context, lastRun?.id ?? 0, never);
  server.serve('/killed.txt', names(1000, 1290));
  await runFeed(context, await refresh(), never);
  server.serve('/killed.txt', `${names(1000, 1290)}${names(1300, 1400)}`);
  const before = await readEffects();
  // The run has listed the new names when it has to wait for one that it withdraws.
  const release = await lockName('fault-1295.com');
  const child = startWorker();
  await refresh();
  const readProgress = async () => ({
    waiters: (await listLockWaiters(context.pool, '%for update%')).length,
    run: (await listRuns(id))[0],
  });
  await expect.poll(readProgress, { timeout: 60_000 }).toMatchObject({ waiters: 1 });
  await stopProcess(child, 'SIGKILL');
  await release();
  expect(await readEffects()).toEqual(before);
  await expireHeartbeats(context, feedQueue.name);
  startWorker();
  await expect.poll(async () => (await listRuns(id))[0]?.status, { timeout: 60_000 }).toBe('updated');
  expect((await listRuns(id))[0]).toMatchObject({ added: 100, removed: 10 });
  expect((await getFeed(id)).domains).toBe(390);
}, 120_000);

test('two processes never run one feed twice', async () => {
  for (let i = 0; i < 3; i += 1) server.serve(`/twice-${i}.txt`, names(2000 + i * 10, 2010 + i * 10));
  const feeds: Feed[] = [];
  for (let i = 0; i < 3; i += 1)
    feeds.push(await createFeed({ name: `Twice ${i}`, url: server.url(`/twice-${i}.txt`) }));
  startWorker();
  startWorker();
  const due = { ...context, now: () => new Date(Date.now() + 25 * 3_600_000) };
  const statuses = () => Promise.all(feeds.map(async ({ id }) => (await listRuns(id)).map(({ status }) => status)));
  await expect.poll(statuses, { timeout: 60_000 }).toEqual([['updated'], ['updated'], ['updated']]);
  const requests = server.requests.length;
  await Promise.all(Array.from({ length: 6 }, () => startDueRuns(due)));
  await expect.poll(statuses, { timeout: 60_000 }).toEqual([0, 1, 2].map(() => ['unchanged', 'updated']));
  const paths = server.requests.slice(requests).map(({ url }) => url);
  expect(paths.filter((path) => path?.startsWith('/twice')).sort()).toEqual([
    '/twice-0.txt',
    '/twice-1.txt',
    '/twice-2.txt',
  ]);
}, 120_000);

test('a run that two workers received has its effect once', async () => {
  server.serve('/both.txt', names(3000, 3050));
  const { id, lastRun } = await createFeed({ name: 'Both', url: server.url('/both.txt') });
  const runs = [1, 2].map(() => runFeed(context, lastRun?.id ?? 0, never));
  await Promise.allSettled(runs);
  expect(await listRuns(id)).toMatchObject([{ status: 'updated', added: 50 }]);
  expect(await getFeed(id)).toMatchObject({ domains: 50, failures: 0 });
});
