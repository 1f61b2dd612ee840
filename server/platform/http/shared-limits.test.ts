import { expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import type { Context } from '../../context.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { deleteExpiredRows } from '../jobs/retention.ts';
import { sharedLimitRetention } from '../throttle/store-retention.ts';

const { context } = await startTestApp();
const own = { ...context, config: { ...context.config, databaseUrl: context.databaseUrl } };

/** Sends requests of one client. @returns how many more it may send, as the last response says */
async function send(app: ReturnType<typeof buildApp>, count: number): Promise<number> {
  for (let i = 1; i < count; i += 1) await app.inject({ url: '/api/auth/current-user', remoteAddress: '192.0.2.7' });
  const { headers } = await app.inject({ url: '/api/auth/current-user', remoteAddress: '192.0.2.7' });
  return Number(headers['ratelimit-remaining']);
}

async function startTwo(one: Context) {
  const apps = [buildApp(one), buildApp(one)] as const;
  for (const app of apps) await app.ready();
  return apps;
}

test('a limit per minute holds for all processes on a database together, and those without one count alone', async () => {
  const alone = await startTwo(context);
  expect([await send(alone[0], 100), await send(alone[1], 100)]).toEqual([1100, 1100]);
  const [first, second] = await startTwo(own);
  expect(await send(first, 500)).toBe(700);
  await send(second, 100);
  // Each exchange follows a request.
  await expect.poll(() => send(second, 1), { interval: 200 }).toBeLessThan(600);
  await expect.poll(() => send(first, 1), { interval: 200 }).toBeLessThan(600);
  // The other two have stored nothing.
  expect((await context.pool.query('select from shared_limits')).rowCount).toBe(2);
  expect(await send(alone[0], 1)).toBe(1099);
  await context.pool.query("update shared_limits set expires_at = now() - interval '1 second'");
  await deleteExpiredRows(context, [sharedLimitRetention], new AbortController().signal);
  expect((await context.pool.query('select from shared_limits')).rowCount).toBe(0);
});
