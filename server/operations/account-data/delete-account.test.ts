import { expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { mailJob } from '../../platform/mail/jobs.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { topics } from '../../topics.ts';
import { maintenanceJob } from '../admin/jobs.ts';
import { exportAccount } from './account-data.ts';

// There is no mail server at this address, so emails stay in the queue.
const { call, context, signUp } = await startTestApp(
  {
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'noreply@linksieve.example',
  },
  { work: [mailJob, maintenanceJob] },
);
const { db, pool } = context;
const deleteAccount = (as: string, password: string) => call('DELETE', '/api/account', { as, body: { password } });
const countEmailsWith = async (word: string) =>
  (await pool.query("select id from pgboss.job where name like 'mail%' and data::text ilike $1", [`%${word}%`]))
    .rowCount;
const sendMessage = (as: string, email: string, message: string) =>
  call('POST', '/api/contact', { as, body: { name: 'Ada', email, subject: 'A question', message } });
const exportData = async (userId: number) => {
  let text = '';
  for await (const chunk of exportAccount({ ...context, topics }, userId)) text += chunk;
  return JSON.parse(text);
};

test('deleting an account deletes every queued email to or about it, and no other email', async () => {
  const [admin, user, other] = [await signUp({ admin: true }), await signUp(), await signUp()];
  for (const { cookie, username } of [user, other]) {
    // The form has another address than the account, but the email is about the account all the same.
    await sendMessage(cookie, `private-${username}@mail.example`, `A message by ${username}.`);
    const site = {
      domain: `${username}.example`,
      evidence: `Seen by ${username} on their price list.`,
      source: 'forum',
      cost: '$80',
      niche: 'Health',
    };
    const submission = await call('POST', '/api/site-submissions', { as: cookie, body: site });
    const body = { status: 'rejected', reason: 'No.' };
    await call('PUT', `/api/site-submissions/${submission.json().id}`, { as: admin.cookie, body });
    await call('POST', '/api/auth/reset-request', { body: { email: `${username}@mail.example` } });
  }
  const { rows } = await pool.query('select id from messages where user_id = $1', [user.id]);
  await call('POST', `/api/admin/messages/${rows[0].id}/reply`, { as: admin.cookie, body: { message: 'Hello' } });
  expect(await countEmailsWith(user.username)).toBeGreaterThanOrEqual(4);
  const before = await countEmailsWith(other.username);
  expect(before).toBeGreaterThanOrEqual(3);
  expect((await deleteAccount(user.cookie, user.password)).statusCode).toBe(204);
  expect(await countEmailsWith(user.username)).toBe(0);
  expect(await countEmailsWith(other.username)).toBe(before);
});

test('the username of a deleted admin stays only in the audit log and in Added by of domains', async () => {
  const [leaving, user] = [await signUp({ admin: true }), await signUp()];
  await signUp({ admin: true });
  const as = leaving.cookie;
  await call('POST', '/api/domains', { as, body: { domain: 'listed-by.example', source: 'crawler' } });
  await sendMessage(user.cookie, 'user@mail.example', 'How do I read the report?');
  const { rows } = await pool.query('select max(id) as id from messages');
  await call('POST', `/api/admin/messages/${rows[0].id}/reply`, { as, body: { message: 'Open it.' } });
  const started = await call('POST', '/api/admin/maintenance', { as });
  const readRun = () => db.selectFrom('maintenance_runs').select('status').where('id', '=', started.json().id);
  await expect.poll(async () => (await readRun().executeTakeFirst())?.status).toBe('completed');
  await db
    .insertInto('imports')
    .values({ user_id: leaving.id, added_by: leaving.username, file_name: 'a.csv', file_path: 'a', file_bytes: 1 })
    .execute();
  expect((await deleteAccount(as, leaving.password)).statusCode).toBe(204);
  const columns = [
    ['message_replies', 'username'],
    ['imports', 'added_by'],
    ['maintenance_runs', 'started_by'],
  ] as const;
  for (const [table, column] of columns) {
    const found = await pool.query(`select ${column} as name from ${table}`);
    expect([table, found.rows]).toEqual([table, [{ name: 'deleted account' }]]);
  }
  const listed = await pool.query("select added_by from domains where name = 'listed-by.example'");
  expect(listed.rows).toEqual([{ added_by: leaving.username }]);
  const events = await pool.query('select distinct user_id, username from audit_events where username = $1', [
    leaving.username,
  ]);
  expect(events.rows).toEqual([{ user_id: null, username: leaving.username }]);
});

test('the data export contains every reply, analysis, import, audit event and security event exactly once', async () => {
  const [admin, other] = [await signUp({ admin: true }), await signUp()];
  const insert = (table: string, columns: string, values: string, count: number) =>
    pool.query(`insert into ${table} (user_id, ${columns}) select $1, ${values} from generate_series(1, $2) as n`, [
      admin.id,
      count,
    ]);
  await insert('messages', 'name, email, subject, message', "'a', 'a@b.example', 's', 'message ' || n", 205);
  await insert(
    'imports',
    'added_by, file_name, file_path, file_bytes, status',
    "'a', n, 'secret-path', 1, 'failed'",
    101,
  );
  const { rows } = await pool.query("insert into websites (user_id, domain) values ($1, 'own.example') returning id", [
    admin.id,
  ]);
  const files = `[{"path": "secret-path", "name": "a.csv", "bytes": 1}]`;
  const analysis = `${rows[0].id}, n || '.csv', '${files}', 'failed'`;
  await insert('analyses', 'website_id, file_name, files, status', analysis, 200);
  const sites = "n || '.example', 'e', 's', 'c', 'n', now()";
  await insert('submissions', 'domain, evidence, source, cost, niche, created_at', sites, 120);
  await insert('audit_events', 'username, event, details', "'a', 'Did something', '{}'", 3);
  await insert('account_events', 'kind, address, device, last_at', "'signed-in', '192.0.2.1', 'curl', now()", 130);
  await pool.query(
    "insert into message_replies (message_id, user_id, username, message) select min(id), $1, 'someone', 'A reply' from messages where user_id = $2",
    [other.id, admin.id],
  );
  const data = await exportData(admin.id);
  const counts = { messages: 205, imports: 101, analyses: 200, submissions: 120, securityActivity: 130 };
  for (const [name, count] of Object.entries(counts)) {
    expect([name, new Set(data[name].map(({ id }: { id: unknown }) => id)).size, data[name].length]).toEqual([
      name,
      count,
      count,
    ]);
  }
  expect(data.messages[0].replies).toEqual([{ message: 'A reply', sentAt: expect.any(String) }]);
  expect(data.auditEvents).toHaveLength(3);
  for (const hidden of ['secret-path', 'someone']) expect(JSON.stringify(data)).not.toContain(hidden);
  expect(await exportData(other.id)).toMatchObject({ messages: [], imports: [], analyses: [], auditEvents: [] });
});

test('saved views are exported with their dates, and deleted with the account', async () => {
  const { id, cookie, password } = await signUp();
  const query = { search: 'shop', filter: 'all' };
  await call('POST', '/api/views', { as: cookie, body: { name: 'Shops', query } });
  const view = { name: 'Shops', query, isDefault: false, createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect((await exportData(id)).savedViews).toMatchObject([view]);
  expect((await deleteAccount(cookie, password)).statusCode).toBe(204);
  expect(await db.selectFrom('saved_views').selectAll().where('user_id', '=', id).execute()).toEqual([]);
});

test('checked lists are exported without their domains, and deleted with the account', async () => {
  const { id, cookie, password } = await signUp();
  const list = await call('POST', '/api/domain-lists', {
    as: cookie,
    body: { text: 'a.example\nb.example $5\na.example' },
  });
  const exported = { id: list.json().id, entries: 2, listed: 0, duplicates: 1, createdAt: expect.any(String) };
  expect((await exportData(id)).checkedLists).toEqual([exported]);
  expect((await deleteAccount(cookie, password)).statusCode).toBe(204);
  expect(await db.selectFrom('domain_lists').selectAll().where('user_id', '=', id).execute()).toEqual([]);
});

test('an account that becomes the only admin while it is being deleted is not deleted', async () => {
  const user = await signUp();
  const blocker = await pool.connect();
  await blocker.query('begin');
  // Blocks the deletion after it has read the account, where it counts the password as an attempt.
  await blocker.query('lock table login_failures in exclusive mode');
  const deleting = deleteAccount(user.cookie, user.password);
  await expect.poll(() => listLockWaiters(pool)).toHaveLength(1);
  await pool.query('update users set is_admin = (id = $1)', [user.id]);
  await blocker.query('rollback');
  blocker.release();
  expect((await deleting).statusCode).toBe(409);
});

test('a failed part of the file breaks it, also if the reader is slow', async () => {
  const { id } = await signUp();
  const failing = { personalData: { fields: { parts: () => Promise.reject(new Error('gone')) } } };
  const file = exportAccount({ ...context, topics: [failing] }, id);
  await file.next();
  const failed = expect(file.next()).rejects.toThrow('gone');
  // An unhandled rejection would end the process.
  await new Promise(setImmediate);
  await failed;
});
