import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** The pool or a transaction: the first parameter of every store function. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface Database {
  db: Db;
  /** The pool under `db`, for COPY streams and cursors. */
  pool: pg.Pool;
  close(): Promise<void>;
}

const INT8 = 20;

/** How long a query waits for a connection while the server does not respond or all connections are in use. */
export const connectionTimeoutMs = 30_000;

/** Opens a pool on a PostgreSQL connection string. `onError` is called when an idle connection breaks. */
export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  size = 20,
  timeoutMs = connectionTimeoutMs,
  applicationName = 'linksieve',
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: timeoutMs,
    application_name: applicationName,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) },
  });
  pool.on('error', onError);
  // A connection that breaks while in use fails its query or the next one. Without a listener, it would also end the
  // process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Throws if the database does not respond. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Returns a LIKE pattern that matches any text containing this one. Wildcards in the text are escaped. */
export function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
