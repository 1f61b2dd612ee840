import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { getErrorMessage } from '../../start-error.ts';
import { dataFolder } from './cluster.ts';
import { findReason, type Owner, type PostgresPrograms, runProgram } from './postgres-programs.ts';
import { clearDeadPostmaster, isPostmasterAlive } from './postmaster.ts';
import { isStartingError } from './supervise.ts';
import { getSize, limitLogSize, readTextFrom } from './text-log.ts';

export interface PostgresServer {
  /** The path of its log. */
  textLog: string;
  /** Starts the server. @returns why it did not start; undefined if it runs */
  launch(port: number): Promise<string | undefined>;
  /** Stops the server, or what a killed one has left. */
  shutDown(superuserUrl: string): Promise<void>;
}

/** Recovery after a crash reads up to `max_wal_size`. */
const startTimeoutSeconds = 300;
const stopTimeoutSeconds = 60;
const maxEndingMs = 5000;

/** Controls the database server of a folder, without starting it. */
export function openServer({
  folder,
  programs,
  owner,
  durable,
}: {
  folder: string;
  programs: PostgresPrograms;
  owner: Owner | undefined;
  durable: boolean;
}): PostgresServer {
  const cluster = join(folder, 'cluster');
  const textLog = join(folder, 'postgres.log');
  const pgCtl = (...parameters: string[]) => runProgram(programs.pgCtl, parameters, cluster, owner);
  const stop = (mode: 'fast' | 'immediate') =>
    pgCtl('stop', '-D', dataFolder(cluster, owner), '-m', mode, '-w', '-t', String(stopTimeoutSeconds), '-s');
  return {
    textLog,
    async launch(port) {
      // A server that shuts down closes its port before it ends.
      for (const until = Date.now() + maxEndingMs; Date.now() < until; await delay(50)) {
        if (!(await isPostmasterAlive(cluster))) break;
      }
      await clearDeadPostmaster(cluster);
      await limitLogSize(textLog);
      const settings = Object.entries(buildSettings(port, durable)).map(([name, value]) => `-c ${name}=${value}`);
      const logSize = await getSize(textLog);
      try {
        await pgCtl(
          ...['start', '-D', dataFolder(cluster, owner), '-l', '../postgres.log'],
          ...['-w', '-t', String(startTimeoutSeconds), '-s', '-o', settings.join(' ')],
        );
        return undefined;
      } catch (error) {
        return findReason(await readTextFrom(textLog, logSize)) ?? getErrorMessage(error);
      }
    },
    async shutDown(superuserUrl) {
      if (!(await isPostmasterAlive(cluster))) return await clearDeadPostmaster(cluster);
      // PostgreSQL 18 may hang if it is stopped in fast mode while it recovers. Whatever a stop interrupts, the next
      // start recovers from the write-ahead log.
      const recovers = isStartingError(await findConnectionError(superuserUrl));
      await stop(recovers ? 'immediate' : 'fast').catch(async () => {
        if (await isPostmasterAlive(cluster)) await stop('immediate');
      });
    },
  };
}

/** Waits while the server starts, recovers or shuts down. @returns whether it accepts connections */
export async function waitUntilUp(url: string): Promise<boolean> {
  for (const until = Date.now() + startTimeoutSeconds * 1000; Date.now() < until; await delay(200)) {
    const error = await findConnectionError(url);
    if (error === undefined) return true;
    if (!isStartingError(error)) return false;
  }
  return false;
}

/** Returns why no connection can be opened; undefined if one can. */
export async function findConnectionError(url: string): Promise<unknown> {
  try {
    await (await connect(url)).end();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Opens a connection whose end is noticed. @throws the error of PostgreSQL or of the network */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'linksieve-owner',
    connectionTimeoutMillis: 5000,
    keepAlive: true,
  });
  // Supervision notices the end of the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** PostgreSQL settings for a database that shares the machine with the application. */
function buildSettings(port: number, durable: boolean): Record<string, string | number> {
  const megabytes = Math.floor(totalmem() / 1024 / 1024);
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: "''",
    shared_buffers: `${Math.max(64, Math.min(Math.floor(megabytes / 6), 4096))}MB`,
    effective_cache_size: `${Math.max(128, Math.floor(megabytes / 2))}MB`,
    work_mem: '32MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1,
    max_parallel_workers_per_gather: Math.min(2, availableParallelism()),
    timezone: 'UTC',
    // Each test file creates and drops a database, and PostgreSQL scans all shared buffers both times.
    ...(durable
      ? { max_connections: 70 }
      : {
          max_connections: 200,
          shared_buffers: '128MB',
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
        }),
  };
}
