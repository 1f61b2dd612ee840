import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteExpiredRows } from './platform/jobs/retention.ts';
import { retentionJob, retentions } from './retention.ts';
import { startTestApp } from './test-app.fixtures.ts';

const { context, signUp } = await startTestApp();
const { db } = context;

test('old runs, messages, submissions, appeals and subscriptions are deleted, and others stay', async () => {
  const { id } = await signUp();
  const [old, young] = ['800 days', '300 days'];
  for (const age of [old, young]) {
    const at = sql`now() - ${age}::interval`;
    for (const table of ['imports', 'source_runs', 'maintenance_runs', 'backup_runs', 'analyses']) {
      const columns: Record<string, string> = {
        imports: `added_by, file_name, file_path, file_bytes) select 'a', 'a', 'a', 1`,
        source_runs: `started_by, title, source_ids) select 'a', 'a', '{1}'`,
        maintenance_runs: `started_by) select 'a'`,
        backup_runs: `file_name) select null`,
        analyses: `user_id, website_id, file_name, files) select ${id}, profile.id, 'a', '[]'`,
      };
      const [names, values] = (columns[table] ?? '').split(') select ');
      if (table === 'analyses') {
        await sql`insert into websites (user_id, domain) values (${id}, 'retention.example') on conflict do nothing`.execute(
          db,
        );
      }
      const from = table === 'analyses' ? `from websites profile where user_id = ${id}` : '';
      await sql`insert into ${sql.table(table)} (${sql.raw(names ?? '')}, status, created_at, finished_at)
        select ${sql.raw(values ?? '')}, 'completed', ${at}, now() ${sql.raw(from)}`.execute(db);
    }
    await sql`insert into messages (name, email, subject, message, created_at) values ('a', 'a', 'a', 'a', ${at})`.execute(
      db,
    );
    await sql`
      insert into submissions (domain, evidence, source, cost, niche, status, decided_at, created_at)
      select 'a.test', 'a', 'a', 'a', 'a', status, case when status <> 'pending' then ${at} end, ${at}
      from unnest(array['pending', 'rejected', 'approved']) as status
    `.execute(db);
    await sql`
      insert into appeals (domain, message, statement, proof, token, state, created_at, verified_at, decided_at, published_at)
      values ('kept.test', 'a', 'a', 'dns', 'a', 'kept', ${at}, ${at}, ${at}, null),
        ('published.test', 'a', 'a', 'dns', 'a', 'kept', ${at}, ${at}, ${at}, ${at}),
        ('unverified.test', 'a', 'a', 'dns', 'a', 'unverified', ${at}, null, null, null)
    `.execute(db);
    await sql`
      insert into newsletter_subscriptions (email, consented_at, unsubscribed_at, token)
      values (${`${age}@mail.example`}, ${at}, ${at}, ${age}), (${`kept-${age}@mail.example`}, ${at}, null, ${`kept ${age}`})
    `.execute(db);
  }
  await retentionJob.run(context, {}, new AbortController().signal);
  const count = async (table: string) =>
    (await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)).rows[0]?.count;
  const counts: Record<string, number> = {};
  for (const { table } of retentions) {
    const rows = await count(table);
    if (rows) counts[table] = rows;
  }
  expect(counts).toEqual({
    sessions: 1,
    imports: 1,
    analyses: 1,
    source_runs: 1,
    maintenance_runs: 1,
    backup_runs: 1,
    messages: 1,
    submissions: 5,
    appeals: 3,
    newsletter_subscriptions: 3,
    websites: 1,
  });
});

test('if the rows of one table cannot be deleted, those of the others are, and the job fails with its name', async () => {
  await sql`
    insert into messages (name, email, subject, message, created_at) values ('a', 'a', 'a', 'a', now() - interval '800 days')
  `.execute(db);
  const oldMessages = db
    .selectFrom('messages')
    .select('id')
    .where('created_at', '<', sql<Date>`now() - interval '1 year'`);
  await sql`alter table sessions rename to other_sessions`.execute(db);
  const running = retentionJob.run(context, {}, new AbortController().signal);
  await expect(running).rejects.toThrow('Old rows of sessions could not be deleted.');
  await sql`alter table other_sessions rename to sessions`.execute(db);
  expect(await oldMessages.execute()).toEqual([]);
});

test('many rows are deleted in several transactions', async () => {
  await sql`
    insert into messages (name, email, subject, message, created_at)
    select 'a', 'a', 'a', 'a', now() - interval '800 days' from generate_series(1, 12000)
  `.execute(db);
  await deleteExpiredRows(
    context,
    retentions.filter(({ table }) => table === 'messages'),
    new AbortController().signal,
  );
  expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(1);
});
