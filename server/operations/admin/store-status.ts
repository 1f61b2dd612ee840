import { sql } from 'kysely';
import type { AdminStatus } from '#shared/operations/admin.ts';
import type { Db } from '../../platform/db/database.ts';
import { jobKind } from './store.ts';

type PendingWork = Pick<AdminStatus, 'unreadMessages' | 'pendingSubmissions' | 'heldListings' | 'runningJobs'>;

export async function countPendingWork(db: Db): Promise<PendingWork> {
  const { rows } = await sql<PendingWork>`
    select
      (select count(*) from messages where replied_at is null and read_at is null) as "unreadMessages",
      (select count(*) from submissions where status = 'pending') as "pendingSubmissions",
      (select count(*) from held_listings where rejected_at is null) as "heldListings",
      (
        select count(*) from pgboss.job
        where state in ('created', 'retry', 'active') and start_after <= now() and ${jobKind} not in ('mail', 'housekeeping')
      ) as "runningJobs"
  `.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('The query returned no row.');
  return counts;
}

/**
 * Counts the failures of the last week by kind. A failure no longer counts once a later job of the same queue
 * completes, except that of an email. Runs have their state in their own table, because the queue counts a failed run
 * as completed.
 */
export async function countFailedJobs(db: Db): Promise<AdminStatus['failedJobs']> {
  const { rows } = await sql<AdminStatus['failedJobs'][number]>`
    with finished as (
      select 'import' as kind, 'imports' as queue, created_at, status = 'completed' as completed, status = 'failed' and not refused as failed
        from imports where created_at > ${weekAgo}
      union all
      select 'analysis', 'analyses', created_at, status = 'completed', status = 'failed' and not refused
        from analyses where created_at > ${weekAgo}
      union all
      select 'maintenance', 'maintenance', created_at, status = 'completed', status = 'failed'
        from maintenance_runs where created_at > ${weekAgo}
      union all
      select 'sources', 'sources', created_at, status = 'completed', status = 'failed'
        from source_runs where created_at > ${weekAgo}
      union all
      select ${jobKind}, name, created_on, state = 'completed', state = 'failed'
        from pgboss.job where created_on > ${weekAgo} and ${jobKind} in ('mail', 'housekeeping')
    ),
    compared as (
      select kind, failed, created_at, max(created_at) filter (where completed) over (partition by queue) as last_completed_at
      from finished
    )
    select kind, count(*) from compared
    where failed and (kind = 'mail' or last_completed_at is null or created_at > last_completed_at)
    group by kind order by kind
  `.execute(db);
  return rows;
}

const weekAgo = sql`now() - interval '7 days'`;

/** Counts the ready and the active jobs of each queue, and the seconds that the oldest ready job has waited. */
export async function listQueues(
  db: Db,
): Promise<{ queue: string; ready: number; active: number; oldestSeconds: number }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof listQueues>>[number]>`
    select
      queue.name as queue,
      count(job.id) filter (where job.state < 'active') as ready,
      count(job.id) filter (where job.state = 'active') as active,
      coalesce(extract(epoch from now() - min(job.start_after) filter (where job.state < 'active'))::float8, 0) as "oldestSeconds"
    from pgboss.queue
    left join pgboss.job on job.name = queue.name and job.state <= 'active' and job.start_after <= now()
    group by queue.name
    order by queue.name
  `.execute(db);
  return rows;
}
