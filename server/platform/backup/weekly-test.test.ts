import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { openDatabase } from '../db/database.ts';
import { startEmbedded } from '../db/embedded.ts';
import { runInProcess } from '../processes/run-in-process.ts';
import { backupJob, backupScheduleJob, backupTestJob, startDueBackup, startDueTest } from './jobs.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(join(tmpdir(), 'linksieve-tested-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { app, call, context: appContext, signUp } = await startTestApp({ BACKUP_DIR: folder });
const { close, ...jobPools } = openDatabase(appContext.databaseUrl, () => undefined);
afterAll(close);
// As in the worker, whose locks last as long as a connection. Behind PgBouncer, they would not.
const context = { ...appContext, ...jobPools };
const { db, pool } = context;
const admin = await signUp({ admin: true });
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const readTest = async (): Promise<NonNullable<AdminStatus['backup']>['test']> =>
  (await call('GET', '/api/admin/status', { as: admin.cookie })).json().backup.test;

const findQueued = (kind: 'backup' | 'test') =>
  db.selectFrom('backup_runs').select('id').where('kind', '=', kind).where('status', '=', 'queued').executeTakeFirst();

async function backUp(): Promise<void> {
  await startDueBackup(context);
  const run = await findQueued('backup');
  if (run) await backupJob.run(context, { runId: run.id }, new AbortController().signal);
}

/** Starts a test if one is due at this time, and runs it. @returns whether it was due */
async function runDue(now = new Date(), changes: Partial<typeof context> = {}): Promise<boolean> {
  const at = { ...context, ...changes, now: () => now };
  await startDueTest(at);
  const run = await findQueued('test');
  if (!run) return false;
  await backupTestJob.run(at, { runId: run.id }, new AbortController().signal);
  return true;
}

/** Lists the databases of tests that belong to this app. */
async function listTestDatabases(): Promise<string[]> {
  const { rows } = await pool.query(
    "select datname from pg_database where datname = ('linksieve_test_restore_of_' || current_database())::name",
  );
  return rows.map(({ datname }) => datname);
}

const createLeftover = async () => {
  const { rows } = await pool.query<{ name: string }>(
    "select ('linksieve_test_restore_of_' || current_database())::name::text as name",
  );
  await pool.query(`create database ${rows[0]?.name}`);
};

test('the newest backup is restored into a database of its own, which is dropped; the figures appear', async () => {
  expect(await runDue()).toBe(false);
  await backUp();
  expect(await runDue()).toBe(true);
  const status = await readTest();
  expect(status).toMatchObject({ dateLast: expect.any(String), isFromBucket: false, error: null, obstacle: null });
  expect(status.tables).toBeGreaterThan(40);
  expect(status.rows).toBeGreaterThan(0);
  expect(status.seconds).toBeGreaterThan(0);
  expect(await listTestDatabases()).toEqual([]);
  const metrics = (await app.inject('/metrics')).body;
  expect(metrics).toContain(`linksieve_backup_test_rows ${status.rows}\n`);
  expect(metrics).toContain('linksieve_backup_test_failures 0\n');
  expect(metrics).toMatch(/^linksieve_backup_test_last_success_timestamp_seconds \d/m);
  const { jobs } = (await call('GET', '/api/admin/jobs?kind=housekeeping', { as: admin.cookie })).json();
  expect(jobs).toContainEqual(expect.objectContaining({ message: expect.stringMatching(/^Restored \d+ rows? from /) }));
});

test('a test is due a week after the last one, and never while one is unfinished', async () => {
  expect(await runDue(new Date(Date.now() + 6 * dayMs))).toBe(false);
  const later = { ...context, now: () => new Date(Date.now() + 7 * dayMs) };
  await Promise.all([startDueTest(later), startDueTest(later), startDueTest(later)]);
  const runs = await db.selectFrom('backup_runs').select('status').where('kind', '=', 'test').orderBy('id').execute();
  expect(runs).toEqual([{ status: 'completed' }, { status: 'queued' }]);
  expect(await runDue(new Date(Date.now() + 7 * dayMs))).toBe(true);
});

