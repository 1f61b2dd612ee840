import type pg from 'pg';
import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { openDatabase } from '../db/database.ts';
import { listLockWaiters } from '../db/lock-waiters.fixtures.ts';
import { identifySession } from '../sessions/sessions.ts';
import { rights } from './rights-table.fixtures.ts';
import { addressOf, createScenario, type Method } from './scenario.fixtures.ts';

const scenario = await createScenario();
const { call, context, people } = scenario;

test('a fault of ours tells its id and nothing else', async () => {
  const { pool } = context;
  for (const [table, path] of [
    ['profiles', '/api/profiles'],
    ['reports', `/api/reports/${scenario.once.report.id}`],
    ['api_keys', `/api/users/${people.owner.id}/api-keys`],
    ['sessions', '/api/account'],
  ] as const) {
    await pool.query(`alter table ${table} rename to ${table}_gone`);
    const response = await call('GET', path, { as: people.owner.cookie });
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

test('without its database the server grants nobody anything and says that it is away', async () => {
  const away = openDatabase('postgres://nobody:nothing@127.0.0.1:9/nowhere', () => undefined, 2);
  const { db } = away;
  const alone = buildApp({ ...context, ...away, identify: (request) => identifySession(db, request, new Date()) });
  const headers = { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', cookie: people.admin.cookie };
  for (const [name, right] of Object.entries(rights)) {
    const [method, path = '/'] = name.split(' ');
    const { body, payload, headers: own, ...place } = (await right.ask?.(scenario, people.owner)) ?? {};
    const { statusCode, body: answer } = await alone.inject({
      method: method as Method,
      url: addressOf(path, place),
      remoteAddress: scenario.newAddress(),
      headers: { ...headers, ...own },
      ...((body || payload) && { payload: body ?? payload }),
    });
    const needsNone = right.visitor === 200 && method === 'GET' && !/^\/(api\/(?!docs)|readyz)/.test(path);
    expect([name, statusCode, needsNone ? '' : answer]).toEqual([name, needsNone ? 200 : 503, needsNone ? '' : answer]);
    if (!needsNone) expect(answer).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres:|select /i);
  }
  await alone.close();
  await away.close();
});

test('connections that the database has ended are replaced', async () => {
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await Promise.all(Array.from({ length: 8 }, () => call('GET', '/api/stats/count')));
  await context.pool.query(end);
  await expect.poll(async () => (await call('GET', '/api/stats/count')).statusCode).toBe(200);
  expect((await call('GET', '/api/account', { as: people.owner.cookie })).statusCode).toBe(200);
});

test('a connection that breaks in the middle of a call is answered as a database that is away', async () => {
  const away = openDatabase(context.databaseUrl, () => undefined, 1);
  const { db, pool } = away;
  const clients: pg.PoolClient[] = [];
  pool.on('connect', (client) => clients.push(client));
  const alone = buildApp({ ...context, ...away, identify: (request) => identifySession(db, request, new Date()) });
  const locked = await context.pool.connect();
  await locked.query('begin');
  await locked.query('lock table sessions');
  const failing = alone.inject({ url: '/api/account', headers: { cookie: people.owner.cookie } });
  await expect.poll(() => listLockWaiters(context.pool)).toHaveLength(1);
  // As where the network goes: no code of PostgreSQL's tells why.
  for (const client of clients) await client.end();
  expect([(await failing).statusCode, (await failing).json().code]).toEqual([503, 'unavailable']);
  await locked.query('rollback');
  locked.release();
  await alone.close();
  await away.close();
});
