import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { batchQueries } from './batch-queries.ts';
import { takeTurns } from './fair-queue.ts';
import type { Tables } from './tables.ts';

/** What reads need of a pool. */
export interface ReadPool {
  connect(): Promise<pg.PoolClient>;
  query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
}

/** Why reads use the primary: the replica does not respond, lags behind, or is not a standby of the primary. */
export type ReplicaFailure = 'unreachable' | 'behind' | 'foreign';

export interface ReadReplica {
  /** Connects to the replica if it has all acknowledged changes, else to the primary. */
  pool: ReadPool;
  /** Kysely on the pool. */
  db: Kysely<Tables>;
  /** Undefined while reads use the replica. */
  failure(): ReplicaFailure | undefined;
  /** Looks whether the replica can be used, which also happens every two seconds. */
  probe(): Promise<void>;
  /** Ends the checks. The pools stay open. */
  stop(): void;
}

/** A read that would wait longer for the replica is faster on the primary. */
const maxWaitMs = 50;
const stepMs = 3;
/** A replica that is further behind is not used. */
const maxProbeWaitMs = 1000;
const probeIntervalMs = 2000;
/** How long a read waits for the turn of its owner. */
const maxTurnWaitMs = 5000;
/** After this time without a response, running reads fail. Otherwise, they would wait for a frozen server forever. */
const maxUnreachableMs = 10_000;
/** A connection to a frozen server never reports an error. */
const checkTimeoutMs = 1000;

/**
 * Lets reads use a streaming replica. Before each read, the replica must have replayed everything that the primary had
 * flushed when the read began. So a read sees all changes that were acknowledged before, of all processes.
 * Alternatives: docs/decisions/0034-read-replica.md.
 * @param primary the pool for reads that the replica cannot serve
 * @param checks one more connection to the replica, because reads can use all connections of its pool for seconds
 */
export function openReadReplica(
  primary: pg.Pool,
  replica: pg.Pool,
  checks: pg.Pool,
  log: FastifyBaseLogger,
): ReadReplica {
  /** False from a failed read until the next successful check, and before the first. */
  let isUsable = false;
  /** What the last check found. */
  let failure: ReplicaFailure | undefined;
  let respondedAt = performance.now();
  const clientsInUse = new Set<pg.PoolClient>();
  replica.on('acquire', (client) => clientsInUse.add(client));
  replica.on('release', (_error, client) => clientsInUse.delete(client));
  /** Reads the position in the write-ahead log after the call. Calls at the same time share the query. */
  const readPosition = batchQueries(async (calls: readonly 'now'[]) => {
    // After a failover, DATABASE_URL may lead to a standby that is not promoted yet.
    const { rows } = await primary.query<{ position: string }>({
      name: 'read-position',
      text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end::text as position`,
    });
    return calls.map(() => rows[0]?.position ?? '0/0');
  });

  /** Connects to the replica, and calls `check`, which returns a reason against using it. */
  async function connectReplica(
    pool: pg.Pool,
    check: (client: pg.PoolClient) => Promise<ReplicaFailure | undefined>,
  ): Promise<{ client: pg.PoolClient } | { found: ReplicaFailure; err?: unknown }> {
    let client: pg.PoolClient | undefined;
    try {
      client = await pool.connect();
      const found = await check(client);
      if (!found) return { client };
      client.release();
      return { found };
    } catch (err) {
      client?.release(true);
      return { found: 'unreachable', err };
    }
  }

  const maxReads = replica.options.max;
  const { connect } = takeTurns({ max: maxReads, maxWaitMs: maxTurnWaitMs }, connectNow);

  async function connectNow(): Promise<pg.PoolClient> {
    if (!isUsable) return primary.connect();
    const position = await readPosition('now');
    const result = await connectReplica(replica, (client) => catchUp(client, position, maxWaitMs));
    if ('client' in result) return result.client;
    // A read that got no connection may have waited behind others.
    const isBusy = result.found === 'unreachable' && replica.totalCount >= maxReads;
    if (!isBusy) isUsable = false;
    return primary.connect();
  }

  async function checkReplica(): Promise<void> {
    const own = await readIdentity(primary).catch(() => undefined);
    // Nothing is known about the replica while the primary does not respond.
    if (!own) {
      respondedAt = performance.now();
      return;
    }
    const result = await connectReplica(checks, async (client) => {
      const { identity, isStandby } = await readIdentity(client);
      if (identity !== own.identity || !isStandby) return 'foreign';
      return catchUp(client, await readPosition('now'), maxProbeWaitMs);
    });
    isUsable = 'client' in result;
    if ('client' in result) result.client.release();
    const found = 'found' in result ? result.found : undefined;
    if (found !== 'unreachable') respondedAt = performance.now();
    else if (performance.now() - respondedAt > maxUnreachableMs) for (const client of clientsInUse) void client.end();
    if (found === failure) return;
    failure = found;
    if (found)
      log.warn(
        { replica: found, err: 'err' in result ? result.err : undefined },
        'reads use the primary, because the replica cannot be used',
      );
    else log.info('reads use the replica again');
  }

  let lastCheck = Promise.resolve();
  const probe = () => {
    lastCheck = lastCheck.then(checkReplica);
    return lastCheck;
  };
  const stopping = new AbortController();
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await probe();
      await delay(probeIntervalMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  };
  void repeat();
  // The pools are ended by their owner. No query is aborted, so no options for another connection are needed.
  const connections = { connect, end: async () => undefined, options: {} };
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) }),
    pool: {
      connect,
      async query(config) {
        const client = await connect();
        try {
          const result = await client.query(config);
          client.release();
          return result;
        } catch (error) {
          client.release(true);
          throw error;
        }
      },
    },
    failure: () => failure,
    probe,
    stop: () => stopping.abort(),
  };
}

interface ServerIdentity {
  /** The same for a primary and its standbys. */
  identity: string;
  isStandby: boolean;
}

async function readIdentity(server: Pick<ReadPool, 'query'>): Promise<ServerIdentity> {
  const query = {
    text: 'select system_identifier::text as identity, pg_is_in_recovery() as "isStandby" from pg_control_system()',
    query_timeout: checkTimeoutMs,
  };
  const { rows } = await server.query<ServerIdentity>(query);
  const [row] = rows;
  if (!row) throw new Error('pg_control_system() returned no row.');
  return row;
}

/** Waits until the replica has replayed the log up to a position. */
async function catchUp(client: pg.PoolClient, position: string, waitMs: number): Promise<'behind' | undefined> {
  const query = {
    name: 'has-replayed',
    text: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "hasReplayed"',
    values: [position],
    query_timeout: checkTimeoutMs,
  };
  const end = performance.now() + waitMs;
  for (;;) {
    const { rows } = await client.query<{ hasReplayed: boolean | null }>(query);
    if (rows[0]?.hasReplayed) return undefined;
    if (performance.now() > end) return 'behind';
    await delay(stepMs);
  }
}
