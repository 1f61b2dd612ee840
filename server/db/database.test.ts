import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { openDatabase, ping } from './database.ts';
import { isTransientDbError } from './transient-error.ts';

const { context } = await startTestApp();
const { db, pool, close } = openDatabase(context.databaseUrl, () => undefined, 2);
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
  const away = openDatabase(`postgres://someone@127.0.0.1:${port}/links`, () => undefined, 1, 50);
  expect(isTransientDbError(await ping(away.db).catch((error: unknown) => error))).toBe(true);
  await away.close();
  silent.close();
});
