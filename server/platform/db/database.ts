import type { FastifyBaseLogger } from 'fastify';
import { Kysely, PostgresDialect, type SelectQueryBuilder, type Transaction } from 'kysely';
import pg from 'pg';
import { FairPool } from './fair-queue.ts';
import { openReadReplica, type ReadPool, type ReplicaFailure } from './read-replica.ts';
import type { Tables } from './tables.ts';

/** The pool or a transaction: the first parameter of every store function. */
export type Db = Kysely<Tables>;
export type Trx = Transaction<Tables>;

/** Makes functions that open a transaction use this one, so that the work of several is committed together. */
export const joinTransaction = (trx: Trx): Db =>
  Object.assign(trx, { transaction: () => ({ execute: <T>(work: (trx: Trx) => Promise<T>) => work(trx) }) });

/** A pool of database connections, as its metrics describe it. */
export interface MeasuredPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
}

export interface Database extends Pools {
  close(): Promise<void>;
}

/**
 * The connections of a process, in separate pools: slow work in one never takes the connections of another. With
 * `openDatabase`, all are the same pool.
 */
export interface Pools {
  db: Db;
  /** The pool under `db`, for COPY streams and cursors. */
  pool: pg.Pool;
  /** For sessions and sign-in. */
  signInDb: Db;
  /** For topics that mostly read the blacklist. */
  listDb: Db;
  /** For lists, searches, checks and statistics of the blacklist: the replica if there is one, else `listDb`. */
  readDb: Db;
  readPool: ReadPool;
  /** Why reads do not use the replica; undefined if they do, or if there is none. */
  replicaFailure(): ReplicaFailure | undefined;
  /** For health checks. */
  healthPool: pg.Pool;
  /** All pools by name, for metrics. */
  pools: Record<string, MeasuredPool>;
}

const INT8 = 20;

/** How long a query waits for a connection while the server does not respond or all connections are in use. */
export const connectionTimeoutMs = 30_000;

/** Limits that PostgreSQL applies to each statement of a connection, in milliseconds. */
export interface StatementLimits {
  statement_timeout?: number;
  lock_timeout?: number;
}

/**
 * Opens a pool on a PostgreSQL connection string. `onError` is called when an idle connection breaks.
 * @param settings `limits`: none by default, because background work may take long
 */
export function openDatabase(
  url: string,
  onError: (error: Error) => void,
  {
    size = 20,
    timeoutMs = connectionTimeoutMs,
    applicationName = 'linksieve',
    limits = {},
  }: Partial<Omit<PoolSettings, 'url'>> = {},
): Database {
  return toDatabase(new pg.Pool(toPoolConfig({ url, size, timeoutMs, applicationName, limits })), onError);
}

interface PoolSettings {
  url: string;
  size: number;
  timeoutMs: number;
  applicationName: string;
  limits: StatementLimits;
}

const toPoolConfig = ({ url, size, timeoutMs, applicationName, limits }: PoolSettings) => ({
  connectionString: url,
  max: size,
  connectionTimeoutMillis: timeoutMs,
  application_name: applicationName,
  ...limits,
  types: {
    getTypeParser: ((oid, format) =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
  },
});

function toDatabase(pool: pg.Pool, onError: (error: Error) => void): Database {
  pool.on('error', onError);
  // A connection that breaks while in use fails its query or the next one. Without a listener, it would also end the
  // process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    signInDb: db,
    listDb: db,
    readDb: db,
    readPool: pool,
    replicaFailure: () => undefined,
    healthPool: pool,
    pools: { main: pool },
    close: () => db.destroy(),
  };
}

/** The most expensive reads that a process runs at the same time. */
export const maxConcurrentReads = 4;

interface WebDatabaseOptions {
  onError(error: Error): void;
  log: FastifyBaseLogger;
  /** PgBouncer in front of the database. It sets the limits of statements, because it refuses those of clients. */
  poolUrl?: string | undefined;
  /** A streaming replica for reads. */
  readUrl?: string | undefined;
}

/**
 * Opens the pools of the web server. They have 20 connections in total, and 7 to the replica: docs/operations.md says
 * so.
 */
