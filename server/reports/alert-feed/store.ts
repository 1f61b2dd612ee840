import { sql } from 'kysely';
import type { AlertEvent } from '#shared/reports/watch.ts';
import type { Db } from '../../platform/db/database.ts';
import { worstFirst } from '../alerts/queries.ts';

/** Returns the version of an account's feed; undefined if the account is deleted or disabled. */
export async function findFeedVersion(db: Db, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ version: number }>`
    select coalesce(feed_version, 1) as version
    from users left join alert_settings on user_id = users.id
    where users.id = ${userId} and disabled_at is null
  `.execute(db);
  return rows[0]?.version;
}

/** @returns the new version */
export async function incrementFeedVersion(db: Db, userId: number): Promise<number> {
  const { feed_version } = await db
    .insertInto('alert_settings')
    .values({ user_id: userId, feed_version: 2 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ feed_version: sql`alert_settings.feed_version + 1` }),
    )
    .returning('feed_version')
    .executeTakeFirstOrThrow();
  return feed_version;
}

/** A run with alerts of an account. */
export interface FeedRun {
  runId: number;
  /**
   * A hash of the websites with alerts. These alerts never change, so it changes only if a website is deleted, moved or
   * renamed.
   */
  websites: string;
}

/** Returns the newest `limit` runs with alerts of the account, newest first. */
export async function listNewestRuns(db: Db, userId: number, limit: number): Promise<FeedRun[]> {
  // Reads one index entry for each website and run, however many alerts the run created.
  const { rows } = await sql<FeedRun>`
    with recursive newest as (
      select websites.id as website_id, 1 as nth,
        (select run_id from alerts where website_id = websites.id order by run_id desc limit 1) as run_id
      from websites where user_id = ${userId}
      union all
      select website_id, nth + 1, (
        select run_id from alerts where alerts.website_id = newest.website_id and alerts.run_id < newest.run_id
        order by run_id desc limit 1
      )
      from newest where run_id is not null and nth < ${limit}
    )
    select run_id as "runId", md5(string_agg(websites.id || ' ' || domain, ' ' order by websites.id)) as websites
    from newest join websites on websites.id = website_id
    where run_id is not null
    group by run_id order by run_id desc limit ${limit}
  `.execute(db);
  return rows;
}

/** The alerts that one comparison with the blacklist created for an account. */
export interface AlertRun {
  runId: number;
  at: Date;
  listed: number;
  raised: number;
  lowered: number;
  delisted: number;
  websites: number;
  /** The domain of one of the websites. */
  website: string;
}

/** Returns the runs with these ids and the numbers of their alerts of the account, newest first. */
export async function listAlertRuns(db: Db, userId: number, runIds: readonly number[]): Promise<AlertRun[]> {
  const countOf = (event: AlertEvent) => sql`count(*) filter (where event = ${event})`;
  const { rows } = await sql<AlertRun>`
    select run_id as "runId", max(alerts.created_at) as at,
      ${countOf('listed')} as listed, ${countOf('raised')} as raised,
      ${countOf('lowered')} as lowered, ${countOf('delisted')} as delisted,
      count(distinct websites.id) as websites, min(websites.domain) as website
    from alerts join websites on websites.id = website_id
    where user_id = ${userId} and run_id = any(${runIds}::bigint[])
    group by run_id order by run_id desc
  `.execute(db);
  return rows;
}

/** An alert of a run. `from` and `to` are risk levels from 1 to 4. */
export interface RunAlert {
  runId: number;
  website: string;
  domain: string;
  event: AlertEvent;
  from: number | null;
  to: number | null;
  backlinks: number;
}

/** Returns up to `limit` alerts of each run, the worst first. */
export async function listWorstAlerts(
  db: Db,
  userId: number,
  runIds: readonly number[],
  limit: number,
): Promise<RunAlert[]> {
  const { rows } = await sql<RunAlert>`
    select run_id as "runId", website, domain, event, from_level as from, to_level as to, backlinks
    from (
      select alerts.*, websites.domain as website,
        row_number() over (partition by run_id order by ${worstFirst}) as rank
      from alerts join websites on websites.id = website_id
      where user_id = ${userId} and run_id = any(${runIds}::bigint[])
    ) as ranked
    where rank <= ${limit} order by run_id, rank
  `.execute(db);
  return rows;
}
