import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { identifySession } from '../../accounts/sessions/sessions.ts';
import { buildApp } from '../../app.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { checkDatabase, openDatabase } from './database.ts';
import { readsFromStandby } from './test-server.fixtures.ts';
import { isTransientDbError } from './transient-error.ts';

const { call, context, signUp } = await startTestApp();
const hourAgo = new Date(Date.now() - 3_600_000);
const { db, pool, close } = openDatabase(context.databaseUrl, () => undefined, { size: 2 });
let ended: Promise<unknown> = Promise.resolve();
pool.on('connect', (client: pg.PoolClient) => {
  ended = new Promise((resolve) => client.once('end', resolve));
});
const uncaught: unknown[] = [];
const collect = (error: unknown) => uncaught.push(error);
beforeEach(() => {
  uncaught.length = 0;
});
process.on('uncaughtException', collect);
afterAll(async () => {
  process.off('uncaughtException', collect);
  await close();
});

const terminateSleepers = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(20)'`;

test('a connection that breaks during a query fails only that query', async () => {
  const failing = sql`select pg_sleep(20)`.execute(db).catch((error: unknown) => error);
  await expect.poll(async () => (await context.pool.query(terminateSleepers)).rowCount).toBe(1);
  expect(isTransientDbError(await failing)).toBe(true);
  await ended;
  expect(uncaught).toEqual([]);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('a connection that breaks between two queries of a transaction fails only that transaction', async () => {
  const failing = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
    await context.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    await sql`select 1`.execute(trx);
  });
  expect(isTransientDbError(await failing.catch((error: unknown) => error))).toBe(true);
  expect(uncaught).toEqual([]);
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('connecting to a server that does not respond fails with a transient error', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const away = openDatabase(`postgres://someone@127.0.0.1:${port}/links`, () => undefined, { size: 1, timeoutMs: 50 });
  expect(isTransientDbError(await sql`select 1`.execute(away.db).catch((error: unknown) => error))).toBe(true);
  await away.close();
  silent.close();
});

test('the check of a database that works, is read-only, does not respond or cannot be reached says so', async () => {
  const check = async (url: string) => {
    const database = openDatabase(url, () => undefined, { size: 1, timeoutMs: 200 });
    const health = await checkDatabase(database.healthPool);
    await database.close();
    return health;
  };
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const readOnly = '?options=-c%20default_transaction_read_only%3Don';
  expect([
    await check(context.databaseUrl),
    await check(context.databaseUrl + readOnly),
    await check(`postgres://someone@127.0.0.1:${port}/links`),
    await check('postgres://someone@127.0.0.1:9/links'),
  ]).toEqual(['ok', 'read-only', 'slow', 'unreachable']);
  silent.close();
});

test('a session is found, and used, while the database accepts no changes', async () => {
  const { cookie, id } = await signUp();
  await context.db.updateTable('sessions').set({ last_seen_at: hourAgo }).where('user_id', '=', id).execute();
  const readOnly = openDatabase(
    `${context.databaseUrl}?options=-c%20default_transaction_read_only%3Don`,
    () => undefined,
  );
  const { signInDb } = readOnly;
  const app = buildApp({
    ...context,
    ...readOnly,
    identify: (request) => identifySession(signInDb, request, new Date()),
  });
  const read = (url: string) => app.inject({ url, headers: { cookie, host: 'localhost' } });
  expect((await read('/api/auth/current-user')).statusCode).toBe(200);
  expect((await read('/api/domains?search=shop')).statusCode).toBe(200);
  const ready = await read('/readyz');
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'unavailable', database: 'read-only' }]);
  const change = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { host: 'localhost', 'sec-fetch-site': 'same-origin' },
    payload: { username: 'someone', password: 'some password' },
  });
  expect([change.statusCode, change.json().code, change.headers['retry-after']]).toEqual([503, 'unavailable', '10']);
  await app.close();
  await readOnly.close();
});

test('a process that was told to stop is not ready, and still serves requests', async () => {
  const app = buildApp(context, AbortSignal.abort());
  const read = (url: string) => app.inject({ url, headers: { host: 'localhost' } });
  const ready = await read('/readyz');
  expect([ready.statusCode, ready.json(), ready.headers.connection]).toEqual([503, { status: 'stopping' }, 'close']);
  expect((await read('/api/stats/count')).statusCode).toBe(200);
  await app.close();
});

const cancelWaiting = `
  select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' limit 1
`;

test.skipIf(readsFromStandby)(
  'a list that takes too long or waits for a lock too long gets a 503 that says what to do',
  async () => {
    const { cookie } = await signUp({ admin: true });
    await call('POST', '/api/domains', { as: cookie, body: { domain: 'shop.example', source: 'fiverr' } });
    // Without await, the request would start only when its response is read.
    const list = async () => await call('GET', '/api/domains?search=shop', { as: cookie });
    const locking = await context.pool.connect();
    await locking.query('begin');
    await locking.query('lock table domains');
    const canceled = list();
    // The database ends a statement at its limit in the same way.
    await expect.poll(async () => (await context.pool.query(cancelWaiting)).rowCount).toBe(1);
    const responses = [await canceled, await list()];
    await locking.query('rollback');
    locking.release();
    expect(responses.map(({ statusCode, headers }) => [statusCode, headers['retry-after']])).toEqual([
      [503, '30'],
      [503, '10'],
    ]);
    expect(responses.map((response) => response.json().error)).toEqual([
      'This search takes too long right now. Please narrow it with another filter or a longer search text.',
      expect.stringContaining('Please try again'),
    ]);
    expect((await list()).statusCode).toBe(200);
  },
);
