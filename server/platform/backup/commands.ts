import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Config } from '../../config.ts';
import { StartError } from '../../start-error.ts';
import { auditCommand } from '../audit/audit.ts';
import { openDatabase } from '../db/database.ts';
import { findRunningEmbedded, startEmbedded } from '../db/embedded.ts';
import { listKeys, type SecretKey } from '../db/secret-key.ts';
import { isMissing, openFiles } from '../files/files.ts';
import type { Manifest } from './backup-file.ts';
import { createBackupFile, identifySecretKey, writeBackup } from './create-backup.ts';
import { createBackupKeys } from './keys.ts';
import { restoreBackup } from './restore.ts';
import { isScheduledName, listScheduled } from './scheduled.ts';
import { downloadBackup, listCopies, withBackupBucket } from './second-place.ts';
import { listAppliedMigrations } from './store.ts';

interface CommandContext {
  config: Config;
  log: FastifyBaseLogger;
  /** Reads the secret key without creating it; undefined if there is none. */
  findSecretKey(): Promise<SecretKey | undefined>;
}

const usage = `Usage:
  npm run backup -- FILE       (FILE is a new file; - for the standard output)
  npm run backup -- --list     (lists the scheduled backups)
  npm run restore -- [--accept-unverified] FILE
                               (or the name of a backup in the bucket of BACKUP_S3_BUCKET, or s3://BUCKET/NAME)`;

/**
 * Runs `npm run backup -- FILE`, also while Linksieve runs. An interrupt removes the unfinished file.
 * @throws StartError
 */
export async function runBackupCommand(context: CommandContext, words: string[]): Promise<void> {
  if (words.length === 1 && words[0] === '--list') return await printBackups(context);
  const path = readPath(words);
  const { config } = context;
  if (!hasDatabase(config))
    throw new StartError(`There is no database in ${config.dataDir}. Set DATA_DIR or DATABASE_URL.`);
  const started = Date.now();
  await onDatabase(context, async ({ url, signal }) => {
    const client = await connect(url);
    // A query that waits for a lock cannot be aborted otherwise.
    signal.addEventListener('abort', () => void client.end());
    try {
      if ((await listAppliedMigrations(client)).length === 0)
        throw new StartError('There is no data of Linksieve in this database. Check DATABASE_URL.');
      const key = await context.findSecretKey();
      const keys = createBackupKeys(config.backupKey, key);
      const options = { secretKeyId: key ? identifySecretKey(key.current) : null, keys, signal };
      const secrecy = keys.passphrase === undefined ? '' : ', encrypted with BACKUP_KEY';
      if (path === '-') {
        const { tables, rows } = await writeBackup(client, process.stdout, options);
        return printTo(process.stderr, `Wrote ${count(rows, 'row')} of ${count(tables, 'table')}${secrecy}.`);
      }
      const { tables, rows, bytes } = await createBackupFile(client, resolve(path), options);
      const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      printTo(
        process.stdout,
        `Backed up ${count(rows, 'row')} of ${count(tables, 'table')} to ${path}: ${size}, ${seconds} s${secrecy}.`,
      );
      const kept =
        keys.passphrase === undefined ? 'the secret key. Keep a copy of it' : 'its keys. Keep a copy of both keys';
      printTo(process.stdout, `The backup does not contain ${kept} in another place.`);
      if (keys.seals.length === 0)
        printTo(process.stdout, 'Warning: There is no secret key, so the backup does not prove where it comes from.');
    } finally {
      await client.end();
    }
  });
}

/** Runs `npm run restore -- FILE` while Linksieve is stopped. @throws StartError */
export async function runRestoreCommand(context: CommandContext, words: string[]): Promise<void> {
  const acceptUnverified = words.includes('--accept-unverified');
  const name = readPath(words.filter((word) => word !== '--accept-unverified'));
  const { config } = context;
  const key = await context.findSecretKey();
  const keys = createBackupKeys(config.backupKey, key);
  const onStep = (text: string) => printTo(process.stdout, text);
  await withFile(context, name, onStep, (path) =>
    onDatabase(context, async ({ url, superuserUrl, isInUse, signal }) => {
      if (isInUse) throw new StartError('Linksieve is running with this data folder. Stop it, and restore again.');
      const options = { url, superuserUrl, keys, acceptUnverified, onStep };
      const manifest = await orInterrupt(restoreBackup(path, options), signal);
      const { db, close } = openDatabase(
        url,
        (error) => context.log.error({ err: error }, 'database connection failed'),
        { size: 1 },
      );
      const { createdAt, version } = manifest;
      await auditCommand({ db, now: () => new Date() }, 'Restored a backup', { createdAt, version }).finally(close);
      printTo(process.stdout, describe(manifest));
      const warning = describeSecretKey(manifest, key);
      if (warning) printTo(process.stdout, `Warning: ${warning}`);
      printTo(process.stdout, 'Start Linksieve with npm start. Everyone must sign in again.');
    }),
  );
}

const bucketAddress = /^s3:\/\/([^/]+)\/(.*\/)?([^/]+)$/;

/**
 * Passes the path of a file to `work`: that of a file on this machine, or of one that is downloaded from the bucket.
 */
