import type { Db } from '../../platform/db/database.ts';

/** Sends digests to the account again, after they were paused because the mail server refused its address. */
export async function resumeDigests(db: Db, userId: number): Promise<void> {
  await db.updateTable('alert_settings').set({ mail_paused_at: null }).where('user_id', '=', userId).execute();
}
