import { expect, test } from 'vitest';
import { listLockWaiters } from '../db/lock-waiters.fixtures.ts';
import { locks } from '../db/locks.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { exportAccount } from './account-data.ts';

// Nobody listens there: emails wait in the queue.
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'noreply@linksieve.example',
  },
  { worker: true },
);
const { db, pool } = context;
const remove = (as: string, password: string) => call('DELETE', '/api/account', { as, body: { password } });
const emailsAbout = async (word: string) =>
  (await pool.query("select id from pgboss.job where name like 'mail%' and data::text ilike $1", [`%${word}%`]))
    .rowCount;
const contact = (as: string, email: string, message: string) =>
  call('POST', '/api/contact', { as, body: { name: 'Ada', email, subject: 'A question', message } });
const exported = async (userId: number) => {
  let text = '';
  for await (const piece of exportAccount(context, userId)) text += piece;
  return JSON.parse(text);
};

test('with an account every email to and about it leaves the queue, and no other email', async () => {
  const [admin, person, other] = [await signUp({ admin: true }), await signUp(), await signUp()];
  for (const { cookie, username } of [person, other]) {
    // Under an address that the account does not have: the email is theirs all the same.
    await contact(cookie, `private-${username}@mail.example`, `This was written by ${username}.`);
    const site = {
      domain: `${username}.example`,
      evidence: `Seen by ${username} on their price list.`,
      source: 'forum',
      cost: '$80',
      niche: 'Health',
    };
    const sent = await call('POST', '/api/site-submissions', { as: cookie, body: site });
    const body = { status: 'rejected', reason: 'No.' };
    await call('PUT', `/api/site-submissions/${sent.json().id}`, { as: admin.cookie, body });
    await call('POST', '/api/auth/reset-request', { body: { email: `${username}@mail.example` } });
  }
  const { rows } = await pool.query('select id from messages where user_id = $1', [person.id]);
  await call('POST', `/api/admin/messages/${rows[0].id}/reply`, { as: admin.cookie, body: { message: 'Hello' } });
  expect(await emailsAbout(person.username)).toBeGreaterThanOrEqual(4);
  const before = await emailsAbout(other.username);
  expect(before).toBeGreaterThanOrEqual(3);
  expect((await remove(person.cookie, person.password)).statusCode).toBe(204);
  expect(await emailsAbout(person.username)).toBe(0);
  expect(await emailsAbout(other.username)).toBe(before);
});

test('what an admin did stays without the name, but for the audit log and the domains that they listed', async () => {
  const [leaving, person] = [await signUp({ admin: true }), await signUp()];
  await signUp({ admin: true });
  const as = leaving.cookie;
  await call('POST', '/api/domains', { as, body: { domain: 'listed-by.example', source: 'crawler' } });
  await contact(person.cookie, 'person@mail.example', 'How do I read the report?');
  const { rows } = await pool.query('select max(id) as id from messages');
  await call('POST', `/api/admin/messages/${rows[0].id}/reply`, { as, body: { message: 'Open it.' } });
  const started = await call('POST', '/api/admin/maintenance', { as });
  const running = () => db.selectFrom('maintenance_runs').select('status').where('id', '=', started.json().id);
  await expect.poll(async () => (await running().executeTakeFirst())?.status).toBe('completed');
  await db
    .insertInto('imports')
    .values({ user_id: leaving.id, added_by: leaving.username, file_name: 'a.csv', file_path: 'a', file_bytes: 1 })
    .execute();
  expect((await remove(as, leaving.password)).statusCode).toBe(204);
  const places = [
    ['message_replies', 'username'],
    ['imports', 'added_by'],
    ['maintenance_runs', 'started_by'],
  ] as const;
  for (const [table, column] of places) {
    const found = await pool.query(`select ${column} as name from ${table}`);
    expect([table, found.rows]).toEqual([table, [{ name: 'deleted account' }]]);
  }
  const kept = await pool.query("select added_by from domains where name = 'listed-by.example'");
  expect(kept.rows).toEqual([{ added_by: leaving.username }]);
  const acts = await pool.query('select distinct user_id, username from admin_acts where username = $1', [
    leaving.username,
  ]);
  expect(acts.rows).toEqual([{ user_id: null, username: leaving.username }]);
});

test('the file of my data has answers, analyses, imports and acts, each row once however many there are', async () => {
  const [admin, other] = [await signUp({ admin: true }), await signUp()];
  const insert = (table: string, columns: string, values: string, most: number) =>
    pool.query(`insert into ${table} (user_id, ${columns}) select $1, ${values} from generate_series(1, $2) as n`, [
      admin.id,
      most,
    ]);
  await insert('messages', 'name, email, subject, message', "'a', 'a@b.example', 's', 'message ' || n", 205);
  await insert(
    'imports',
    'added_by, file_name, file_path, file_bytes, status',
    "'a', n, 'secret-path', 1, 'failed'",
    101,
  );
  const { rows } = await pool.query("insert into profiles (user_id, domain) values ($1, 'own.example') returning id", [
    admin.id,
  ]);
  const analysis = `${rows[0].id}, n || '.csv', 'secret-path', 1, 'failed'`;
  await insert('analyses', 'profile_id, file_name, file_path, file_bytes, status', analysis, 200);
  const sites = "n || '.example', 'e', 's', 'c', 'n', now()";
  await insert('submissions', 'domain, evidence, source, cost, niche, created_at', sites, 120);
  await insert('admin_acts', 'username, act, details', "'a', 'Did something', '{}'", 3);
  await pool.query(
    "insert into message_replies (message_id, user_id, username, message) select min(id), $1, 'someone', 'An answer' from messages where user_id = $2",
    [other.id, admin.id],
  );
  const data = await exported(admin.id);
  for (const [name, count] of Object.entries({ messages: 205, imports: 101, analyses: 200, submissions: 120 })) {
    expect([name, new Set(data[name].map(({ id }: { id: unknown }) => id)).size, data[name].length]).toEqual([
      name,
      count,
      count,
    ]);
  }
  expect(data.messages[0].replies).toEqual([{ message: 'An answer', sentAt: expect.any(String) }]);
  expect(data.adminActs).toHaveLength(3);
  for (const hidden of ['secret-path', 'someone']) expect(JSON.stringify(data)).not.toContain(hidden);
  expect(await exported(other.id)).toMatchObject({ messages: [], imports: [], analyses: [], adminActs: [] });
});

test('who has become the only admin while their account is being deleted stays', async () => {
  const person = await signUp();
  const holding = await pool.connect();
  await holding.query('begin');
  // Between the look at the account and the deletion the password is counted as a try: there it waits.
  await holding.query('select pg_advisory_xact_lock($1, hashtext($2))', [locks.throttle, `account:${person.id}`]);
  const removing = remove(person.cookie, person.password);
  await expect.poll(() => listLockWaiters(pool)).toHaveLength(1);
  await pool.query('update users set is_admin = (id = $1)', [person.id]);
  await holding.query('rollback');
  holding.release();
  expect((await removing).statusCode).toBe(409);
});