async function withFile(
  { config, log }: CommandContext,
  name: string,
  onStep: (text: string) => void,
  work: (path: string) => Promise<void>,
): Promise<void> {
  if (existsSync(name)) return await work(name);
  const [, bucketName, prefix = '', key = name] = bucketAddress.exec(name) ?? [];
  const configured = config.backup?.bucket;
  if (bucketName === undefined && !(configured && isScheduledName(name)))
    throw new StartError(`There is no file ${name}.`);
  if (!configured) throw new StartError('Set BACKUP_S3_BUCKET and the other settings of the bucket first.');
  const bucketConfig = bucketName === undefined ? configured : { ...configured, name: bucketName, prefix };
  const options = { reserveBytes: config.diskReserveBytes, hasDatabase: config.databaseUrl === undefined };
  const files = await openFiles(config.dataDir, options);
  const folder = await files.createFolder();
  try {
    const path = join(files.locate(folder), key);
    onStep(`Downloading ${name} …`);
    await withBackupBucket(bucketConfig, log, (bucket) => downloadBackup({ bucket, files }, key, path)).catch(
      (error: unknown) => {
        if (isMissing(error)) throw new StartError(`There is no ${name} in the bucket.`);
        throw error;
      },
    );
    await work(path);
  } finally {
    await files.remove(folder);
  }
}

/** Prints the scheduled backups on this machine and in the bucket, newest first. */
async function printBackups({ config: { backup }, log }: CommandContext): Promise<void> {
  if (!backup) throw new StartError('There are no scheduled backups: BACKUP_DIR is not set.');
  const { bucket: bucketConfig, folder } = backup;
  const print = (place: string, backups: readonly { name: string; bytes: number }[]) => {
    printTo(process.stdout, `${place}: ${count(backups.length, 'backup')}`);
    for (const { name, bytes } of backups) printTo(process.stdout, `  ${name}  ${(bytes / 1_000_000).toFixed(1)} MB`);
  };
  // A new machine has only the bucket.
  const names = existsSync(folder) ? await listScheduled(folder) : [];
  const sizes = names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size }));
  print(folder, await Promise.all(sizes));
  if (!bucketConfig) return;
  print(`s3://${bucketConfig.name}/${bucketConfig.prefix}`, await withBackupBucket(bucketConfig, log, listCopies));
}

const printTo = (output: NodeJS.WriteStream, line: string): void => void output.write(`${line}\n`);

function readPath(words: string[]): string {
  const [path] = words;
  if (!path || words.length > 1 || (path.startsWith('-') && path !== '-')) throw new StartError(usage);
  return path;
}

/** @param work gets a signal that aborts when the command is interrupted */
async function onDatabase(
  { config }: CommandContext,
  work: (database: CommandDatabase & { signal: AbortSignal }) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const database = await connectDatabase(config);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => stopping.abort(new StartError('The command was interrupted.')));
  }
  try {
    await work({ ...database, signal: stopping.signal });
  } finally {
    await database.close();
  }
}

/** The work ends with the process. @throws the reason of the signal as soon as it aborts */
async function orInterrupt<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  return await Promise.race([work, interrupted]);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-backup' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

function describe({ createdAt, tables, version }: Manifest): string {
  const rows = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
  const total = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = [count(rows('domains'), 'domain'), count(rows('users'), 'account'), count(rows('reports'), 'report')];
  return `Restored ${count(total, 'row')} of ${count(tables.length, 'table')} from ${createdAt} (Linksieve ${version}), with ${parts.join(', ')}.`;
}

function describeSecretKey({ secretKeyId }: Manifest, key: SecretKey | undefined): string | undefined {
  if (secretKeyId === null || (key && listKeys(key).map(identifySecretKey).includes(secretKeyId))) return undefined;
  const problem = key ? 'The secret key is not the one of the backup.' : 'There is no secret key yet.';
  return (
    `${problem} Copy the file secret-key of the old data folder to DATA_DIR, or set SECRET_KEY, before you start Linksieve. ` +
    'Without that key, API keys still work, but cannot be displayed, one-time codes are refused, so that users need a recovery code ' +
    'or an admin, webhooks fail until their secrets are rotated, ' +
    'and the addresses of alert feeds and the links in sent emails stop working.'
  );
}

interface CommandDatabase {
  url: string;
  /** Only of an embedded database that no other process uses. */
  superuserUrl?: string;
  /** Whether another process of Linksieve uses the embedded database. */
  isInUse: boolean;
  /** Stops the embedded database, unless another process uses it. */
  close(): Promise<void>;
}

/** Returns the database of a command, which may run while Linksieve does. @throws StartError */
async function connectDatabase({ databaseUrl, dataDir, cacheDir }: Config): Promise<CommandDatabase> {
  if (databaseUrl) return { url: databaseUrl, isInUse: false, close: async () => undefined };
  const folder = join(dataDir, 'postgres');
  const running = await findRunningEmbedded(folder);
  if (running) return { url: running, isInUse: true, close: async () => undefined };
  const { url, superuserUrl, stop } = await startEmbedded(folder, { cacheDir });
  return { url, superuserUrl, isInUse: false, close: stop };
}

/** Whether there is an embedded database, or a setting for another one. */
function hasDatabase({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'));
}
