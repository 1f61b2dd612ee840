import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { startStorage } from '../files/bucket.fixtures.ts';
import { backupCopyJob, backupJob, backupTestJob, startDueBackup, startDueCopy, startDueTest } from './jobs.ts';
import type { BackupRunKind } from './store-runs.ts';

vi.setConfig({ testTimeout: 120_000 });

const storage = await startStorage();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-copied-'));
afterAll(async () => {
  await storage.stop();
  await rm(folder, { recursive: true, force: true });
});
const { endpoint, region, name, credentials } = storage.bucket;
const { app, call, context, signUp } = await startTestApp({
  BACKUP_DIR: folder,
  BACKUP_KEEP: '2',
  BACKUP_KEY: 'a passphrase of the operator',
  BACKUP_S3_BUCKET: name,
  BACKUP_S3_REGION: region,
  BACKUP_S3_ENDPOINT: endpoint,
  BACKUP_S3_ACCESS_KEY_ID: credentials.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});
const { db } = context;
const admin = await signUp({ admin: true });
const dayMs = 24 * 3_600_000;
beforeEach(() => storage.cause('none'));

const readStatus = async (): Promise<NonNullable<AdminStatus['backup']>> =>
  (await call('GET', '/api/admin/status', { as: admin.cookie })).json().backup;

const kinds = {
  backup: { start: startDueBackup, job: backupJob },
  copy: { start: startDueCopy, job: backupCopyJob },
  test: { start: startDueTest, job: backupTestJob },
};

/** The clock of the tests, in days from now. */
let day = 0;

/** Starts a run of a kind if one is due after so many days, and runs it. @returns whether it was due */
async function runDue(kind: BackupRunKind, daysLater = 0): Promise<boolean> {
  day += daysLater;
  const at = { ...context, now: () => new Date(Date.now() + day * dayMs) };
  await kinds[kind].start(at);
  const run = await db
    .selectFrom('backup_runs')
    .select('id')
    .where('kind', '=', kind)
    .where('status', '=', 'queued')
    .executeTakeFirst();
  if (!run) return false;
  await kinds[kind].job.run(at, { runId: run.id }, new AbortController().signal);
  return true;
}

const listCopied = async () => (await storage.list()).map((key) => key.replace('backups/', '')).sort();

test('each scheduled backup is copied once, and as many copies are kept as files', async () => {
  for (let i = 0; i < 3; i += 1) {
    expect(await runDue('backup', 1)).toBe(true);
    // The first test waits for the first copy.
    if (i === 0) expect(await runDue('test')).toBe(false);
    expect(await runDue('copy')).toBe(true);
    expect(await runDue('copy')).toBe(false);
  }
  const files = (await readdir(folder)).sort();
  expect(files).toHaveLength(2);
  expect(files.every((file) => file.endsWith('.zip.age'))).toBe(true);
  expect(await listCopied()).toEqual(files);
  const { bytes, copy, isEncrypted } = await readStatus();
  expect(isEncrypted).toBe(true);
  expect(copy).toEqual({ dateLast: expect.any(String), bytes, failures: 0, error: null });
  expect((await app.inject('/metrics')).body).toMatch(/^linksieve_backup_copy_last_success_timestamp_seconds \d/m);
});

test('the test restores the copy in the bucket, and leaves no file', async () => {
  expect(await runDue('test')).toBe(true);
  expect((await readStatus()).test).toMatchObject({ isFromBucket: true, error: null, rows: expect.any(Number) });
  expect(await readdir(context.files.locate(''))).toEqual([]);
});

test.each([
  [503 as const, 'Linksieve cannot use the bucket uploads in BACKUP_S3_BUCKET'],
  [403 as const, 'The access key may not write, read, list or remove files in the bucket uploads in BACKUP_S3_BUCKET.'],
  ['cut-request' as const, 'Linksieve cannot use the bucket uploads in BACKUP_S3_BUCKET'],
])(
  'a storage that fails with %s fails only the copy, visibly, and the next look repeats it',
  async (fault, sentence) => {
    const before = await listCopied();
    expect(await runDue('backup', 1)).toBe(true);
    storage.cause(fault);
    expect(await runDue('copy')).toBe(true);
    const failed = await readStatus();
    expect(failed).toMatchObject({ error: null, failures: 0, copy: { failures: 1 } });
    expect(failed.copy?.error).toContain(sentence);
    expect((await app.inject('/metrics')).body).toContain('linksieve_backup_copy_failures 1\n');
    storage.cause('none');
    expect(await listCopied()).toEqual(before);
    expect(await runDue('copy')).toBe(true);
    expect((await readStatus()).copy).toMatchObject({ failures: 0, error: null });
    expect(await listCopied()).toEqual((await readdir(folder)).sort());
  },
);

test('a key that may not remove files copies backups all the same', async () => {
  expect(await runDue('backup', 1)).toBe(true);
  storage.cause(({ method }) => (method === 'DELETE' ? 403 : 'none'));
  expect(await runDue('copy')).toBe(true);
  expect((await readStatus()).copy).toMatchObject({ failures: 0, error: null });
  expect(await listCopied()).toHaveLength(3);
});

test('a copy that is damaged or cannot be read fails the test with a reason', async () => {
  storage.cause(({ method }) => (method === 'GET' ? 'damage-response' : 'none'));
  expect(await runDue('test', 7)).toBe(true);
  expect((await readStatus()).test.error).toMatch(/^linksieve-.+\.zip\.age is damaged, incomplete or not a backup\.$/);
  storage.cause(503);
  expect(await runDue('test', 1)).toBe(true);
  expect((await readStatus()).test.error).toMatch(/^The copy in the bucket cannot be read\. Linksieve cannot use/);
  expect(await readdir(context.files.locate(''))).toEqual([]);
});
