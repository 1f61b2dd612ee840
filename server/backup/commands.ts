import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { auditCommand } from '../audit/audit.ts';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { listKeys, type SecretKey } from '../db/secret-key.ts';
import { StartError } from '../start-error.ts';
import type { Manifest } from './backup-file.ts';
import { connectDatabase, hasDatabase } from './connect.ts';
import { createBackupFile, identifySecretKey, writeBackup } from './create-backup.ts';
import { restoreBackup } from './restore.ts';
import { listAppliedMigrations } from './store.ts';

interface CommandContext {
  config: Config;
  log: FastifyBaseLogger;
  /** Reads the secret key without creating it; undefined if there is none. */
  findSecretKey(): Promise<SecretKey | undefined>;
}

const usage = `Usage:
  npm run backup -- FILE     (FILE is a new file; - for the standard output)
  npm run restore -- FILE`;

/**
 * Runs `npm run backup -- FILE`, also while Linksieve runs. Throws StartError. An interrupt removes the unfinished file.
 */
export async function runBackupCommand(context: CommandContext, words: string[]): Promise<void> {
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
      const options = { secretKeyId: key ? identifySecretKey(key.current) : null, signal };
      if (path === '-') {
        const { tables, rows } = await writeBackup(client, process.stdout, options);
        return printTo(process.stderr, `Wrote ${count(rows, 'row')} of ${count(tables, 'table')}.`);
      }
      const { tables, rows, bytes } = await createBackupFile(client, resolve(path), options);
      const size = `${(bytes / 1_000_000).toFixed(1)} MB`;
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      printTo(
        process.stdout,
        `Backed up ${count(rows, 'row')} of ${count(tables, 'table')} to ${path}: ${size}, ${seconds} s.`,
      );
      printTo(process.stdout, 'The backup does not contain the secret key. Keep a copy of it in another place.');
    } finally {
      await client.end();
    }
  });
}

/** Runs `npm run restore -- FILE` while Linksieve is stopped. Throws StartError. */
export async function runRestoreCommand(context: CommandContext, words: string[]): Promise<void> {
  const path = readPath(words);
  if (!existsSync(path)) throw new StartError(`There is no file ${path}.`);
  await onDatabase(context, async ({ url, superuserUrl, isInUse, signal }) => {
    if (isInUse) throw new StartError('Linksieve is running with this data folder. Stop it, and restore again.');
    const onStep = (text: string) => printTo(process.stdout, text);
    const manifest = await orInterrupt(restoreBackup(path, { url, superuserUrl, onStep }), signal);
    const { db, close } = openDatabase(
      url,
      (error) => context.log.error({ err: error }, 'database connection failed'),
      1,
    );
    const { createdAt, version } = manifest;
    await auditCommand({ db, now: () => new Date() }, 'Restored a backup', { createdAt, version }).finally(close);
    printTo(process.stdout, describe(manifest));
    const warning = describeSecretKey(manifest, await context.findSecretKey());
    if (warning) printTo(process.stdout, `Warning: ${warning}`);
    printTo(process.stdout, 'Start Linksieve with npm start. Everyone must sign in again.');
  });
}

const printTo = (output: NodeJS.WriteStream, line: string): void => void output.write(`${line}\n`);

function readPath(words: string[]): string {
  const [path] = words;
  if (!path || words.length > 1 || (path.startsWith('-') && path !== '-')) throw new StartError(usage);
  return path;
}

interface CommandDatabase {
  url: string;
  superuserUrl: string | undefined;
  isInUse: boolean;
  /** Aborts when the command is interrupted. */
  signal: AbortSignal;
}

async function onDatabase(
  { config }: CommandContext,
  work: (database: CommandDatabase) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController();
  const { url, superuserUrl, isInUse, close } = await connectDatabase(config);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => stopping.abort(new StartError('The command was interrupted.')));
  }
  try {
    await work({ url, superuserUrl, isInUse, signal: stopping.signal });
  } finally {
    await close();
  }
}

/** Throws the reason of the signal as soon as it aborts. The work ends with the process. */
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
