import { createHmac, randomBytes } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { type TableContent, writeBackupFile } from './backup-file.ts';
import type { BackupKeys } from './keys.ts';
import { openSealed } from './sealed-file.ts';
import { inSnapshot, listBackupTables, readDatabaseState, streamRows } from './store.ts';

export interface BackupSummary {
  tables: number;
  rows: number;
}

export interface BackupOptions {
  /** See `identifySecretKey`. */
  secretKeyId: string | null;
  keys: BackupKeys;
  signal: AbortSignal;
  /** Called with the share of the tables that are done, 0 to 1. */
  onProgress?(share: number): void;
}

/** Returns a text that identifies the secret key without revealing it. */
export function identifySecretKey(key: Buffer): string {
  return createHmac('sha256', key).update('secret key of a backup').digest('base64url');
}

/** The random end of the name of an unfinished backup. */
export const unfinishedName = /\.unfinished-[0-9a-f]{8}$/;

/**
 * Writes a backup to a new file, which gets its name when it is complete, checked and on disk. An error or an abort
 * leaves no file; a kill leaves one that matches `unfinishedName`.
 * @throws StartError if the file exists
 */
export async function createBackupFile(
  client: pg.ClientBase,
  path: string,
  options: BackupOptions,
): Promise<BackupSummary & { bytes: number }> {
  if (await exists(path)) throw new StartError(`${path} already exists. Choose another name, or delete it first.`);
  const draft = `${path}.unfinished-${randomBytes(4).toString('hex')}`;
  try {
    // A backup contains the data of all users.
    const file = await open(draft, 'wx', 0o600);
    const summary = await writeBackup(client, file.createWriteStream({ flush: true }), options);
    await verifyBackup(draft, options.keys);
    const { size: bytes } = await stat(draft);
    await rename(draft, path);
    await syncFolder(dirname(path));
    return { ...summary, bytes };
  } catch (error) {
    await rm(draft, { force: true });
    throw mapFileError(error, path);
  }
}

/** Reads a whole file. @throws StartError if it cannot be restored with the keys that wrote it */
async function verifyBackup(path: string, keys: BackupKeys): Promise<void> {
  await using _file = await openSealed(path, keys, keys.seals.length === 0);
}

/** Streams a backup of the database to `output`. The snapshot is consistent while others write. */
export async function writeBackup(
  client: pg.ClientBase,
  output: NodeJS.WritableStream,
  { secretKeyId, keys, signal, onProgress = () => undefined }: BackupOptions,
): Promise<BackupSummary> {
  const tables: TableContent[] = [];
  await writeBackupFile(output, { keys, signal }, (writer) =>
    inSnapshot(client, async () => {
      const found = await listBackupTables(client);
      const state = await readDatabaseState(client);
      for (const [index, table] of found.entries()) {
        onProgress(index / found.length);
        const { rows, countRows } = streamRows(client, table);
        const written = await writer.addTable(table.name, rows);
        tables.push({ ...table, rows: countRows(), ...written });
      }
      await writer.finish({ version: await readVersion(), secretKeyId, ...state, tables });
    }),
  );
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
}

const packageFile = join(import.meta.dirname, '../../../package.json');

async function readVersion(): Promise<string> {
  const { version }: { version: string } = JSON.parse(await readFile(packageFile, 'utf8'));
  return version;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
}

/** Windows cannot open a folder. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

/** Turns some system errors into sentences that keep their code. */
function mapFileError(error: unknown, path: string): unknown {
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const folder = dirname(path);
  const full = `The disk of ${folder} is full. The unfinished backup was removed. Free some space and try again.`;
  const sentences: Record<string, string> = {
    ENOENT: `The folder ${folder} does not exist. Create it, or choose another one.`,
    ENOSPC: full,
    EDQUOT: full,
  };
  const sentence = sentences[code ?? ''];
  return sentence ? Object.assign(new StartError(sentence, { cause: error }), { code }) : error;
}
