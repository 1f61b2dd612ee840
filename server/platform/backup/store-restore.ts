import type { Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { applicationRole } from '../db/application-role.ts';
import type { Manifest } from './backup-file.ts';
import { copySettings, listTables, quoteNames, type TableColumns } from './store.ts';

/** Whether other connections of Linksieve use the database. */
export async function isInUse(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'linksieve%' and application_name <> 'linksieve-owner'
    limit 1`);
  return rows.length > 0;
}

/** Lists the tables that have rows, except `migrations`. */
export async function listFilledTables(client: pg.ClientBase): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listTables(client)) {
    if (name === 'migrations') continue;
    const { rows } = await client.query<{ filled: boolean }>(
      `select exists (select from ${quoteNames([name])}) as filled`,
    );
    if (rows[0]?.filled) filled.push(name);
  }
  return filled;
}

/**
 * Removes all objects of the schema in an embedded database.
 * @param client of the superuser, because the application does not own the schema
 */
export async function resetSchema(client: pg.ClientBase): Promise<void> {
  await client.query(
    `drop schema public cascade; create schema public; grant usage, create on schema public to ${applicationRole}`,
  );
}

/** What `inLoadTransaction` calls, in this order. */
interface LoadSteps {
  /** @throws if the tables must not be loaded */
  check(): Promise<void>;
  load(): Promise<void>;
  /** Called before the indexes are built, which takes most of the time. */
  onIndexes(): void;
}

/**
 * Loads all tables in one transaction, without other connections that use them. While `load` runs, the tables are empty
 * and have neither triggers nor foreign keys, keys or indexes; these are restored at the end. An error or a kill leaves
 * the database unchanged. After an error, close the connection: it may be in the middle of a COPY.
 */
export async function inLoadTransaction(client: pg.ClientBase, { check, load, onIndexes }: LoadSteps): Promise<void> {
  await client.query('begin');
  await client.query(`${copySettings}; set local maintenance_work_mem = '256MB'`);
  const tables = (await listTables(client)).map(({ name }) => name);
  await client.query(`lock table ${quoteNames(tables)} in access exclusive mode`);
  await check();
  const { drop, create } = await readDefinitions(client);
  const setTriggers = (state: 'enable' | 'disable') =>
    runAll(
      client,
      tables.map((table) => `alter table ${quoteNames([table])} ${state} trigger user`),
    );
  await setTriggers('disable');
  await runAll(client, drop);
  // COPY can freeze the rows of a table that was truncated in the same transaction, so that no VACUUM follows.
  await client.query(`truncate ${quoteNames(tables.filter((table) => table !== 'migrations'))}`);
  await load();
  onIndexes();
  await runAll(client, create);
  await setTriggers('enable');
  await client.query('commit');
}

async function runAll(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

/** Returns the statements that drop and create the foreign keys, keys and indexes of the schema, in a valid order. */
async function readDefinitions(client: pg.ClientBase): Promise<{ drop: string[]; create: string[] }> {
  const { rows } = await client.query<{ drop: string; create: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create,
      case when contype = 'f' then 3 else 1 end as place
    from pg_constraint where connamespace = current_schema()::regnamespace and contype in ('p', 'u', 'f')
    union all
    select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 2
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    order by place`);
  return { drop: rows.map((row) => row.drop).reverse(), create: rows.map((row) => row.create) };
}

/**
 * Loads the rows of an empty table from the stream that `open` returns. `countRows` returns their number at the end.
 */
export function loadRows(client: pg.ClientBase, { name, columns }: TableColumns) {
  const copy = copyFrom(`copy ${quoteNames([name])} (${quoteNames(columns)}) from stdin (freeze)`);
  return { open: (): Writable => client.query(copy), countRows: () => copy.rowCount };
}

/** Updates the planner's statistics. */
export async function analyzeTables(client: pg.ClientBase): Promise<void> {
  await client.query(`analyze ${quoteNames((await listTables(client)).map(({ name }) => name))}`);
}

export async function setSequences(client: pg.ClientBase, sequences: Manifest['sequences']): Promise<void> {
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [quoteNames([name]), value, isCalled]);
}

/**
 * Ends the runs that were unfinished when the backup was created, because neither their jobs nor their files are in it.
 * Changes of sources and withdrawals of feeds continue with new jobs. A copy of a feed that an admin had accepted waits
 * for a review again. Feeds are downloaded when they are due.
 * @param tables those of the backup, which may be older than the program
 */
export async function endInterruptedRuns(
  client: pg.ClientBase,
  tables: ReadonlySet<string>,
  message: string,
): Promise<void> {
  const fail = `status = 'failed', progress = 0, finished_at = now(), message = $1`;
  const isUnfinished = `status in ('processing', 'queued', 'running')`;
  const updates: [table: string, changes: string][] = [
    ['imports', `set ${fail} where ${isUnfinished}`],
    ['analyses', `set ${fail} where ${isUnfinished} or status = 'waiting'`],
    ['maintenance_runs', `set ${fail} where ${isUnfinished}`],
    ['feed_runs', `set ${fail} where ${isUnfinished} and not accepted`],
    [
      'feed_runs',
      `set status = 'waiting', accepted = false, progress = 0, attempts = 0 where ${isUnfinished} and accepted`,
    ],
    ['source_runs', `set status = 'queued', progress = 0, attempts = 0 where ${isUnfinished}`],
  ];
  for (const [table, changes] of updates) {
    if (!tables.has(table)) continue;
    await client.query(`update ${table} ${changes}`, changes.includes('$1') ? [message] : []);
  }
}
