import type { Db } from '../../platform/db/database.ts';

/** Transfers the analyses of a profile to its new owner, who also gets the reports. */
export async function transferAnalyses(db: Db, profileId: number, userId: number): Promise<void> {
  await db.updateTable('analyses').set({ user_id: userId }).where('profile_id', '=', profileId).execute();
}
