import { expect, test } from 'vitest';
import { retentionJob } from '../../retention.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { sessionIdleTimeoutMs, sessionMaxAgeMs } from '../sessions/sessions.ts';

const { call, context, signUp } = await startTestApp();
const hourMs = 3_600_000;
const runJob = () => retentionJob.run(context, {}, new AbortController().signal);
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

test('deletes expired and idle sessions and keeps valid ones', async () => {
  const [expired, idle, valid] = [await signUp(), await signUp(), await signUp()];
  await context.db
    .updateTable('sessions')
    .set({ expires_at: ago(1) })
    .where('user_id', '=', expired.id)
    .execute();
  await context.db
    .updateTable('sessions')
    .set({ last_seen_at: ago(sessionIdleTimeoutMs + 1000) })
    .where('user_id', '=', idle.id)
    .execute();
  await context.db
    .updateTable('sessions')
    .set({ last_seen_at: ago(sessionIdleTimeoutMs - hourMs), expires_at: ago(sessionIdleTimeoutMs - sessionMaxAgeMs) })
    .where('user_id', '=', valid.id)
    .execute();
  await runJob();
  const left = await context.db.selectFrom('sessions').select('user_id').execute();
  expect(left.map(({ user_id }) => user_id)).toEqual([valid.id]);
  expect((await call('GET', '/api/auth/current-user', { as: valid.cookie })).statusCode).toBe(200);
});

test('deletes recorded uses that are older than an hour or in the future, and keeps the others', async () => {
  await context.db
    .insertInto('login_failures')
    .values([
      { key: 'register:192.0.2.1', failed_at: ago(hourMs + 1000) },
      { key: 'register:192.0.2.2', failed_at: ago(hourMs - 60_000) },
      { key: 'register:192.0.2.3', failed_at: ago(-hourMs) },
    ])
    .execute();
  await runJob();
  const left = await context.db.selectFrom('login_failures').select('key').execute();
  expect(left).toEqual([{ key: 'register:192.0.2.2' }]);
});

test('deletes expired reset links and keeps valid ones', async () => {
  const [expired, valid] = [await signUp(), await signUp()];
  for (const [{ id }, expiresInMs] of [
    [expired, -1],
    [valid, 60_000],
  ] as const) {
    const reset = { user_id: id, token_hash: Buffer.from(String(id)), expires_at: new Date(Date.now() + expiresInMs) };
    await context.db.insertInto('password_resets').values(reset).execute();
  }
  await runJob();
  const left = await context.db.selectFrom('password_resets').select('user_id').execute();
  expect(left).toEqual([{ user_id: valid.id }]);
});
