import type { Db } from '../db/database.ts';

export async function anyDomain(db: Db): Promise<boolean> {
  return (await db.selectFrom('domains').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Dates a report back, so that a website has a history to show. */
export async function dateReport(db: Db, reportId: number, createdAt: Date): Promise<void> {
  await db.updateTable('reports').set({ created_at: createdAt }).where('id', '=', reportId).execute();
}

export function firstDomains(db: Db, count: number): Promise<{ id: number; name: string }[]> {
  return db.selectFrom('domains').select(['id', 'name']).orderBy('name').limit(count).execute();
}
