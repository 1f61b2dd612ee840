import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { buildAnalysisCalls } from '../../reports/backlinks/analyses.fixtures.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { runForAll, runForOwner } from './fair-queue.ts';
import { readsFromStandby } from './test-server.fixtures.ts';

const testApp = await startTestApp();
const { call, context, signUp } = testApp;
const { createOwner } = buildAnalysisCalls(testApp);
const locker = new pg.Client({ connectionString: context.databaseUrl });
await locker.connect();
afterAll(() => locker.end());

const requests = 30;

/** Runs work while an exclusive lock blocks all queries of a table. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  try {
    await work();
  } finally {
    await locker.query('rollback');
  }
}

test.for([
  ['reads of the main pool', 'GET', 'watch', 'watches', '/api/views'],
  ['writes', 'PUT', 'decisions', 'decisions', '/api/views'],
  ['reads of the read pool', 'GET', 'decisions', 'decisions', '/api/domains/tlds'],
] as const)(
  '%s by one account leave connections for another',
  async ([what, method, path, table, otherPath], { skip }) => {
    skip(readsFromStandby && what === 'reads of the read pool');
    const heavy = await createOwner();
    const other = await signUp();
    const body = { domains: ['one.example'], decision: 'keep' };
    let answers: Promise<number[]> = Promise.resolve([]);
    await whileLocked(table, async () => {
      const options = { as: heavy.cookie, ...(method === 'PUT' && { body }) };
      answers = Promise.all(
        Array.from({ length: requests }, async () => {
          const url = `/api/profiles/${heavy.site.id}/${path}`;
          return (await call(method, url, options)).statusCode;
        }),
      );
      const waiting = async () => {
        const { rows } = await locker.query<{ count: number }>(
          `select count(*)::integer as count from pg_locks where not granted and relation = $1::regclass`,
          [table],
        );
        return rows[0]?.count;
      };
      await expect.poll(waiting).toBeGreaterThan(0);
      expect((await call('GET', otherPath, { as: other.cookie })).statusCode).toBe(200);
    });
    expect(await answers).toEqual(Array.from({ length: requests }, () => 200));
  },
);

test('an owner has less than half of the connections, and shared work waits for no turn', async () => {
  await locker.query('select pg_advisory_lock(1)');
  const wait = () => sql`select pg_advisory_xact_lock_shared(1)`.execute(context.db);
  const mine = runForOwner(
    () => 'user:1',
    () => Promise.all(Array.from({ length: requests }, wait)),
  );
  const countBlocked = async () => {
    const { rows } = await locker.query<{ count: number }>(
      `select count(*)::integer as count from pg_locks where locktype = 'advisory' and not granted`,
    );
    return rows[0]?.count;
  };
  await expect.poll(countBlocked).toBe(3);
  const read = () => sql`select 1`.execute(context.db);
  await runForOwner(() => 'user:2', read);
  await runForOwner(
    () => 'user:1',
    () => runForAll(read),
  );
  expect(await countBlocked()).toBe(3);
  await locker.query('select pg_advisory_unlock(1)');
  expect(await mine).toHaveLength(requests);
});