export function openWebDatabase(url: string, { onError, log, poolUrl, readUrl }: WebDatabaseOptions): Database {
  const server = poolUrl ?? url;
  const onServer = (limits: StatementLimits) => (poolUrl === undefined ? limits : {});
  const open = (name: string, size: number, timeoutMs: number, limits: StatementLimits) => {
    const settings = { url: server, size, timeoutMs, applicationName: `linksieve-${name}`, limits: onServer(limits) };
    return toDatabase(new FairPool(toPoolConfig(settings)), onError);
  };
  const main = open('web', 8, 10_000, { statement_timeout: 60_000, lock_timeout: 10_000 });
  const signIn = open('sign-in', 4, 5000, { statement_timeout: 10_000, lock_timeout: 5000 });
  // Reads outside the queue of expensive reads need connections too.
  const readers = maxConcurrentReads + 2;
  const readLimits = { statement_timeout: 20_000, lock_timeout: 3000 };
  const lists = open('lists', readers, 5000, readLimits);
  const healthLimits = onServer({ statement_timeout: healthTimeoutMs });
  const health = openDatabase(server, onError, {
    size: 2,
    timeoutMs: healthTimeoutMs,
    applicationName: 'linksieve-health',
    limits: healthLimits,
  });
  const openReplica = (name: string, size: number) =>
    readUrl === undefined
      ? undefined
      : openDatabase(readUrl, onError, {
          size,
          timeoutMs: 1000,
          applicationName: `linksieve-${name}`,
          limits: readLimits,
        });
  const replica = openReplica('replica', readers);
  const replicaChecks = openReplica('replica-checks', 1);
  const reads = replica && replicaChecks && openReadReplica(lists.pool, replica.pool, replicaChecks.pool, log);
  const all = { main, signIn, lists, health, ...(replica && { replica }), ...(replicaChecks && { replicaChecks }) };
  return {
    db: main.db,
    pool: main.pool,
    signInDb: signIn.db,
    listDb: lists.db,
    readDb: reads?.db ?? lists.db,
    readPool: reads?.pool ?? lists.pool,
    replicaFailure: () => reads?.failure(),
    healthPool: health.pool,
    pools: Object.fromEntries(Object.entries(all).map(([name, { pool }]) => [name, measurePool(pool)])),
    async close() {
      reads?.stop();
      await Promise.all(Object.values(all).map((one) => one.close()));
    },
  };
}

function measurePool(pool: pg.Pool): MeasuredPool {
  if (!(pool instanceof FairPool)) return pool;
  return {
    get totalCount() {
      return pool.totalCount;
    },
    get idleCount() {
      return pool.idleCount;
    },
    get waitingCount() {
      return pool.waitingCount + pool.countWaitingForTurn();
    },
  };
}

const healthTimeoutMs = 2000;

export type DatabaseHealth = 'ok' | 'read-only' | 'slow' | 'unreachable';

/** Returns what the database can do, within three seconds. */
export async function checkDatabase(pool: pg.Pool): Promise<DatabaseHealth> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<'slow'>((resolve) => {
    timer = setTimeout(() => resolve('slow'), healthTimeoutMs);
  });
  try {
    return await Promise.race([queryHealth(pool), slow]);
  } finally {
    clearTimeout(timer);
  }
}

async function queryHealth(pool: pg.Pool): Promise<DatabaseHealth> {
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    // A connection to a frozen server never reports an error.
    const query = { text: `select current_setting('transaction_read_only') as value`, query_timeout: healthTimeoutMs };
    const { rows } = await client.query<{ value: string }>(query);
    client.release();
    return rows[0]?.value === 'on' ? 'read-only' : 'ok';
  } catch (error) {
    client?.release(true);
    const isTimeout = error instanceof Error && /timeout/i.test(error.message);
    return isTimeout ? 'slow' : 'unreachable';
  }
}

/** Returns the number of rows that a query finds. */
export async function countRows<Name extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Name, object>,
): Promise<number> {
  const { count } = await query.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return count;
}

/** Returns a LIKE pattern that matches any text containing this one. Wildcards in the text are escaped. */
export function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
