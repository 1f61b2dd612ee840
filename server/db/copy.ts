import type { Writable } from 'node:stream';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One row of a COPY in text format (PostgreSQL, COPY, "Text Format"). Values hold no NUL, which PostgreSQL cannot store. */
export function copyLine(values: readonly (string | number | undefined)[]): string {
  let line = '';
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i];
    if (i > 0) line += '\t';
    if (value === undefined) line += '\\N';
    else if (typeof value === 'number') line += value;
    else line += special.test(value) ? value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter] ?? letter) : value;
  }
  return `${line}\n`;
}

/**
 * Runs `work` in one transaction whose queries and COPY streams share a connection. `copyFrom` takes a `copy … from stdin`
 * statement; its stream has to end before the next query. Throws what `work` throws, after a rollback.
 */
export async function inCopyTransaction<T>(
  pool: pg.Pool,
  work: (trx: Db, copyFrom: (statement: string) => Writable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(kyselyOn(client), (statement) => client.query(from(statement)));
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

function kyselyOn(client: pg.PoolClient): Db {
  const borrowed = { query: client.query.bind(client) as pg.PoolClient['query'], release: () => undefined };
  const pool = { options: {}, connect: async () => borrowed, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
