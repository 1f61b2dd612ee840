import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const get = async (path: string) => (await call('GET', path, { as: admin.cookie })).json();

/** How often an index was read. Each connection keeps its counts to itself for seconds, unless it is told not to. */
async function readsOf(index: string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: context.pool.options.max }, () => context.pool.connect()));
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
  for (const client of clients) client.release();
  const { rows } = await sql<{ reads: number }>`
    select idx_scan as reads from pg_stat_user_indexes where indexrelname = ${index}`.execute(context.db);
  return rows[0]?.reads ?? 0;
}

test('of many messages the few that are asked for are found and counted by an index', async () => {
  await sql`
    insert into messages (name, email, subject, message, read_at, replied_at)
    select 'Person ' || i, 'person' || i || '@mail.example', 'Question ' || i, repeat('Where is my 100% report? ', 20), now(), now()
    from generate_series(1, 5000) i`.execute(context.db);
  await sql`update messages set read_at = null, replied_at = null where name = 'Person 4711'`.execute(context.db);
  await sql`vacuum analyze messages`.execute(context.db);
  for (const search of ['person 4711', 'ON4711@MAIL', 'question 4711']) {
    const path = encodeURIComponent(search);
    expect(await get(`/api/admin/messages?search=${path}`)).toMatchObject([{ name: 'Person 4711' }]);
    expect(await get(`/api/admin/messages/count?search=${path}`)).toMatchObject({ total: 1, new: 1 });
  }
  expect(await readsOf('messages_text')).toBe(6);
  expect(await get('/api/admin/messages/count')).toMatchObject({ total: 5000, new: 1, replied: 4999 });
  expect(await get('/api/admin/messages?status=new')).toMatchObject([{ name: 'Person 4711' }]);
  expect(await readsOf('messages_state')).toBeGreaterThan(0);
});
