import { randomUUID } from 'node:crypto';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { runForAll } from '../db/fair-queue.ts';

/** Clients with fewer calls in a minute are counted by each process alone, which costs no query. */
const minSharedCalls = 60;
const exchangeMs = 1000;
/** Clients that are counted at a time. The one that was added first is forgotten when another one comes. */
const maxClients = 100_000;

interface Client {
  /** Calls of this process since `startedAt`, in milliseconds of this process's clock. */
  calls: number;
  startedAt: number;
  windowMs: number;
  /** Calls of other processes, as of the last exchange. */
  callsElsewhere: number;
}

/**
 * Returns the class of a store for @fastify/rate-limit. Processes that share a database of the operator tell each other
 * once a second how often their busiest clients called, so that a limit per minute holds for all of them together, up
 * to what a client calls within that second. Without the database, each process counts alone.
 */
export function createSharedLimits(
  { db, log }: { db: Db; log: FastifyBaseLogger },
  { isShared }: { isShared: boolean },
) {
  const processId = randomUUID();
  const clients = new Map<string, Client>();
  const busy = new Set<string>();

  function count(key: string, windowMs: number): Client {
    const now = Date.now();
    const known = clients.get(key);
    // A clock that was ahead must not lengthen the window.
    if (known && now >= known.startedAt && now < known.startedAt + windowMs) {
      known.calls += 1;
      return known;
    }
    const client = { calls: 1, startedAt: now, windowMs, callsElsewhere: 0 };
    clients.delete(key);
    clients.set(key, client);
    const [oldest] = clients.keys();
    if (clients.size > maxClients && oldest !== undefined) clients.delete(oldest);
    return client;
  }

  async function exchangeBusy(): Promise<void> {
    const now = Date.now();
    const shared = [...busy].flatMap((key) => {
      const client = clients.get(key);
      return client ? [{ key, calls: client.calls, restMs: client.startedAt + client.windowMs - now }] : [];
    });
    busy.clear();
    try {
      const elsewhere = await exchangeCalls(db, processId, shared);
      for (const { key } of shared) {
        const client = clients.get(key);
        if (client) client.callsElsewhere = elsewhere.get(key) ?? 0;
      }
    } catch (error) {
      log.warn({ err: error }, 'limits were not shared with other processes');
    }
  }

  return class SharedLimits implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs]: Parameters<FastifyRateLimitStore['incr']>): void {
      const client = count(key, windowMs);
      if (isShared && client.calls >= minSharedCalls) {
        // A client that floods the server must not delay this, so it is not the client's work.
        if (busy.size === 0) runForAll(() => setTimeout(exchangeBusy, exchangeMs).unref());
        busy.add(key);
      }
      const ttl = client.startedAt + windowMs - Date.now();
      callback(null, { current: client.calls + client.callsElsewhere, ttl });
    }

    /** Limits of one app have different keys. */
    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

interface SharedCalls {
  key: string;
  calls: number;
  /** Milliseconds until the calls no longer count. */
  restMs: number;
}

/**
 * Stores how often clients called this process.
 * @returns how often the same clients called other processes; clients without such calls are missing
 */
async function exchangeCalls(db: Db, processId: string, shared: readonly SharedCalls[]): Promise<Map<string, number>> {
  const keys = shared.map(({ key }) => key);
  const { rows } = await sql<{ key: string; calls: number }>`
    with stored as (
      insert into shared_limits (process, key, calls, expires_at)
      select ${processId}, key, calls, now() + rest * interval '1 millisecond'
      from unnest(${keys}::text[], ${shared.map(({ calls }) => calls)}::integer[], ${shared.map(({ restMs }) => restMs)}::integer[])
        as shared (key, calls, rest)
      on conflict (key, process) do update set calls = excluded.calls, expires_at = excluded.expires_at
    )
    select key, sum(calls)::integer as calls from shared_limits
    where key = any(${keys}) and process <> ${processId} and expires_at between now() and now() + interval '1 minute'
    group by key
  `.execute(db);
  return new Map(rows.map(({ key, calls }) => [key, calls]));
}
