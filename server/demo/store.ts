import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { findOrCreateSources } from '../sources/sources.ts';

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
      [...copies.values()].map((source) => source.id),
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
 * Moves the lists of all feeds to another origin, and gives their runs the times of a history: each takes a few seconds.
 */
export async function finishFeedHistory(db: Db, from: string, to: string): Promise<void> {
  await sql`update feeds set url = replace(url, ${from}, ${to})`.execute(db);
  await sql`
    update feed_runs set finished_at = created_at + make_interval(secs => 2 + id % 7) where finished_at is not null
  `.execute(db);
}
