import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, inject } from 'vitest';
import { registerAccount } from './accounts/register-account.ts';
import { identifySession } from './accounts/sessions.ts';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import type { Context } from './context.ts';
import { openDatabase } from './db/database.ts';
import { databaseUrl, templateName } from './db/test-server.ts';
import { openFiles } from './files/files.ts';
import { openSecretKey } from './secret-key.ts';
import { openStripe } from './subscriptions/stripe.ts';
import { openJobs, startWorker } from './worker.ts';

export interface TestApp {
  app: FastifyInstance;
  context: Context;
  /** A call as a browser of ours makes it. `as` is the cookie of `signUp`. */
  call(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    options?: CallOptions,
  ): Promise<LightMyRequestResponse>;
  /** A new account, signed in. @returns its cookie and id */
  signUp(options?: { admin?: boolean }): Promise<{ cookie: string; id: number; username: string; password: string }>;
}

export interface CallOptions {
  as?: string;
  body?: object;
  headers?: Record<string, string>;
  payload?: InjectOptions['payload'];
}

/**
 * The real server and worker on a database of their own, for one test file. Everything is gone after its tests.
 * @param settings by the names of their environment variables
 */
export async function startTestApp(settings: Record<string, string> = {}): Promise<TestApp> {
  const serverUrl = inject('postgresUrl');
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  await admin.query(`create database ${database} template ${templateName}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-data-'));
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const url = databaseUrl(serverUrl, database);
  const { db, pool, close } = openDatabase(url, (error) => log.error(error), 10);
  const jobs = await openJobs(url, (error) => log.error(error));
  const stopping = new AbortController();
  const config = readConfig({}, { ...settings, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const context: Context = {
    config,
    db,
    pool,
    databaseUrl: url,
    jobs,
    files: await openFiles(dataDir),
    secretKey: await openSecretKey(config),
    stripe: openStripe(config),
    identify: (request) => identifySession(db, request, new Date()),
    log,
    now: () => new Date(),
  };
  const app = buildApp(context);
  await app.ready();
  await startWorker(context, stopping.signal);
  afterAll(async () => {
    stopping.abort();
    await app.close();
    await jobs.stop({ graceful: true, timeout: 5000 });
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
    async signUp(options = {}) {
      const username = `u${randomUUID().slice(0, 8)}`;
      const password = `correct horse ${username} battery`;
      const user = await registerAccount(db, { username, email: `${username}@mail.example`, password }, options.admin);
      const response = await call('POST', '/api/auth/login', { body: { username, password } });
      const [cookie] = String(response.headers['set-cookie']).split(';');
      return { cookie: cookie ?? '', id: user.id, username, password };
    },
  };
}
