import { sql } from 'kysely';
import type { UsageKind } from '#shared/platform/usage.ts';
import type { Db } from '../db/database.ts';
import { open } from '../jobs/runs.ts';

/** What the files of unfinished uploads and analyses count as. */
const uploadsKind = 'uploads' satisfies UsageKind;
const sessionsKind = 'sessions' satisfies UsageKind;

/**
 * SQL for what accounts use, by kind: the counters that triggers keep (migrations/0001_baseline.sql), and what ends
 * by itself: files of unfinished uploads and analyses, and sessions.
 */
const usage = (userIds: readonly number[]) => sql<{
  userId: number;
  kind: UsageKind;
  count: number;
  bytes: number;
  written: number;
}>`(
  with counters as (
    select user_id as owner, account_usage.* from account_usage where user_id = any(${userIds}::bigint[])
    union all
    select websites.user_id, account_usage.* from account_usage join websites on websites.id = website_id
    where websites.user_id = any(${userIds}::bigint[])
  )
  select owner as "userId", kind, sum(rows)::bigint as count, sum(bytes)::bigint as bytes,
    coalesce(sum(written) filter (where hour = date_trunc('hour', now())), 0)::bigint as written
  from counters group by owner, kind
  union all
  select user_id, ${uploadsKind}, count(*), sum(bytes)::bigint, 0 from (
    select user_id, (file ->> 'bytes')::bigint as bytes from analyses, jsonb_array_elements(files) as file
    where user_id = any(${userIds}::bigint[]) and status in (${sql.join(open)})
    union all
    select user_id, bytes from uploads where user_id = any(${userIds}::bigint[]) and expires_at > now() and expires_at <= now() + interval '1 hour'
  ) as unfinished group by user_id
  union all
  select user_id, ${sessionsKind}, count(*), 0, 0 from sessions where user_id = any(${userIds}::bigint[]) group by user_id
)`;

/** Returns what accounts use, by kind. */
export async function listUsage(db: Db, userIds: readonly number[]) {
  return await db.selectFrom(usage(userIds).as('usage')).selectAll().where('count', '>', 0).execute();
}

/**
 * Returns what an account uses in all, what it wrote in this hour, and whether it is an admin's. `count` is of one
 * kind.
 */
export async function findUsage(db: Db, userId: number, kind: UsageKind) {
  return await db
    .selectFrom(usage([userId]).as('usage'))
    .select([
      sql<number>`coalesce(sum(count) filter (where kind = ${kind}), 0)::bigint`.as('count'),
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'),
      sql<number>`coalesce(sum(written), 0)::bigint`.as('written'),
      sql<boolean>`coalesce((select is_admin from users where id = ${userId}), false)`.as('isAdmin'),
    ])
    .executeTakeFirstOrThrow();
}
