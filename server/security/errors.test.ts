import type pg from 'pg';
import { expect, test } from 'vitest';
import { identifySession } from '../accounts/sessions/sessions.ts';
import { buildApp } from '../app.ts';
import { openDatabase } from '../platform/db/database.ts';
import { listLockWaiters } from '../platform/db/lock-waiters.fixtures.ts';
import { rights } from './rights-table.fixtures.ts';
import { buildUrl, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { call, context, users } = scenario;

test('a server error returns a request id and no details', async () => {
  const { pool } = context;
  for (const [table, path] of [
    ['websites', '/api/profiles'],
    ['reports', `/api/reports/${scenario.existing.report.id}`],
    ['api_keys', `/api/users/${users.owner.id}/api-keys`],
    ['sessions', '/api/account'],
  ] as const) {
    await pool.query(`alter table ${table} rename to ${table}_gone`);
    const response = await call('GET', path, { as: users.owner.cookie });
    await pool.query(`alter table ${table}_gone rename to ${table}`);
    expect([path, response.statusCode, response.json()]).toEqual([
      path,
      500,
      {
        error: 'Something went wrong on our side. Please try again.',
        code: 'internal',
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      },
    ]);
  }
});

test('the health check fails with a reason if the embedded database cannot be restarted', async () => {
  const reason = 'The embedded database does not start.';
  const app = buildApp({ ...context, databaseFailure: () => reason });
  const response = await app.inject('/healthz');
  expect([response.statusCode, response.json()]).toMatchObject([503, { error: reason, code: 'unavailable' }]);
  expect((await call('GET', '/healthz')).statusCode).toBe(200);
});

test('without its database every call that needs it returns 503', async () => {
  const offlineDatabase = openDatabase('postgres://nobody:nothing@127.0.0.1:9/nowhere', () => undefined, { size: 2 });
  const { db } = offlineDatabase;
  const offlineApp = buildApp({
    ...context,
    ...offlineDatabase,
    identify: (request) => identifySession(db, request, new Date()),
  });
  const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', cookie: users.admin.cookie };
  for (const [name, right] of Object.entries(rights)) {
    const [method, path = '/'] = name.split(' ');
    const {
      body,
      payload,
      headers: ownHeaders,
      ...urlParts
    } = (await right.buildRequest?.(scenario, users.owner)) ?? {};
    const {
      statusCode,
      body: responseBody,
      headers: responseHeaders,
    } = await offlineApp.inject({
      method: method as Method,
      url: buildUrl(path, urlParts),
      remoteAddress: scenario.newAddress(),
      headers: { ...headers, ...ownHeaders },
      ...((body || payload) && { payload: body ?? payload }),
    });
    // Metrics are refused before the database is asked.
    const isOpen = right.visitor === 200 || right.other === 302 || path === '/metrics';
    const needsNoDatabase =
      isOpen &&
      method === 'GET' &&
      !/^\/(api\/(?!docs)|readyz|domain\/|shared\/|feeds\/|updates|unsubscribe\/|alerts\/|\.well-known\/oauth-)/.test(
        path,
      );
    const shown = needsNoDatabase ? '' : responseBody;
    expect([name, statusCode, shown]).toEqual([name, needsNoDatabase ? right.visitor : 503, shown]);
    if (!needsNoDatabase)
      expect([name, responseHeaders['retry-after']]).toEqual([name, expect.stringMatching(/^\d+$/)]);
    if (!needsNoDatabase) expect(responseBody).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres:|select /i);
  }
  await offlineApp.close();
  await offlineDatabase.close();
});

test('the pool replaces connections that the database has closed', async () => {
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await Promise.all(Array.from({ length: 8 }, () => call('GET', '/api/stats/count')));
  await context.pool.query(end);
  await expect.poll(async () => (await call('GET', '/api/stats/count')).statusCode).toBe(200);
  expect((await call('GET', '/api/account', { as: users.owner.cookie })).statusCode).toBe(200);
});

test('a connection that breaks during a call returns 503', async () => {
  const offlineDatabase = openDatabase(context.databaseUrl, () => undefined, { size: 1 });
  const { db, pool } = offlineDatabase;
  const clients: pg.PoolClient[] = [];
  pool.on('connect', (client) => clients.push(client));
  const offlineApp = buildApp({
    ...context,
    ...offlineDatabase,
    identify: (request) => identifySession(db, request, new Date()),
  });
  const locked = await context.pool.connect();
  await locked.query('begin');
  await locked.query('lock table sessions');
  const failing = offlineApp.inject({ url: '/api/account', headers: { cookie: users.owner.cookie } });
  await expect.poll(() => listLockWaiters(context.pool)).toHaveLength(1);
  // As in a network failure, the error has no PostgreSQL error code.
  for (const client of clients) await client.end();
  expect([(await failing).statusCode, (await failing).json().code]).toEqual([503, 'unavailable']);
  await locked.query('rollback');
  locked.release();
  await offlineApp.close();
  await offlineDatabase.close();
});
