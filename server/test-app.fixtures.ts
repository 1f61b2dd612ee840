import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, inject, vi } from 'vitest';
import { insertAccount } from './accounts/accounts/store.ts';
import { createSession, identifySession } from './accounts/sessions/sessions.ts';
import { createStripeClient } from './accounts/subscriptions/subscriptions.ts';
import { buildApp } from './app.ts';
import { loadSharedHostsEntry } from './blacklist/guard/shared-hosts.ts';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { openWebDatabase } from './platform/db/database.ts';
import { openSecretKey } from './platform/db/secret-key.ts';
import { buildDatabaseUrl, templateName } from './platform/db/test-server.fixtures.ts';
import type { Work } from './platform/jobs/job.ts';
import { createProcessPool } from './platform/processes/process-pool.ts';
import { type RunFunction, runHere } from './platform/processes/run-in-process.ts';
import { createReadQueue, openConfiguredFiles, openOutbound } from './start.ts';
import { connectQueues, startWork } from './worker.ts';

export interface TestApp {
  app: FastifyInstance;
  context: Context;
  /** Sends a request as a browser on our site does. `as` is the cookie from `signUp`. */
  call(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    options?: CallOptions,
  ): Promise<LightMyRequestResponse>;
  /** Inserts an account and a session. */
  signUp(options?: { admin?: boolean }): Promise<TestUser>;
}

export interface TestUser {
  /** The session cookie, as `name=value`. */
  cookie: string;
  id: number;
  username: string;
  /** The same for every account: hashing a password per account would dominate the run time of many tests. */
  password: string;
}

/** Short intervals, because tests wait for retried jobs. */
const testPolling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1 };

const password = 'correct horse battery staple';
/** Hash of `password`, with the parameters of accounts/passwords.ts. */
const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$wDj8W9eajkFWZ7UuzLlbkA$U8/bGsVjJ3val6U/iN6FjZwF82t4y8+U46kDkY9ZAc8';

export interface CallOptions {
  as?: string;
  body?: object;
  headers?: Record<string, string>;
  payload?: InjectOptions['payload'];
}

export interface TestAppOptions {
  /** The jobs and the repeated work that run, without their schedules. All other jobs stay in their queues. */
  work?: readonly Work[];
  /** As in the context, for tests of responses that come before the result. */
  respondWithinMs?: number;
  /** `runInProcess` for tests of what happens to the processes of jobs. By default, jobs run here, which is faster. */
  runWork?: RunFunction;
}

/**
 * Starts the real server on a separate database, for one test file. Both are removed after its tests.
 * @param settings by the names of their environment variables
 */
export async function startTestApp(
  settings: Record<string, string> = {},
  { work = [], respondWithinMs, runWork = runHere }: TestAppOptions = {},
): Promise<TestApp> {
  const serverUrl = inject('postgresUrl');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  // file_copy skips the write-ahead log and takes a third of the time.
  await admin.query(`create database ${database} template ${templateName} strategy file_copy`);
  const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-data-'));
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const url = buildDatabaseUrl(serverUrl, database);
  const { TEST_DATABASE_POOL_URL: poolServer, TEST_DATABASE_READ_URL: readServer } = process.env;
  const onError = (error: Error) => log.error(error);
  const readUrl = readServer && buildDatabaseUrl(readServer, database);
  if (readUrl) await waitForDatabase(readUrl);
  const { close, ...pools } = openWebDatabase(url, {
    onError,
    log,
    poolUrl: poolServer && buildDatabaseUrl(poolServer, database),
    readUrl,
  });
  const { db } = pools;
  const jobs = await connectQueues(url, onError, {
    migrate: false,
    supervise: false,
    schedule: false,
  });
  const stopping = new AbortController();
  const isWorking = work.length > 0;
  const config = readConfig({}, { ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const context: Context = {
    config,
    ...pools,
    databaseUrl: url,
    databaseFailure: () => undefined,
    jobs,
    files: await openConfiguredFiles(config, log, { isTried: false }),
    secretKey: await openSecretKey(config),
    stripe: createStripeClient(config),
    identify: (request) => identifySession(pools.signInDb, request, new Date()),
    reads: createReadQueue(),
    processes: createProcessPool({ pool: pools.pool, databaseUrl: url, beforeWork: loadSharedHostsEntry }),
    beforeWork: loadSharedHostsEntry,
    runWork,
    outbound: openOutbound(config),
    log,
    background: isWorking ? stopping.signal : undefined,
    // Without jobs, waiting is pointless; with them, a slow machine may need long.
    respondWithinMs: respondWithinMs ?? (isWorking ? 60_000 : 0),
    pageWaitMs: 30_000,
    now: () => new Date(),
  };
  const app = buildApp(context);
  await app.ready();
  if (isWorking) await startWork(context, work, stopping.signal, testPolling);
  afterAll(async () => {
    stopping.abort();
    await app.close();
    await context.processes.close();
    await jobs.stop({ graceful: true, timeout: 5000 });
    await context.files.close();
    await close();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  const call: TestApp['call'] = (method, path, { as, body, headers, payload } = {}) =>
    app.inject({
      method,
      url: path,
      headers: { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', ...(as && { cookie: as }), ...headers },
      ...(body && { payload: body }),
      ...(payload && { payload }),
    });

  return {
    app,
    context,
    call,
    async signUp({ admin: isAdmin = false } = {}) {
      const username = `u${randomUUID().slice(0, 8)}`;
      const email = `${username}@mail.example`;
      const { id } = await insertAccount(db, { username, email, displayName: username, passwordHash, isAdmin });
      const { id: session } = await createSession(
        db,
        { userId: id, userAgent: null, address: '127.0.0.1' },
        new Date(),
      );
      return { cookie: `__Host-sid=${session}`, id, username, password };
    },
  };
}

/** Waits until a standby has replayed the creation of a database. */
const waitForDatabase = (url: string) =>
  vi.waitFor(
    async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.end();
    },
    { timeout: 30_000 },
  );
