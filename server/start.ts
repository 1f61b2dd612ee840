import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { identifySession } from './accounts/sessions/sessions.ts';
import { createStripeClient } from './accounts/subscriptions/subscriptions.ts';
import { followSharedHosts, loadSharedHostsEntry } from './blacklist/guard/shared-hosts.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { protectTable } from './platform/db/application-role.ts';
import { maxConcurrentReads, openDatabase, openWebDatabase } from './platform/db/database.ts';
import { type EmbeddedPostgres, findRunningEmbedded, startEmbedded } from './platform/db/embedded.ts';
import { createFairQueue, type FairQueue } from './platform/db/fair-queue.ts';
import { closeToOthers } from './platform/db/file-lock.ts';
import { migrate, requireCurrentSchema } from './platform/db/migrate.ts';
import { requireDatabase, requirePooler } from './platform/db/require-database.ts';
import { openSecretKey } from './platform/db/secret-key.ts';
import { openBucket } from './platform/files/bucket.ts';
import { openBucketFiles } from './platform/files/bucket-files.ts';
import { type Files, openFiles } from './platform/files/files.ts';
import { getConfiguredOrigin } from './platform/http/address.ts';
import { unavailable } from './platform/http/errors.ts';
import { createOutbound, type Outbound } from './platform/net/outbound.ts';
import { createProcessPool } from './platform/processes/process-pool.ts';
import { runInProcess } from './platform/processes/run-in-process.ts';
import { getErrorMessage, StartError } from './start-error.ts';
import { createTerminalLog } from './terminal-log.ts';
import { connectQueues, openQueues } from './worker.ts';

interface StartedContext {
  context: Context;
  /** For background jobs and commands, whose statements may take long. */
  jobContext: Context;
  /** Whether another process on this machine owns the database. */
  isShared: boolean;
  /** Stops everything that was started, in reverse order. */
  stop(): Promise<void>;
}

/**
 * Opens the database (it starts the embedded PostgreSQL if DATABASE_URL is not set), migrates it and builds the
 * context.
 * @param options `joinRunning`: if another process runs the embedded PostgreSQL, uses it without owning or migrating it
 * @throws StartError
 */
export async function startContext(
  config: Config,
  log: FastifyBaseLogger,
  { joinRunning = false, background }: { joinRunning?: boolean; background?: AbortSignal | undefined } = {},
): Promise<StartedContext> {
  const stops: (() => Promise<unknown>)[] = [];
  let stopping = false;
  const stop = async () => {
    stopping = true;
    const errors: unknown[] = [];
    // If one part cannot stop cleanly, the others still must.
    for (const end of stops.splice(0).reverse()) await end().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
  };
  try {
    await requireFolder(config.dataDir);
    const secretKey = await openSecretKey(config);
    // A command must work while the bucket does not.
    const files = await openConfiguredFiles(config, log, { isTried: !joinRunning });
    stops.push(files.close);
    const { url: databaseUrl, embedded, isShared } = await findDatabase(config, log, joinRunning);
    if (embedded) stops.push(embedded.stop);
    await (isShared ? requireCurrentSchema(databaseUrl) : migrateDatabase(databaseUrl, log));
    if (embedded) await protectTable(embedded.superuserUrl, 'audit_events');
    // During shutdown the embedded database may break connections that are being closed.
    const onError = (error: Error) => log[stopping ? 'debug' : 'error']({ err: error }, 'database connection failed');
    const { databasePoolUrl: poolUrl, databaseReadUrl: readUrl } = config;
    if (poolUrl !== undefined) await requirePooler(poolUrl);
    const { close, ...pools } = openWebDatabase(databaseUrl, { onError, log, poolUrl, readUrl });
    const { close: closeForJobs, ...jobPools } = openDatabase(databaseUrl, onError, { size: maxJobConnections });
    // A connection that runs a query is only closed after the query.
    stops.push(() => within(stopLimitsMs.pools, Promise.all([close(), closeForJobs()])));
    const jobs = isShared
      ? await connectQueues(databaseUrl, onError, { migrate: false, supervise: false })
      : await openQueues(databaseUrl, onError);
    stops.push(() => within(stopLimitsMs.jobs, jobs.stop({ graceful: true, timeout: 2000 })));
    stops.push(await followSharedHosts(jobPools.db, log));
    const processes = createProcessPool({ pool: pools.pool, databaseUrl, beforeWork: loadSharedHostsEntry });
    stops.push(processes.close);
    const context: Context = {
      config,
      ...pools,
      pools: { ...pools.pools, jobs: jobPools.pool },
      databaseUrl,
      databaseFailure: () => embedded?.failure(),
      jobs,
      files,
      secretKey,
      stripe: createStripeClient(config),
      identify: (request) => identifySession(pools.signInDb, request, new Date()),
      reads: createReadQueue(),
      processes,
      beforeWork: loadSharedHostsEntry,
      runWork: runInProcess,
      outbound: openOutbound(config),
      log,
      background,
      respondWithinMs: 3000,
      pageWaitMs: 1000,
      now: () => new Date(),
    };
    return { context, jobContext: { ...context, ...jobPools }, isShared: isShared ?? false, stop };
  } catch (error) {
    await stop().catch((stopError: unknown) => log.error({ err: stopError }, 'the stop after a failed start failed'));
    throw error;
  }
}

