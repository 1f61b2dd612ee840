import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { getErrorMessage } from '../../start-error.ts';

export type SupervisorLog = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

interface SupervisedServer {
  /** Opens the next connection to watch. */
  connect(): Promise<pg.Client>;
  isAlive(): Promise<boolean>;
  /** Starts the server. @returns why it did not start; undefined if it runs */
  restart(): Promise<string | undefined>;
  log: SupervisorLog;
}

interface Supervisor {
  /** A sentence after attempts have failed for a minute; undefined before, and while the server starts or recovers. */
  failure(): string | undefined;
  /** Ends supervision and calls `shutDown`, also to interrupt a restart. */
  stop(shutDown: () => Promise<void>): Promise<void>;
}

/** The server starts, recovers or shuts down. */
const startingCode = '57P03';
const startingWaitMs = 200;
const firstWaitMs = 500;
const maxWaitMs = 30_000;
const failureAfterMs = 60_000;

export function isStartingError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === startingCode;
}

/**
 * Restarts the server whenever it dies, with increasing waits between failed attempts. The watched connection ends as
 * soon as the server does. If only the connection was lost, it is replaced.
 * @param connection the first one to watch
 */
export function superviseServer(connection: pg.Client, server: SupervisedServer): Supervisor {
  const { log } = server;
  const stopping = new AbortController();
  const { signal } = stopping;
  let watched = connection;
  let failingSince: number | undefined;

  /** Connects, and starts the server first if it is dead. @returns the error; undefined if there is a connection */
  async function attempt(): Promise<unknown> {
    try {
      watched = await server.connect();
      return undefined;
    } catch (error) {
      if (signal.aborted || (await server.isAlive())) return error;
    }
    log.warn('The embedded PostgreSQL has stopped. Linksieve is restarting it.');
    const reason = await server.restart();
    if (reason !== undefined) return new Error(reason);
    return await server.connect().then(
      (client) => {
        watched = client;
      },
      (error: unknown) => error,
    );
  }

  async function recover(): Promise<void> {
    const start = performance.now();
    for (let waitMs = firstWaitMs; !signal.aborted; ) {
      const error = await attempt();
      if (error === undefined) {
        failingSince = undefined;
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        log.info(`The embedded PostgreSQL accepts connections again after ${seconds} s.`);
        return;
      }
      if (isStartingError(error)) {
        failingSince = undefined;
        await pause(startingWaitMs);
        continue;
      }
      failingSince ??= performance.now();
      if (!signal.aborted)
        log.error(
          `The embedded PostgreSQL is not available: ${getErrorMessage(error)}. The next attempt is in ${waitMs / 1000} s.`,
        );
      await pause(waitMs);
      waitMs = Math.min(waitMs * 2, maxWaitMs);
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    // It rejects when supervision stops.
    await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      await new Promise<void>((resolve) => watched.once('end', resolve));
      await recover();
    }
    await watched.end().catch(() => undefined);
  }

  const watching = watch();
  return {
    failure() {
      if (failingSince === undefined || performance.now() - failingSince < failureAfterMs) return undefined;
      return 'The embedded database does not start. The log of the server says why.';
    },
    async stop(shutDown) {
      stopping.abort();
      const ended = watching.then(() => true);
      const endConnection = watched.end().catch(() => undefined);
      // A restart that has just begun may not have a process to stop yet.
      while (!(await Promise.race([ended, delay(startingWaitMs, false)]))) await shutDown();
      await endConnection;
      await shutDown();
    },
  };
}
