import type { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Manifest, TableContent } from './backup-file.ts';

export type TableColumns = Pick<TableContent, 'name' | 'columns'>;

/**
 * Tables whose rows are not in a backup: sign-in data that must not become valid again, recent attempts, and the
 * history of backups. The rows of `migrations` are in the manifest.
 */
const leftOut = [
  'sessions',
  'password_resets',
  'email_changes',
  'login_failures',
  'shared_limits',
  'oauth_records',
  'oidc_requests',
  'uploads',
  'idempotent_answers',
  'backup_runs',
  'migrations',
];

/** Settings of a transaction that copies all rows. It takes long, and its texts must not depend on the server. */
export const copySettings = `
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local extra_float_digits = 1;
  set local bytea_output = 'hex'; set local xmloption = 'content'`;

/** Formats names for SQL, separated by commas. */
export const quoteNames = (names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');

/**
 * Runs `work` in a transaction that sees one snapshot of the whole database while others write. The tables are locked
 * before the snapshot: a later TRUNCATE or change of the schema waits, because the snapshot would see its effect. After
 * an error, close the connection: it may be in the middle of a COPY.
 */
export async function inSnapshot<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  const tables = (await listTables(client)).map(({ name }) => name);
  await client.query('begin isolation level repeatable read, read only');
  await client.query(copySettings);
  await client.query(`lock table ${quoteNames(tables)} in access share mode`);
  const result = await work();
  await client.query('commit');
  return result;
}

/** Lists the tables of the schema with their columns, in their order, without columns that PostgreSQL generates. */
export async function listTables(client: pg.ClientBase): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(`
    select relname::text as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
      and attgenerated = '' and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )
    group by relname order by relname`);
  return rows;
}

/** Lists the tables whose rows are in a backup. */
export async function listBackupTables(client: pg.ClientBase): Promise<TableColumns[]> {
  return (await listTables(client)).filter(({ name }) => !leftOut.includes(name));
}

/** Streams the rows of a table in COPY's text format. `countRows` returns their number at the end. */
export function streamRows(
  client: pg.ClientBase,
  { name, columns }: TableColumns,
): { rows: Readable; countRows(): number } {
  const rows = client.query(copyTo(`copy ${quoteNames([name])} (${quoteNames(columns)}) to stdout`));
  return { rows, countRows: () => rows.rowCount };
}

/** Reads what a manifest says about the database besides its rows. */
export async function readDatabaseState(
  client: pg.ClientBase,
): Promise<Pick<Manifest, 'createdAt' | 'migrations' | 'postgres' | 'sequences'>> {
  const { rows } = await client.query<{ createdAt: Date; postgres: string }>(
    `select now() as "createdAt", split_part(current_setting('server_version'), ' ', 1) as postgres`,
  );
  const [server] = rows;
  if (!server) throw new Error('The query returned no row.');
  return {
    createdAt: server.createdAt.toISOString(),
    postgres: server.postgres,
    migrations: await listAppliedMigrations(client),
    sequences: await readSequences(client),
  };
}

/** Returns the migrations that ran on the database; none if it is empty. */
export async function listAppliedMigrations(client: pg.ClientBase): Promise<Manifest['migrations']> {
  const { rows: found } = await client.query("select from pg_class where oid = to_regclass('migrations')");
  if (found.length === 0) return [];
  const { rows } = await client.query<Manifest['migrations'][number]>(
    'select name, sha256 from migrations order by name',
  );
  return rows;
}

/** Sequences are not part of the snapshot: their values are current, so they are never behind its rows. */
async function readSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    'select sequencename::text as name from pg_sequences where schemaname = current_schema() order by 1',
  );
  const sequences: Manifest['sequences'] = [];
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from ${quoteNames([name])}`,
    );
    for (const value of values) sequences.push({ name, ...value });
  }
  return sequences;
}
