import type { Db } from '../../platform/db/database.ts';

/** Transfers the analyses of a website to its new owner, who also gets the reports. */
export async function transferAnalyses(db: Db, websiteId: number, userId: number): Promise<void> {
  await db.updateTable('analyses').set({ user_id: userId }).where('website_id', '=', websiteId).execute();
}
