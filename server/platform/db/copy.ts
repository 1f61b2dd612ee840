import type { Writable } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Formats one row in COPY's text format (https://www.postgresql.org/docs/current/sql-copy.html). Values must not
 * contain NUL characters, which PostgreSQL cannot store.
 */
export function formatCopyRow(values: readonly (string | number | readonly (string | number)[] | undefined)[]): string {
  let line = '';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) line += '\t';
    if (value === undefined) line += '\\N';
    else if (typeof value === 'number') line += value;
    else line += escapeText(typeof value === 'string' ? value : formatArray(value));
  }
  return `${line}\n`;
}

const escapeText = (text: string): string =>
  special.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : text;

/** Formats an array as PostgreSQL reads it (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-INPUT). */
const formatArray = (values: readonly (string | number)[]): string =>
  `{${values.map((value) => (typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;

/**
 * Runs `work` in a transaction whose queries and COPY streams share one connection. `copyFrom` takes a `copy … from
 * stdin` statement and returns a stream, which must end before the next query. Rolls back and rethrows errors of
 * `work`.
 */
export async function inCopyTransaction<T>(
  pool: pg.Pool,
  work: (trx: Db, copyFrom: (statement: string) => Writable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(createKysely(client), (statement) => client.query(from(statement)));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Returns a database all of whose queries use one connection. */
export function createKysely(client: pg.ClientBase): Db {
  const borrowed = { query: client.query.bind(client) as pg.PoolClient['query'], release: () => undefined };
  const pool = { options: {}, connect: async () => borrowed, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
