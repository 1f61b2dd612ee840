import type { UsageKind } from '#shared/platform/usage.ts';
import type { Db } from '../db/database.ts';

/** Returns how many of a kind belong to a website, from its counter. */
export async function countOfWebsite(db: Db, profileId: number, kind: UsageKind): Promise<number> {
  const row = await db
    .selectFrom('account_usage')
    .select('rows')
    .where('profile_id', '=', profileId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.rows ?? 0;
}
