import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** @returns the new version; undefined if there is no such account */
export async function incrementDeviceVersion(db: Db, userId: number): Promise<number | undefined> {
  const row = await db
    .updateTable('users')
    .set({ device_version: sql`device_version + 1` })
    .where('id', '=', userId)
    .returning('device_version as deviceVersion')
    .executeTakeFirst();
  return row?.deviceVersion;
}
