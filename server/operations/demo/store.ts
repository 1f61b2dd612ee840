import { sql } from 'kysely';
import { findOrCreateSources } from '../../blacklist/sources/sources.ts';
import type { Db } from '../../platform/db/database.ts';

/** Returns whether the database contains complete demo data. Messages are created last, so they mark it as complete. */
export async function getDemoState(db: Db): Promise<'empty' | 'incomplete' | 'complete'> {
  const message = await db.selectFrom('messages').select('id').limit(1).executeTakeFirst();
  if (message) return 'complete';
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  const domain = await db.selectFrom('domains').select('id').limit(1).executeTakeFirst();
  return user || domain ? 'incomplete' : 'empty';
}

/** Backdates a report, so that a website has a history. */
export async function updateReportDate(db: Db, reportId: number, createdAt: Date): Promise<void> {
  await db.updateTable('reports').set({ created_at: createdAt }).where('id', '=', reportId).execute();
}

/** Backdates the imports of a file, so that the blacklist has a history. */
export async function updateImportDate(db: Db, fileName: string, date: Date): Promise<void> {
  await db
    .updateTable('imports')
    .set({ created_at: date, finished_at: date })
    .where('file_name', '=', fileName)
    .execute();
}

/** Creates a family of public lists. */
export async function createFamily(db: Db, family: readonly string[]): Promise<void> {
  const copies = await findOrCreateSources(db, family, 'list');
  const { id } = await db
    .insertInto('families')
    .values({ name: 'PBN Watch' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('sources')
    .set({ family_id: id })
    .where(
      'id',
      'in',
      copies.map((source) => source.id),
    )
    .execute();
}

export function listFirstDomains(db: Db, count: number): Promise<{ id: number; name: string }[]> {
  return db.selectFrom('domains').select(['id', 'name']).orderBy('name').limit(count).execute();
}

/** Returns the listed domains of a report, highest risk first. */
export async function listReportDomains(db: Db, reportId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('report_domains')
    .select('domain')
    .where('report_id', '=', reportId)
    .orderBy('position')
    .execute();
  return rows.map(({ domain }) => domain);
}

/**
 * Moves the lists of all feeds to another origin, and gives their runs the times of a history: each takes a few
 * seconds.
 */
export async function finishFeedHistory(db: Db, from: string, to: string): Promise<void> {
  await sql`update feeds set url = replace(url, ${from}, ${to})`.execute(db);
  await sql`
    update feed_runs set finished_at = created_at + make_interval(secs => 2 + id % 7) where finished_at is not null
  `.execute(db);
}

/** Returns the names with alerts. */
export async function listAlertedNames(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('alerts').select('domain').distinct().execute();
  return new Set(rows.map(({ domain }) => domain));
}

/** Returns the days of the first and the last report of the user's websites, since 1970-01-01. */
export async function listReportDays(db: Db, userId: number) {
  const { rows } = await sql<{ websiteId: number; firstDay: number; lastDay: number }>`
    select websites.id as "websiteId", min(reports.created_at)::date - date '1970-01-01' as "firstDay",
      max(reports.created_at)::date - date '1970-01-01' as "lastDay"
    from websites join reports on reports.website_id = websites.id where user_id = ${userId} group by websites.id
  `.execute(db);
  return rows;
}

export async function markAlertsRead(db: Db, userId: number, before: Date): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ read_at: sql<Date>`created_at + interval '3 hours'` })
    .where('created_at', '<', before)
    .where('website_id', 'in', db.selectFrom('websites').select('id').where('user_id', '=', userId))
    .execute();
}

/** Completes the deliveries of webhooks: every fifth was refused at first. No receiver is called. */
export async function completeDeliveries(db: Db): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'succeeded', attempts = case when id % 5 = 0 then 2 else 1 end,
      response_status = 204, next_attempt_at = null, last_attempt_at = created_at + make_interval(secs => 2 + 6 * (id % 5))
    where status = 'pending'
  `.execute(db);
}

/** Inserts the security activity of a user: sign-ins at home and at work, and wrong passwords from elsewhere. */
export async function insertActivity(db: Db, userId: number, now: Date): Promise<void> {
  const [home, work] = [
    { address: '192.0.2.10', device: 'Chrome on macOS' },
    { address: '198.51.100.24', device: 'Firefox on Windows' },
  ];
  const events = [
    { kind: 'account-created', daysAgo: 280, ...home },
    { kind: 'second-factor-on', daysAgo: 120, ...home },
    { kind: 'second-factor-off', daysAgo: 119.5, ...home },
    { kind: 'password-changed', daysAgo: 90, ...home },
    { kind: 'signed-out-others', daysAgo: 89.9, ...home },
    { kind: 'signed-in', daysAgo: 30, ...work },
    { kind: 'wrong-password', daysAgo: 9, address: '203.0.113.66', device: 'python-requests', count: 7 },
    { kind: 'signed-in', daysAgo: 2, ...work },
    { kind: 'wrong-password', daysAgo: 1.002, ...home },
    { kind: 'signed-in', daysAgo: 1, ...home },
  ] as const;
  await db
    .insertInto('account_events')
    .values(
      events.map(({ daysAgo, ...event }) => ({
        ...event,
        user_id: userId,
        last_at: new Date(now.getTime() - daysAgo * 86_400_000),
      })),
    )
    .execute();
}

/** Gives a key a history of requests. Its last request was just now. */
export async function updateKeyUsage(
  db: Db,
  id: number,
  { total, today, address }: { total: number; today: number; address: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({
      created_at: new Date(now.getTime() - 85 * 86_400_000),
      usage_count: total,
      usage_day: now.toISOString().slice(0, 10),
      daily_usage: today,
      last_used_at: now,
      last_address: address,
    })
    .where('id', '=', id)
    .execute();
}

export async function findAccountId(db: Db, username: string): Promise<number | undefined> {
  return (await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirst())?.id;
}
