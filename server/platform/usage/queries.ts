import type { UsageKind } from '#shared/platform/usage.ts';
import type { Db } from '../db/database.ts';

/** Returns how many of a kind belong to a website, from its counter. */
export async function countOfWebsite(db: Db, websiteId: number, kind: UsageKind): Promise<number> {
  const row = await db
    .selectFrom('account_usage')
    .select('rows')
    .where('website_id', '=', websiteId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.rows ?? 0;
}
