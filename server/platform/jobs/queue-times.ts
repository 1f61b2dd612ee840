import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../db/database.ts';

/** No job waits longer than this: an email is retried after an hour at most. */
const maxDelay = sql`interval '2 hours'`;
const tolerance = sql`interval '1 minute'`;

/**
 * Corrects times in the queues that a clock wrote while it was ahead. Otherwise schedules, retries and the detection of
 * killed workers would stop until that time.
 */
export async function correctQueueTimes(db: Db): Promise<void> {
  await sql`
    update pgboss.version set cron_on = null, bam_on = null, flow_on = null
    where greatest(cron_on, bam_on, flow_on) > now() + ${tolerance}
  `.execute(db);
  await sql`
    update pgboss.queue set monitor_on = null, maintain_on = null
    where greatest(monitor_on, maintain_on) > now() + ${tolerance}
  `.execute(db);
  await sql`
    update pgboss.job set start_after = now() where state in ('created', 'retry') and start_after > now() + ${maxDelay}
  `.execute(db);
  await sql`
    update pgboss.job set heartbeat_on = least(heartbeat_on, now()), started_on = least(started_on, now())
    where state = 'active' and greatest(heartbeat_on, started_on) > now() + ${tolerance}
  `.execute(db);
}

/** Returns the queues with retries that became due in the last seconds. pg-boss notifies workers of new jobs only. */
export async function listQueuesWithRetries(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.queue where exists (
      select from pgboss.job
      where job.name = queue.name and state = 'retry' and not blocked and start_after between now() - interval '15 seconds' and now()
    )
  `.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Returns the jobs of a killed process to their queues, without waiting for their heartbeats to expire. They are due at
 * once, because a worker that starts looks for jobs only once in the next seconds.
 */
export async function restartInterruptedJobs({ db, jobs }: Pick<Context, 'db' | 'jobs'>): Promise<void> {
  await sql`
    update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active' and heartbeat_seconds is not null
  `.execute(db);
  await sql`update pgboss.queue set monitor_on = null`.execute(db);
  await jobs.supervise();
  await sql`
    update pgboss.job set start_after = now() where state = 'retry' and not retry_backoff and start_after > now()
  `.execute(db);
}
