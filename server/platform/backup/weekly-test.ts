import { stat } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import type pg from 'pg';
import type { ProcessContext } from '../processes/run-in-process.ts';
import type { BackupKeys } from './keys.ts';
import { restoreBackup } from './restore.ts';
import { openSealed, RefusedBackup } from './sealed-file.ts';
import { completeTest } from './store-runs.ts';
import { createTestDatabase, dropTestDatabase, readTestFacts, takeTestLock } from './store-weekly-test.ts';

// The processes of runs load this file, so it must not load the job queue.

/** Thrown if the backup cannot be restored. */
export class TestFailed extends Error {
  override readonly name = 'TestFailed';
}

/** Thrown if the test needs something that this installation does not have. */
export class TestImpossible extends Error {
  override readonly name = 'TestImpossible';
}

interface TestTask {
  runId: number;
  /** Name of the backup, for messages. */
  name: string;
  path: string;
  isFromBucket: boolean;
  /** Path of another copy, which is checked but not restored. */
  otherPath: string | undefined;
  keys: BackupKeys;
  databaseUrl: string;
  /**
   * How much may be written to the disk of the embedded database. Undefined for another database, whose disk is
   * unknown.
   */
  spareBytes: number | undefined;
}

/** A restored copy is about as large as the database, and writes as much to the log of the database. */
const spaceFactor = 2;

/**
 * Restores a backup into a temporary database, compares the numbers of rows, drops the database and completes the run.
 * Runs in a process of its own.
 */
export async function testRestore(
  { db, pool, onProgress }: ProcessContext<{ progress: number; message: string }>,
  task: TestTask,
): Promise<void> {
  const { runId, name, path, isFromBucket, otherPath, keys } = task;
  const started = performance.now();
  const client = await pool.connect();
  let progress = 0;
  const onStep = (message: string) => {
    progress = Math.min(progress + 10, 90);
    onProgress({ progress, message: `Test restore: ${message}` });
  };
  try {
    await takeTestLock(client);
    await dropTestDatabase(client);
    await requireMeans(client, task.spareBytes);
    if (otherPath !== undefined) await checkFile(otherPath, keys);
    const url = toUrl(task.databaseUrl, await createTestDatabase(client));
    const manifest = await restoreBackup(path, {
      url,
      keys,
      onStep,
      onConnect: (connection) => slowDown(connection, task.spareBytes !== undefined),
    });
    await dropTestDatabase(client);
    await completeTest(db, runId, {
      name,
      bytes: (await stat(path)).size,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      tables: manifest.tables.length,
      seconds: (performance.now() - started) / 1000,
      isFromBucket,
    });
  } catch (error) {
    // If this connection is broken, the job drops the database.
    await dropTestDatabase(client).catch(() => undefined);
    throw error instanceof RefusedBackup ? new TestFailed(hidePaths(error.problem, task), { cause: error }) : error;
  } finally {
    // The lock ends with the connection.
    client.release(true);
  }
}

/** Reads a whole file. @throws StartError if it is damaged or was not written with one of the keys */
async function checkFile(path: string, keys: BackupKeys): Promise<void> {
  await using _file = await openSealed(path, keys);
}

/** Replaces paths by names, because admins see the message. */
function hidePaths(text: string, { name, path, otherPath }: TestTask): string {
  const found = [path, otherPath].find((one) => one !== undefined && text.includes(one));
  return found ? text.replaceAll(found, found === path ? name : `The file ${name} in BACKUP_DIR`) : text;
}

async function requireMeans(client: pg.ClientBase, spareBytes: number | undefined): Promise<void> {
  const { bytes, mayCreate, user } = await readTestFacts(client);
  if (!mayCreate)
    throw new TestImpossible(
      `The database user may not create databases. Run as a superuser: alter role ${client.escapeIdentifier(user)} createdb`,
    );
  const needed = spaceFactor * bytes;
  if (spareBytes === undefined || spareBytes >= needed) return;
  throw new TestImpossible(
    `The disk has too little space: a test restore needs ${Math.ceil(needed / 1e9)} GB in addition to DISK_RESERVE_MB.`,
  );
}

function toUrl(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}

/** Keeps the test from slowing down other work. The test database need not survive a power failure. */
async function slowDown(client: pg.ClientBase, isEmbedded: boolean): Promise<void> {
  await client.query('set max_parallel_maintenance_workers = 0; set synchronous_commit = off');
  if (!isEmbedded) return;
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    for (const { pid } of rows) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // The database runs as another user, and this process is not root.
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SYSTEM_ERROR')) throw error;
  }
}