/**
 * Opens the folder or the bucket of uploaded files.
 * @param options `isTried`: tries whether the bucket can be read and written
 * @throws StartError
 */
export async function openConfiguredFiles(
  { dataDir, diskReserveBytes, databaseUrl, bucket: settings }: Config,
  log: FastifyBaseLogger,
  { isTried }: { isTried: boolean },
): Promise<Files> {
  const options = { reserveBytes: diskReserveBytes, hasDatabase: databaseUrl === undefined };
  if (!settings) return openFiles(dataDir, options);
  const bucket = await openBucket(settings, log);
  if (isTried) await bucket.requireAccess();
  return openBucketFiles(dataDir, options, bucket, { log });
}

interface FoundDatabase {
  url: string;
  embedded?: EmbeddedPostgres;
  /** Another process on this machine owns the database. */
  isShared?: true;
}

async function findDatabase(config: Config, log: FastifyBaseLogger, joinRunning: boolean): Promise<FoundDatabase> {
  if (config.databaseUrl) {
    await requireDatabase(config.databaseUrl);
    return { url: config.databaseUrl };
  }
  const folder = join(config.dataDir, 'postgres');
  const running = joinRunning ? await findRunningEmbedded(folder) : undefined;
  if (running) return { url: running, isShared: true };
  const embedded = await startEmbedded(folder, { cacheDir: config.cacheDir, log });
  return { url: embedded.url, embedded };
}

async function migrateDatabase(url: string, log: FastifyBaseLogger): Promise<void> {
  await migrate(url, (notice) => log.info(notice)).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`The database could not be migrated. ${getErrorMessage(error)}.`, { cause: error });
  });
}

const maxJobConnections = 8;
/** How long a stop waits, so that it ends in time even if the database does not respond. */
const stopLimitsMs = { jobs: 3000, pools: 1000 };

/** Waits for work, but at most this long. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, setTimeout(milliseconds, undefined, { ref: false })]);
}

/**
 * Creates the queue of expensive reads. An account runs two at a time, so that others find a free connection, however
 * many it sends.
 */
export function createReadQueue(): FairQueue {
  return createFairQueue({
    maxRunning: maxConcurrentReads,
    maxRunningPerKey: 2,
    maxWaiting: 400,
    maxWaitingPerKey: 30,
    maxWaitMs: 8000,
    buildError: () => unavailable('The server is busy with other searches. Please try again in a moment.', 5),
  });
}

/** Requests to hosts that users name carry the address of this installation. */
export function openOutbound(config: Config): Outbound {
  return createOutbound({
    allowPrivate: config.allowPrivateAddresses,
    isOff: config.demo,
    userAgent: `Linksieve (+${getConfiguredOrigin(config)})`,
    dnsServers: config.dnsServers,
  });
}

/**
 * Creates the log of the process: text for people in a terminal, and JSON otherwise. It omits request headers and
 * fields that libraries add to errors: a database error contains its client with the connection settings.
 */
export function createLog({ logLevel }: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = { level: logLevel, serializers: { err: serializeError }, redact: redactedPaths };
  if (destination) return pino(options, destination);
  const { stdout } = process;
  return stdout.isTTY
    ? pino(
        options,
        createTerminalLog((text) => stdout.write(text)),
      )
    : pino(options);
}

const redactedPaths = ['req.headers', 'request.headers', 'headers', 'busboyOptions.headers'];

function serializeError(error: Error & { code?: unknown }) {
  return { type: error.name, code: error.code, message: error.message, stack: error.stack };
}

/**
 * Creates the data folder if it is missing, and closes it to other users of this machine, who could otherwise lock its
 * files.
 * @throws StartError if it is not writable
 */
export async function requireFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    await closeToOthers(folder, 0o700);
  } catch (error) {
    const sentence = `Linksieve cannot write to its data folder ${folder}: ${getErrorMessage(error)}. Set another DATA_DIR.`;
    throw new StartError(sentence, { cause: error });
  }
}