test('what a killed test left behind is dropped by the next one, and by the hourly look', async () => {
  await createLeftover();
  expect(await runDue(new Date(Date.now() + 14 * dayMs))).toBe(true);
  expect((await readTest()).error).toBeNull();
  expect(await listTestDatabases()).toEqual([]);
  await createLeftover();
  await backupScheduleJob.run(context, {}, new AbortController().signal);
  expect(await listTestDatabases()).toEqual([]);
});

test('the hourly look leaves a running test alone', async () => {
  await createLeftover();
  const client = await pool.connect();
  await client.query('select pg_advisory_lock(7243119510)');
  await backupScheduleJob.run(context, {}, new AbortController().signal);
  expect(await listTestDatabases()).toHaveLength(1);
  client.release(true);
  await expect
    .poll(async () => {
      await backupScheduleJob.run(context, {}, new AbortController().signal);
      return await listTestDatabases();
    })
    .toEqual([]);
});

test('a backup that was changed, or is gone, fails the test with a reason, and leaves nothing', async () => {
  const [name = ''] = await readdir(folder);
  const path = join(folder, name);
  const good = await readFile(path);
  const changed = Buffer.from(good);
  changed[100] = (changed[100] ?? 0) ^ 1;
  await writeFile(path, changed);
  expect(await runDue(new Date(Date.now() + 21 * dayMs))).toBe(true);
  const status = await readTest();
  expect(status).toMatchObject({ error: `${name} is damaged, incomplete or not a backup.`, failures: 1 });
  expect(status.dateLast).not.toBeNull();
  expect((await app.inject('/metrics')).body).toContain('linksieve_backup_test_failures 1\n');
  expect(await listTestDatabases()).toEqual([]);
  await writeFile(path, good);
  // A failed test is repeated the next day.
  expect(await runDue(new Date(Date.now() + 21 * dayMs + 2 * hourMs))).toBe(false);
  await rename(path, `${path}.moved`);
  expect(await runDue(new Date(Date.now() + 22 * dayMs))).toBe(true);
  const gone = 'The newest backup is missing. Check whether the disk of BACKUP_DIR is mounted.';
  expect(await readTest()).toMatchObject({ error: gone, failures: 2 });
  await rename(`${path}.moved`, path);
  expect(await runDue(new Date(Date.now() + 23 * dayMs))).toBe(true);
  expect(await readTest()).toMatchObject({ error: null, failures: 0 });
});

test('a test that this installation cannot do is no failure, and says why', async () => {
  const data = await mkdtemp(join(tmpdir(), 'linksieve-other-'));
  const server = await startEmbedded(join(data, 'postgres'), { durable: false });
  try {
    const superuser = new pg.Client({ connectionString: server.superuserUrl });
    await superuser.connect();
    await superuser.query("create role may_not_create login password 'secret'");
    await superuser.end();
    const url = new URL(server.url);
    Object.assign(url, { username: 'may_not_create', password: 'secret' });
    expect(await runDue(new Date(Date.now() + 30 * dayMs), { databaseUrl: url.href, runWork: runInProcess })).toBe(
      true,
    );
  } finally {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  }
  expect(await readTest()).toMatchObject({
    error: null,
    failures: 0,
    obstacle: 'The database user may not create databases. Run as a superuser: alter role "may_not_create" createdb',
  });
  const space = { spareBytes: 1000, isCritical: false, hasDatabase: true };
  const files = { ...context.files, readSpace: async () => space };
  expect(await runDue(new Date(Date.now() + 31 * dayMs), { files })).toBe(true);
  expect((await readTest()).obstacle).toMatch(/^The disk has too little space: a test restore needs \d+ GB/);
});
