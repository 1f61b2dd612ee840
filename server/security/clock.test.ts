import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildFactorCalls, generateCode } from '../accounts/accounts/second-factor/second-factor.fixtures.ts';
import { createKeyCharger, createKeyFinder } from '../accounts/api-keys/api-keys.ts';
import { insertDeliveries, leaseDueDeliveries } from '../accounts/webhooks/store-deliveries.ts';
import { startDueRuns } from '../blacklist/feeds/feeds.ts';
import { isInterrupted } from '../platform/jobs/runs.ts';
import { countUnfinished } from '../platform/storage/store.ts';
import { getUsage } from '../platform/usage/usage.ts';
import { startTestApp } from '../test-app.fixtures.ts';

// What a process wrote while its clock was 400 days ahead must not keep anything from working once the clock is right.

const testApp = await startTestApp({ ALLOW_PRIVATE_ADDRESSES: '1' });
const { call, context, signUp } = testApp;
const { db } = context;
const ahead = (days = 400) => new Date(Date.now() + days * 86_400_000);

test('a key that used its requests works again', async () => {
  const user = await signUp();
  const value = (await call('POST', '/api/api-keys', { as: user.cookie, body: { name: 'script' } })).json().keyValue;
  const check = () => call('GET', '/api/v1/check?domain=example.com', { headers: { 'x-api-key': value } });
  const wrongClock = { ...context, now: () => ahead() };
  const key = await createKeyFinder(wrongClock)(value);
  if (!key) throw new Error('The key is missing.');
  await createKeyCharger(wrongClock)({ ...key, address: '192.0.2.1' }, 1000, async () => undefined);
  const response = await check();
  expect([response.statusCode, response.headers['x-ratelimit-remaining']]).toEqual([200, '999']);
  const [listed] = (await call('GET', `/api/users/${user.id}/api-keys`, { as: user.cookie })).json();
  expect(listed.dailyUsage).toBe(1);
});

test('one-time codes are accepted, each once', async () => {
  const user = await signUp();
  const { turnOn, logIn, enterCode } = buildFactorCalls(testApp);
  const { secret } = await turnOn(user);
  await db
    .updateTable('second_factors')
    .set({ last_step: Math.floor(ahead().getTime() / 30_000) })
    .where('user_id', '=', user.id)
    .execute();
  const { challenge } = (await logIn(user)).json();
  const code = generateCode(secret);
  expect((await enterCode(challenge, code)).statusCode).toBe(200);
  expect((await enterCode(challenge, code)).statusCode).toBe(400);
});

test('a proof of identity does not last until that date', async () => {
  const user = await signUp();
  const download = async () => (await call('GET', '/api/account/data', { as: user.cookie })).statusCode;
  expect(await download()).toBe(200);
  await db.updateTable('sessions').set({ proven_at: ahead() }).where('user_id', '=', user.id).execute();
  expect(await download()).toBe(403);
});

test('feeds are refreshed, also after their interval is changed', async () => {
  const { cookie: as } = await signUp({ admin: true });
  const body = { name: 'A list', url: 'http://127.0.0.1:9/list.txt', kind: 'block', sourceKind: 'list' };
  const created = await call('POST', '/api/admin/feeds', { as, body });
  const { id } = created.json();
  await sql`update feed_runs set status = 'failed', finished_at = now() where feed_id = ${id}`.execute(db);
  await db.updateTable('feeds').set({ last_run_at: ahead(), next_run_at: ahead() }).where('id', '=', id).execute();
  await call('PATCH', `/api/admin/feeds/${id}`, { as, body: { intervalHours: 48 } });
  const { next_run_at: next } = await db
    .selectFrom('feeds')
    .select('next_run_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(next.getTime()).toBeLessThan(ahead(3).getTime());
  await db.updateTable('feeds').set({ next_run_at: ahead() }).where('id', '=', id).execute();
  await startDueRuns(context);
  const runs = await db.selectFrom('feed_runs').select('status').where('feed_id', '=', id).orderBy('id').execute();
  expect(runs.map(({ status }) => status)).toEqual(['failed', 'queued']);
});

test('webhooks are sent', async () => {
  const user = await signUp();
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['alert.created'] };
  await call('POST', '/api/webhooks', { as: user.cookie, body: hook });
  const payload = { type: 'alert.created', timestamp: new Date().toISOString(), data: {} };
  const event = { id: 'evt_1', userId: user.id, payload };
  await insertDeliveries(db, [event] as unknown as Parameters<typeof insertDeliveries>[1], ahead());
  await sql`update webhook_deliveries set leased_until = ${ahead()}`.execute(db);
  await sql`update webhooks set paused_until = ${ahead()}`.execute(db);
  const lease = () =>
    leaseDueDeliveries(db, { now: new Date(), leasedUntil: new Date(Date.now() + 60_000), limit: 9, busy: [] });
  expect(await lease()).toHaveLength(1);
  expect(await lease()).toEqual([]);
});

test('the run of a killed process is interrupted, and its uploads no longer count', async () => {
  const user = await signUp();
  const run = { added_by: 'someone', file_name: 'a.csv', file_path: '/nowhere', file_bytes: 1 };
  const { id } = await db
    .insertInto('imports')
    .values({ ...run, status: 'running', progress_at: ahead() })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await isInterrupted(db, 'imports', id)).toBe(true);
  await sql`
    insert into uploads (user_id, bytes, bytes_left, expires_at) values (${user.id}, 500, 500, ${ahead()})
  `.execute(db);
  expect(await countUnfinished(db, user.id)).toBe(0);
  expect((await getUsage(db, context.config, { id: user.id, isAdmin: false })).usedBytes).toBe(0);
});
