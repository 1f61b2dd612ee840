import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { openBackup } from './backup-file.ts';
import { identifySecretKey } from './create-backup.ts';
import { backupJob, startDueBackup } from './jobs.ts';
import { createBackupKeys } from './keys.ts';

const folder = await mkdtemp(join(tmpdir(), 'linksieve-scheduled-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const settings = { BACKUP_DIR: folder, BACKUP_HOURS: '24', BACKUP_KEEP: '2' };
const { app, call, context, signUp } = await startTestApp(settings);
const { db } = context;
const admin = await signUp({ admin: true });

const readStatus = async (): Promise<AdminStatus['backup']> =>
  (await call('GET', '/api/admin/status', { as: admin.cookie })).json().backup;
const listFiles = async () => (await readdir(folder)).sort();
const hourMs = 3_600_000;
const findBackups = () => db.selectFrom('backup_runs').select(['id', 'status']).where('kind', '=', 'backup');

/** Starts a backup if one is due at this time, and runs it. @returns whether it was due */
async function runDue(now = new Date()): Promise<boolean> {
  const at = { ...context, now: () => now };
  await startDueBackup(at);
  const run = await findBackups().where('status', '=', 'queued').executeTakeFirst();
  if (!run) return false;
  await backupJob.run(at, { runId: run.id }, new AbortController().signal);
  return true;
}

test('a due backup is written, can be restored and appears in the admin area and the metrics', async () => {
  const never = { dateLast: null, bytes: null, failures: 0, error: null };
  const test = { ...never, rows: null, tables: null, seconds: null, isFromBucket: null, obstacle: null };
  expect(await readStatus()).toEqual({ intervalHours: 24, isEncrypted: false, ...never, copy: null, test });
  expect(await runDue()).toBe(true);
  const [name = ''] = await listFiles();
  await using backup = await openBackup(join(folder, name), createBackupKeys(undefined, context.secretKey));
  expect(backup.manifest.tables.find((table) => table.name === 'users')?.rows).toBe(1);
  expect(backup.manifest.secretKeyId).toBe(identifySecretKey(context.secretKey.current));
  const status = await readStatus();
  expect(status).toMatchObject({ dateLast: expect.any(String), bytes: expect.any(Number), failures: 0, error: null });
  const metrics = (await app.inject('/metrics')).body;
  expect(metrics).toContain(`linksieve_backup_size_bytes ${status?.bytes}`);
  expect(metrics).toMatch(/^linksieve_backup_last_success_timestamp_seconds \d/m);
  const system = await call('GET', '/api/admin/system', { as: admin.cookie });
  expect(system.json().backup).toEqual(status);
  expect(system.body).not.toContain(folder);
});

test('the next backup is due after the interval, and never while one is unfinished', async () => {
  expect(await runDue()).toBe(false);
  expect(await runDue(new Date(Date.now() + 23 * hourMs))).toBe(false);
  const tomorrow = { ...context, now: () => new Date(Date.now() + 24 * hourMs) };
  await Promise.all([startDueBackup(tomorrow), startDueBackup(tomorrow), startDueBackup(tomorrow)]);
  const runs = await findBackups().orderBy('id').execute();
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'queued']);
  expect(await runDue(new Date(Date.now() + 24 * hourMs))).toBe(true);
});

test('the oldest backups are removed after a new one is complete; other files stay', async () => {
  const kept = ['linksieve-before-update.zip', 'notes.txt', 'mine.zip.unfinished-00000000'];
  for (const name of kept) await writeFile(join(folder, name), 'mine');
  await writeFile(join(folder, 'linksieve-2026-01-01T00-00-00.zip.unfinished-0a1b2c3d'), 'of a killed process');
  await writeFile(join(folder, 'linksieve-2026-01-01T00-00-00.zip'), 'old');
  const times = [72, 96, 120].map((hours) => new Date(Date.now() + hours * hourMs));
  for (const time of times) expect(await runDue(time)).toBe(true);
  const names = times.slice(1).map((time) => `linksieve-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.zip`);
  expect(await listFiles()).toEqual([...names, ...kept].sort());
});

test('a failed backup removes nothing, is reported with its reason, and is tried again', async () => {
  const files = await listFiles();
  const moved = `${folder}-unmounted`;
  await rename(folder, moved);
  expect(await runDue()).toBe(true);
  expect(await runDue()).toBe(true);
  const error = 'The folder in BACKUP_DIR does not exist. Create it, or mount its disk.';
  expect(await readStatus()).toMatchObject({ failures: 2, error, dateLast: expect.any(String) });
  expect((await app.inject('/metrics')).body).toContain('linksieve_backup_failures 2');
  const { jobs } = (await call('GET', '/api/admin/jobs?kind=housekeeping', { as: admin.cookie })).json();
  expect(jobs).toContainEqual(expect.objectContaining({ state: 'failed', message: error }));
  await rename(moved, folder);
  expect(await listFiles()).toEqual(files);
  for (const name of files) await utimes(join(folder, name), new Date(), new Date(0));
  expect(await runDue()).toBe(true);
  expect(await readStatus()).toMatchObject({ failures: 0, error: null });
});

test('without BACKUP_DIR nothing is due, and the status is null', async () => {
  const off = { ...context, config: { ...context.config, backup: undefined } };
  await rm(folder, { recursive: true });
  await startDueBackup(off);
  expect(await findBackups().where('status', '=', 'queued').execute()).toEqual([]);
});
