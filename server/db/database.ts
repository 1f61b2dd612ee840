import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** The pool or a transaction: what every function of a store takes first. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

export interface Database {
  db: Db;
  /** The pool under `db`, for COPY streams and cursors. */
  pool: pg.Pool;
  close(): Promise<void>;
}

const INT8 = 20;

/** Milliseconds for which a caller waits for a connection, be it that the network is silent or that all others are in use. */
export const connectionTimeoutMs = 30_000;

/** Opens a pool on a PostgreSQL connection string. `onError` hears of connections that die while idle. */
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
  // One that dies in use fails its query, or the next one; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Throws when the database does not answer. */
export async function ping(db: Db): Promise<void> {
  await sql`select 1`.execute(db);
}

/** A LIKE pattern for texts that contain this one, whose wildcards stand for themselves. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
