import pg from 'pg';
import { StartError } from '../../start-error.ts';
import { findReplaced, lastBeforeBaseline, type MigrationRecord } from '../db/before-baseline.ts';
import { listMigrations, migrate, toCurrentMigrations } from '../db/migrate.ts';
import { type BackupReader, type Manifest, newerBackup, openBackup } from './backup-file.ts';
import type { BackupKeys } from './keys.ts';
import { listAppliedMigrations, listBackupTables } from './store.ts';
import {
  analyzeTables,
  endInterruptedRuns,
  inLoadTransaction,
  isInUse,
  listFilledTables,
  loadRows,
  resetSchema,
  setSequences,
} from './store-restore.ts';

export interface RestoreOptions {
  /** Connection string of the database. */
  url: string;
  /** Of the superuser, if the database is the embedded one, whose empty tables may be dropped. */
  superuserUrl?: string | undefined;
  keys: BackupKeys;
  /** Restores a file whose origin is unknown, too. */
  acceptUnverified?: boolean;
  /** Receives what is done now, as a sentence. */
  onStep(text: string): void;
  /** Called with the connection that loads the rows. */
  onConnect?(client: pg.ClientBase): Promise<unknown>;
}

/**
 * Restores a backup into a database without rows, and updates the schema. The file is checked first. All rows are
 * loaded in one transaction, so an interrupted restore can be repeated.
 * @returns the manifest of the backup
 * @throws StartError
 */
export async function restoreBackup(path: string, options: RestoreOptions): Promise<Manifest> {
  const { url, superuserUrl, keys, acceptUnverified, onStep } = options;
  onStep('Checking the file …');
  await using backup = await openBackup(path, keys, acceptUnverified);
  if (!backup.isVerified)
    onStep('The file does not prove where it comes from. You accepted it with --accept-unverified.');
  const { manifest } = backup;
  const migrations = await requireKnownMigrations(manifest, path);
  const client = await connect(url);
  try {
    await options.onConnect?.(client);
    if (await isInUse(client)) throw new StartError('Linksieve is using this database. Stop it, and restore again.');
    await requireEmpty(client);
    await requireOlderSchema(client, migrations, superuserUrl);
    await migrate(url, onStep, new Set(migrations.map(({ name }) => name)));
    await load(client, backup, onStep);
    await migrate(url, onStep);
    onStep('Updating the statistics …');
    await analyzeTables(client);
    return manifest;
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-restore' });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** @returns the migrations of this version that the backup's stand for */
async function requireKnownMigrations(
  { migrations, version }: Manifest,
  path: string,
): Promise<readonly MigrationRecord[]> {
  if (findReplaced(migrations) === 'some')
    throw new StartError(
      `${path} was written by an earlier version of Linksieve. Restore it with commit ${lastBeforeBaseline}, and update afterwards.`,
    );
  const current = await toCurrentMigrations(migrations);
  const known = new Map((await listMigrations()).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of current) {
    const found = known.get(name);
    if (found === undefined) throw newerBackup(path, version);
    if (found === sha256) continue;
    throw new StartError(
      `${path} was written by Linksieve ${version} with another migration ${name}. Restore it with that version, and update afterwards.`,
    );
  }
  return current;
}

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const filled = await listFilledTables(client);
  if (filled.length === 0) return;
  const names =
    filled.length > 3 ? `${filled.slice(0, 3).join(', ')} and ${filled.length - 3} more` : filled.join(', ');
  throw new StartError(
    `This database already contains data (${names}). Nothing was changed. Restore into an empty database: set another DATA_DIR, or DATABASE_URL of a new database.`,
  );
}

/** The rows fit only the schema that they were in. An empty database of a newer one is created again. */
async function requireOlderSchema(
  client: pg.ClientBase,
  migrations: readonly MigrationRecord[],
  superuserUrl: string | undefined,
): Promise<void> {
  const names = new Set(migrations.map(({ name }) => name));
  const applied = await toCurrentMigrations(await listAppliedMigrations(client));
  const isOlder = applied.every(({ name }) => names.has(name));
  if (isOlder) return;
  if (superuserUrl !== undefined) {
    const superuser = await connect(superuserUrl);
    return await resetSchema(superuser).finally(() => superuser.end());
  }
  throw new StartError(
    'The tables of this database are empty, but newer than the backup. Set DATABASE_URL of a new database, and restore again.',
  );
}

const interruptedMessage = 'The server was restored from a backup before this finished. Please start it again.';

async function load(client: pg.ClientBase, backup: BackupReader, onStep: RestoreOptions['onStep']): Promise<void> {
  const { tables, sequences } = backup.manifest;
  await inLoadTransaction(client, {
    async check() {
      await requireEmpty(client);
      const existing = new Set((await listBackupTables(client)).map(({ name }) => name));
      const unknown = tables.find(({ name }) => !existing.has(name));
      if (unknown)
        throw new StartError(`The backup contains the table ${unknown.name}, which this Linksieve does not know.`);
    },
    async load() {
      const total = tables.reduce((sum, { rows }) => sum + rows, 0);
      onStep(`Loading ${total.toLocaleString('en')} rows …`);
      for (const table of tables) {
        const loading = loadRows(client, table);
        await backup.readTable(table, loading.open);
        const loaded = loading.countRows();
        if (loaded !== table.rows)
          throw new StartError(
            `${loaded} of ${table.rows} rows of the table ${table.name} were loaded. Nothing was restored.`,
          );
      }
      await setSequences(client, sequences);
      await endInterruptedRuns(client, new Set(tables.map(({ name }) => name)), interruptedMessage);
    },
    onIndexes: () => onStep('Building the indexes …'),
  });
}
