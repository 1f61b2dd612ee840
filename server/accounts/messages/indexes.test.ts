import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const admin = await signUp({ admin: true });
const get = async (path: string) => (await call('GET', path, { as: admin.cookie })).json();

/**
 * How often an index was read. Makes each connection report its statistics, which it otherwise does only every few
 * seconds.
 */
async function countIndexScans(index: string): Promise<number> {
  const clients = await Promise.all(Array.from({ length: context.pool.options.max }, () => context.pool.connect()));
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
  for (const client of clients) client.release();
  const { rows } = await sql<{ scans: number }>`
    select idx_scan as scans from pg_stat_user_indexes where indexrelname = ${index}`.execute(context.db);
  return rows[0]?.scans ?? 0;
}

test('searching and filtering many messages uses an index', async () => {
  await sql`
    insert into messages (name, email, subject, message, read_at, replied_at)
    select 'Sender ' || i, 'sender' || i || '@mail.example', 'Question ' || i, repeat('Where is my 100% report? ', 20), now(), now()
    from generate_series(1, 5000) i`.execute(context.db);
  await sql`update messages set read_at = null, replied_at = null where name = 'Sender 4711'`.execute(context.db);
  await sql`vacuum analyze messages`.execute(context.db);
  for (const search of ['sender 4711', 'ER4711@MAIL', 'question 4711']) {
    const path = encodeURIComponent(search);
    expect(await get(`/api/admin/messages?search=${path}`)).toMatchObject([{ name: 'Sender 4711' }]);
    expect(await get(`/api/admin/messages/count?search=${path}`)).toMatchObject({ total: 1, new: 1 });
  }
  expect(await countIndexScans('messages_text')).toBe(6);
  expect(await get('/api/admin/messages/count')).toMatchObject({ total: 5000, new: 1, replied: 4999 });
  expect(await get('/api/admin/messages?status=new')).toMatchObject([{ name: 'Sender 4711' }]);
  expect(await countIndexScans('messages_state')).toBeGreaterThan(0);
});
