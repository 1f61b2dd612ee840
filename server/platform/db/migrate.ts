import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import packageJson from '../../../package.json' with { type: 'json' };
import { StartError } from '../../start-error.ts';
import { findReplaced, lastBeforeBaseline, type MigrationRecord } from './before-baseline.ts';
import { locks } from './locks.ts';

const folder = join(import.meta.dirname, '../../../migrations');

interface Migration extends MigrationRecord {
  sql: string;
}

/** Returns the names of all migrations in their order, and the hashes of their text. */
export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((file) => /^\d{4}_.*\.sql$/.test(file)).sort();
  return await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sha256: createHash('sha256').update(sql).digest('hex'), sql };
    }),
  );
}

/**
 * Returns the migrations of this version that these records stand for, which may be those that the baseline replaced.
 */
export async function toCurrentMigrations(applied: readonly MigrationRecord[]): Promise<readonly MigrationRecord[]> {
  return findReplaced(applied) === 'all' ? (await listMigrations()).slice(0, 1) : applied;
}

/**
 * Runs the files of `migrations/` that have not run on this database, in order. Each runs in a transaction unless its
 * first line is `-- no-transaction`. If several processes call it at once, one runs the migrations and the others wait.
 * @param onNotice receives the notices that a migration raises, such as its progress
 * @param only the names of the migrations to run; by default all
 * @returns the names of the migrations that ran
 * @throws if a file was changed after it ran, or StartError if a newer version of Linksieve has updated the database
 */
export async function migrate(
  url: string,
  onNotice?: (message: string) => void,
  only?: ReadonlySet<string>,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [locks.migrate]);
    await client.query(
      'create table if not exists migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now(), version text)',
    );
    if (onNotice) client.on('notice', ({ message }) => onNotice(message ?? ''));
    const migrations = await listMigrations();
    await recordBaseline(client, migrations);
    const applied = await readApplied(client);
    requireKnown(applied, migrations);
    const seen = new Map(applied.map((row) => [row.name, row.sha256]));
    const ran: string[] = [];
    for (const { name, sha256, sql } of migrations) {
      if (only && !only.has(name)) continue;
      const before = seen.get(name);
      if (before === sha256) continue;
      if (before)
        throw new Error(`The migration ${name} was changed after it ran on this database. Add a new one instead.`);
      await apply(client, name, sql, sha256);
      ran.push(name);
    }
    return ran;
  } finally {
    await client.end();
  }
}

/**
 * Changes nothing, so that a command can use the database of a running server.
 * @throws StartError unless exactly the migrations of this version have run on the database
 */
export async function requireCurrentSchema(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'linksieve-migrate' });
  await client.connect();
  try {
    const applied = await readApplied(client);
    const migrations = await listMigrations();
    const isOld = findReplaced(applied) !== 'none';
    if (!isOld) requireKnown(applied, migrations);
    if (isOld || applied.length < migrations.length)
      throw new StartError(
        `The running server is an older version of Linksieve than this command (${packageJson.version}). Restart the server first.`,
      );
  } finally {
    await client.end();
  }
}

interface AppliedMigration extends MigrationRecord {
  /** The version of Linksieve that ran it; null if it did not record that yet. */
  version: string | null;
}

/**
 * Replaces the records of the migrations that the baseline replaced.
 * @throws StartError if some of them have not run
 */
async function recordBaseline(client: pg.Client, [baseline]: Migration[]): Promise<void> {
  const replaced = findReplaced(await readApplied(client));
  if (replaced === 'none' || !baseline) return;
  if (replaced === 'some')
    throw new StartError(
      `The database was last updated by an earlier version of Linksieve. Start commit ${lastBeforeBaseline} once, which updates it further, and then this version again.`,
    );
  await client.query(
    'with replaced as (delete from migrations) insert into migrations (name, sha256, version) values ($1, $2, $3)',
    [baseline.name, baseline.sha256, packageJson.version],
  );
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  // Earlier versions created the table without the column `version`.
  const columns = "name, sha256, to_jsonb(migrations) ->> 'version' as version";
  return (await client.query<AppliedMigration>(`select ${columns} from migrations order by name`)).rows;
}

function requireKnown(applied: AppliedMigration[], migrations: Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name)).at(-1);
  if (!unknown) return;
  const writer = unknown.version ? `version ${unknown.version}` : 'a newer version';
  throw new StartError(
    `The database was updated by ${writer} of Linksieve, and this version (${packageJson.version}) does not know its migration ${unknown.name}. ` +
      'Start that version again, or restore a backup from before the update.',
  );
}

async function apply(client: pg.Client, name: string, sql: string, sha256: string): Promise<void> {
  const record = () =>
    client.query('insert into migrations (name, sha256, version) values ($1, $2, $3)', [
      name,
      sha256,
      packageJson.version,
    ]);
  if (sql.startsWith('-- no-transaction')) {
    await client.query(sql);
    await record();
    return;
  }
  try {
    await client.query('begin');
    await client.query(sql);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}
