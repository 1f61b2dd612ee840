import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Returns the time of the database, whose clock also stamps `domain_changes`. */
export async function getDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date();
}

/** Stops the digests of a website. */
export async function stopDigest(trx: Db, websiteId: number): Promise<void> {
  await trx.updateTable('watches').set({ digest: 'off' }).where('website_id', '=', websiteId).execute();
}
