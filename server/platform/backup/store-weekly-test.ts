import type pg from 'pg';
import { locks } from '../db/locks.ts';

// A test restore has a database of its own beside the one of the application. Its name depends on that one, because a
// server may have several installations.

/** SQL for the name of the database of a test. The type cuts it to the length that PostgreSQL allows. */
const testName = `('linksieve_test_restore_of_' || current_database())::name`;

/** Waits until no other process tests. The lock ends with the connection. */
export async function takeTestLock(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0');
  await client.query('select pg_advisory_lock($1)', [locks.testRestore]);
}

/** Returns the name and size of the database, and whether its user may create another one. */
export async function readTestFacts(
  client: pg.ClientBase,
): Promise<{ user: string; bytes: number; mayCreate: boolean }> {
  const { rows } = await client.query<Awaited<ReturnType<typeof readTestFacts>>>(`
    select current_user::text as user, pg_database_size(current_database())::float8 as bytes,
      rolcreatedb or rolsuper as "mayCreate"
    from pg_roles where rolname = current_user`);
  const [facts] = rows;
  if (!facts) throw new Error('The query returned no row.');
  return facts;
}

/** Creates an empty database like this one. @returns its name */
export async function createTestDatabase(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string; statement: string }>(`
    select ${testName}::text as name, format(
      'create database %I template template0 encoding ''UTF8'' lc_collate %L lc_ctype %L', ${testName}, datcollate, datctype
    ) as statement
    from pg_database where datname = current_database()`);
  const [row] = rows;
  if (!row) throw new Error('The query returned no row.');
  await client.query(row.statement);
  return row.name;
}

/**
 * Drops the database of a test, and ends its connections. `with (force)` would fail while the database is vacuumed,
 * unless the user is a superuser. Call it only while holding the lock.
 */
export async function dropTestDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop database if exists %I', datname) as statement from pg_database where datname = ${testName}`,
  );
  if (rows.length === 0) return;
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = ${testName} and usename = current_user`,
  );
  for (const { statement } of rows) await client.query(statement);
}

/** Drops the database that a killed test left behind. Does nothing while a test runs. */
export async function dropAbandonedTestDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    // The connection of an ended process may still be closing.
    await client.query("set lock_timeout = '3s'");
    await client.query('select pg_advisory_lock($1)', [locks.testRestore]);
    await dropTestDatabase(client);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === lockNotAvailable)) throw error;
  } finally {
    // The lock ends with the connection.
    client.release(true);
  }
}

const lockNotAvailable = '55P03';
