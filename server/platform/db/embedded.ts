import { chown, mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../../start-error.ts';
import { findFreePort } from '../net/ports.ts';
import { applicationRole, deriveApplicationPassword, prepareApplicationRole } from './application-role.ts';
import { createBallast, releaseBallast } from './ballast.ts';
import { createCluster, findOwner, superuser } from './cluster.ts';
import { lockFile } from './file-lock.ts';
import { locks } from './locks.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { connect, findConnectionError, openServer, type PostgresServer, waitUntilUp } from './postgres-server.ts';
import { isPostmasterAlive, readPostmaster } from './postmaster.ts';
import { type SupervisorLog, superviseServer } from './supervise.ts';
import { limitLogSize } from './text-log.ts';

export interface EmbeddedPostgres {
  /** Connection string of the application's role, which owns the tables and is no superuser. */
  url: string;
  superuserUrl: string;
  /** A sentence while the server is down and could not be restarted for a minute. */
  failure(): string | undefined;
  /** Closes all connections, shuts the server down cleanly and unlocks the folder. Also works while it is down. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** False for tests: faster, but a power failure may lose data, and the settings suit many small databases. */
  durable?: boolean;
  /** See `findPostgresPrograms`. */
  cacheDir?: string;
  /** Picks a free TCP port of 127.0.0.1. */
  findPort?: () => Promise<number>;
  /** Receives what happens to the server after the start. */
  log?: SupervisorLog;
}

const checkMs = 60_000;

/**
 * Locks the folder and starts the PostgreSQL from the npm packages on a free port of 127.0.0.1. Creates the folder if
 * it is missing. Reuses a server that a killed process left running on it. If the server dies, it is restarted on the
 * same port.
 * @throws StartError, also if another process has locked the folder
 */
export async function startEmbedded(path: string, options: EmbeddedOptions = {}): Promise<EmbeddedPostgres> {
  const folder = await resolveFolder(path);
  await mkdir(dirname(folder), { recursive: true });
  const unlock = await lockFile(lockPath(folder));
  if (!unlock) throw inUseError(path);
  try {
    return await startLocked(path, folder, unlock, options);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Connects to the database that another process runs on the folder.
 * @returns the connection string of the application's role; undefined if no process uses the folder
 * @throws StartError
 */
export async function findRunningEmbedded(path: string): Promise<string | undefined> {
  const folder = await resolveFolder(path);
  const unlock = await lockFile(lockPath(folder));
  if (unlock) {
    unlock();
    return undefined;
  }
  const cluster = join(folder, 'cluster');
  // The other process may be starting, or restarting its database.
  for (const until = Date.now() + 60_000; Date.now() < until; await delay(200)) {
    const password = await readFile(join(folder, 'password'), 'utf8').catch(() => undefined);
    const postmaster = await readPostmaster(cluster);
    if (!password || !postmaster) continue;
    const { url } = buildUrls(password, postmaster.port);
    if ((await findConnectionError(url)) === undefined) return url;
  }
  throw new StartError(
    `Another Linksieve process is using the data folder ${dirname(path)}, and its database does not respond. Try again later, or stop that process first.`,
  );
}

/** The folder may be a link to another disk. */
const resolveFolder = (path: string) => realpath(path).catch(() => path);
const lockPath = (folder: string) => `${folder}.lock`;

const inUseError = (path: string) =>
  new StartError(
    `Another Linksieve process is using the data folder ${dirname(path)}. Stop it first, or set another DATA_DIR.`,
  );

async function startLocked(
  path: string,
  folder: string,
  unlock: () => void,
  { durable = true, cacheDir = '/var/cache/linksieve', findPort = findFreePort, log = silentLog }: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const cluster = join(folder, 'cluster');
  const owner = await findOwner(cluster);
  const programs = await findPostgresPrograms(owner, cacheDir);
  await createCluster(folder, programs, owner, durable);
  if (owner) await chown(folder, owner.uid, owner.gid);
  const password = await readFile(join(folder, 'password'), 'utf8');
  const server = withBallast(openServer({ folder, programs, owner, durable }), folder, log);

  const left = (await isPostmasterAlive(cluster)) ? await readPostmaster(cluster) : undefined;
  const reuses = left !== undefined && (await waitUntilUp(buildUrls(password, left.port).superuserUrl));
  const port = reuses ? left.port : await launchOnFreePort(server, findPort);
  const urls = buildUrls(password, port);
  try {
    const connectAsOwner = async () => (await connectWithLock(urls.superuserUrl)) ?? Promise.reject(inUseError(path));
    const watched = await connectAsOwner();
    await prepareApplicationRole(urls.superuserUrl, deriveApplicationPassword(password.trim()));
    const supervisor = superviseServer(watched, {
      connect: connectAsOwner,
      isAlive: () => isPostmasterAlive(cluster),
      restart: () => server.launch(port),
      log,
    });
    const keepBallast = () =>
      createBallast(folder).catch((error: unknown) => log.warn({ err: error }, 'the ballast could not be created'));
    // Tests start many servers and need no ballast.
    if (durable) void keepBallast();
    const check = setInterval(() => {
      if (durable) void keepBallast();
      limitLogSize(server.textLog).catch((error: unknown) =>
        log.warn({ err: error }, 'postgres.log could not be shortened'),
      );
    }, checkMs).unref();
    return {
      ...urls,
      failure: supervisor.failure,
      async stop() {
        clearInterval(check);
        await supervisor.stop(() => server.shutDown(urls.superuserUrl)).finally(unlock);
      },
    };
  } catch (error) {
    if (!reuses) await server.shutDown(urls.superuserUrl);
    throw error;
  }
}

/** The same server, which gets the space of the ballast if the disk is full when it starts. */
function withBallast(server: PostgresServer, folder: string, log: SupervisorLog): PostgresServer {
  const release = async () => {
    const isReleased = await releaseBallast(folder);
    if (isReleased)
      log.warn('The disk of the database is full. Linksieve has deleted the ballast so that it can start.');
    return isReleased;
  };
  return {
    ...server,
    async launch(port) {
      await release();
      const reason = await server.launch(port);
      // Recovery may have filled the disk.
      return reason !== undefined && (await release()) ? await server.launch(port) : reason;
    },
  };
}

async function launchOnFreePort({ launch, textLog }: PostgresServer, findPort: () => Promise<number>): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await findPort();
    const reason = await launch(port);
    if (reason === undefined) return port;
    // Another program may have taken the port since it was picked.
    if (attempt < 3 && reason.includes('could not create any TCP/IP sockets')) continue;
    throw new StartError(`The embedded PostgreSQL did not start: ${reason}. See its log: ${textLog}`);
  }
}

function buildUrls(superuserPassword: string, port: number): Pick<EmbeddedPostgres, 'url' | 'superuserUrl'> {
  const toUrl = (user: string, password: string) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const password = superuserPassword.trim();
  return {
    url: toUrl(applicationRole, deriveApplicationPassword(password)),
    superuserUrl: toUrl(superuser, password),
  };
}

/**
 * Opens the connection that supervision watches. It holds the advisory lock by which earlier versions recognize each
 * other, in case one of them uses the same folder.
 * @returns undefined if another process holds the lock
 */
async function connectWithLock(url: string): Promise<pg.Client | undefined> {
  const client = await connect(url);
  // The connection of a process that was just killed may not have ended.
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [locks.owner]);
    if (rows[0]?.held) return client;
    await delay(200);
  }
  await client.end();
  return undefined;
}

const silentLog: SupervisorLog = { info: () => undefined, warn: () => undefined, error: () => undefined };
