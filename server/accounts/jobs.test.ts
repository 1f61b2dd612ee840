import { expect, test } from 'vitest';
import { sessionIdle, sessionLength } from '../sessions/sessions.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { tidyAccountsJob } from './jobs.ts';

const { call, context, signUp } = await startTestApp({}, { worker: true });
const hour = 3_600_000;
const tidy = () => tidyAccountsJob.run(context, {}, new AbortController().signal);
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

test('sessions that are over are deleted, and live ones stay', async () => {
  const [over, idle, live] = [await signUp(), await signUp(), await signUp()];
  await context.db
    .updateTable('sessions')
    .set({ expires_at: ago(1) })
    .where('user_id', '=', over.id)
    .execute();
  await context.db
    .updateTable('sessions')
    .set({ last_seen_at: ago(sessionIdle + 1000) })
    .where('user_id', '=', idle.id)
    .execute();
  await context.db
    .updateTable('sessions')
    .set({ last_seen_at: ago(sessionIdle - hour), expires_at: ago(sessionIdle - sessionLength) })
    .where('user_id', '=', live.id)
    .execute();
  await tidy();
  const left = await context.db.selectFrom('sessions').select('user_id').execute();
  expect(left.map(({ user_id }) => user_id)).toEqual([live.id]);
  expect((await call('GET', '/api/auth/current-user', { as: live.cookie })).statusCode).toBe(200);
});

test('counts that have run out are deleted, and those of the last hour stay', async () => {
  await context.db
    .insertInto('login_failures')
    .values([
      { key: 'register:192.0.2.1', failed_at: ago(hour + 1000) },
      { key: 'register:192.0.2.2', failed_at: ago(hour - 60_000) },
    ])
    .execute();
  await tidy();
  const left = await context.db.selectFrom('login_failures').select('key').execute();
  expect(left).toEqual([{ key: 'register:192.0.2.2' }]);
});

test('links to another password that are over are deleted, and others stay', async () => {
  const [over, good] = [await signUp(), await signUp()];
  for (const [{ id }, end] of [
    [over, -1],
    [good, 60_000],
  ] as const) {
    const reset = { user_id: id, token_hash: Buffer.from(String(id)), expires_at: new Date(Date.now() + end) };
    await context.db.insertInto('password_resets').values(reset).execute();
  }
  await tidy();
  const left = await context.db.selectFrom('password_resets').select('user_id').execute();
  expect(left).toEqual([{ user_id: good.id }]);
});

test('the job is scheduled every hour', async () => {
  const schedules = await context.jobs.getSchedules(tidyAccountsJob.queue.name);
  expect(schedules.map(({ cron }) => cron)).toEqual(['43 * * * *']);
});
