import { sql } from 'kysely';
import type { AlertEvent, DigestInterval, WatchEvents } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';

/** How a website is watched, with defaults if the user has not changed anything. */
export interface WatchRow extends WatchEvents {
  profileId: number;
  enabled: boolean;
  digest: DigestInterval;
  hosts: number;
  exportedAt: Date | null;
  emailPaused: boolean;
}

/** Returns how the user's websites are watched, or one of them. */
export async function listWatches(db: Db, userId: number, profileId?: number): Promise<WatchRow[]> {
  const { rows } = await sql<WatchRow>`
    select profiles.id as "profileId", coalesce(enabled, true) as enabled, coalesce(listed, true) as listed,
      coalesce(raised, true) as raised, coalesce(lowered, true) as lowered, coalesce(delisted, true) as delisted,
      coalesce(digest, 'off') as digest, coalesce(hosts, 0) as hosts,
      (select max(created_at) from reports where reports.profile_id = profiles.id) as "exportedAt",
      mail_paused_at is not null as "emailPaused"
    from profiles
    left join watches on watches.profile_id = profiles.id
    left join alert_settings on alert_settings.user_id = profiles.user_id
    where profiles.user_id = ${userId} ${profileId === undefined ? sql`` : sql`and profiles.id = ${profileId}`}
  `.execute(db);
  return rows;
}

/** Returns the number of unread alerts of each event, for the user's websites that have some. */
export function countUnread(db: Db, userId: number, profileId?: number) {
  return db
    .selectFrom('alerts')
    .innerJoin('profiles', 'profiles.id', 'profile_id')
    .select(['profile_id as profileId', 'event', sql<number>`count(*)`.as('count')])
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(profileId !== undefined, (query) => query.where('profiles.id', '=', profileId ?? 0))
    .groupBy(['profile_id', 'event'])
    .execute();
}

export interface WatchChanges extends Partial<Record<AlertEvent, boolean | undefined>> {
  enabled?: boolean | undefined;
  digest?: DigestInterval | undefined;
}

/** Changes how a website is watched. What is undefined stays as it is. */
export async function upsertWatch(trx: Db, profileId: number, changes: WatchChanges): Promise<void> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  await trx
    .insertInto('watches')
    .values({ profile_id: profileId, ...given })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet({ profile_id: profileId, ...given }))
    .execute();
}

/**
 * Ends the watch of the user's websites, deletes their alerts, and lets the job for deleted rows delete their hosts.
 */
export async function deleteWatches(trx: Db, userId: number): Promise<void> {
  const own = trx.selectFrom('profiles').select('id').where('user_id', '=', userId);
  await trx
    .insertInto('deleted_websites')
    .columns(['profile_id'])
    .expression(own)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  for (const table of ['alerts', 'watches'] as const) {
    await trx.deleteFrom(table).where('profile_id', 'in', own).execute();
  }
}
