import { sql } from 'kysely';
import type { AlertEvent, DigestInterval, WatchEvents } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';

/** How a website is watched, with defaults if the user has not changed anything. */
export interface WatchRow extends WatchEvents {
  websiteId: number;
  enabled: boolean;
  digest: DigestInterval;
  hosts: number;
  exports: number;
  exportedAt: Date | null;
  emailPaused: boolean;
}

/** Returns how the user's websites are watched, or one of them. */
export async function listWatches(db: Db, userId: number, websiteId?: number): Promise<WatchRow[]> {
  const { rows } = await sql<WatchRow>`
    select websites.id as "websiteId", coalesce(enabled, true) as enabled, coalesce(listed, true) as listed,
      coalesce(raised, true) as raised, coalesce(lowered, true) as lowered, coalesce(delisted, true) as delisted,
      coalesce(digest, 'off') as digest, coalesce(hosts, 0) as hosts,
      exported.exports, exported."exportedAt",
      mail_paused_at is not null as "emailPaused"
    from websites
    cross join lateral (
      select count(*)::integer as exports, max(created_at) as "exportedAt"
      from reports where reports.website_id = websites.id
    ) as exported
    left join watches on watches.website_id = websites.id
    left join alert_settings on alert_settings.user_id = websites.user_id
    where websites.user_id = ${userId} ${websiteId === undefined ? sql`` : sql`and websites.id = ${websiteId}`}
  `.execute(db);
  return rows;
}

/** Returns the number of unread alerts of each event, for the user's websites that have some. */
export function countUnread(db: Db, userId: number, websiteId?: number) {
  return db
    .selectFrom('alerts')
    .innerJoin('websites', 'websites.id', 'website_id')
    .select(['website_id as websiteId', 'event', sql<number>`count(*)`.as('count')])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(websiteId !== undefined, (query) => query.where('websites.id', '=', websiteId ?? 0))
    .groupBy(['website_id', 'event'])
    .execute();
}

export interface WatchChanges extends Partial<Record<AlertEvent, boolean | undefined>> {
  enabled?: boolean | undefined;
  digest?: DigestInterval | undefined;
}

/** Changes how a website is watched. What is undefined stays as it is. */
export async function upsertWatch(trx: Db, websiteId: number, changes: WatchChanges): Promise<void> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await trx
    .insertInto('watches')
    .values({ website_id: websiteId, ...given })
    .onConflict((conflict) => conflict.column('website_id').doUpdateSet({ website_id: websiteId, ...given }))
    .execute();
}

/**
 * Ends the watch of the user's websites, deletes their alerts, and lets the job for deleted rows delete their hosts.
 */
export async function deleteWatches(trx: Db, userId: number): Promise<void> {
  const own = trx.selectFrom('websites').select('id').where('user_id', '=', userId);
  await trx
    .insertInto('deleted_websites')
    .columns(['website_id'])
    .expression(own)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const table of ['alerts', 'watches'] as const) {
    await trx.deleteFrom(table).where('website_id', 'in', own).execute();
  }
}
