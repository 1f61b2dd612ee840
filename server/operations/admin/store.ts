import { type RawBuilder, sql } from 'kysely';
import type { BackgroundJob } from '#shared/operations/admin.ts';
import type { Db } from '../../platform/db/database.ts';

type JobRow = Pick<BackgroundJob, 'id' | 'kind' | 'state' | 'by' | 'message' | 'tries'> & {
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** SQL for a number as people write it: 1,600. */
const withCommas = (column: string) => sql`to_char(${sql.ref(column)}, 'FM999,999,999,990')`;

/**
 * Returns jobs of the queue, newest first, and their total number. The state and message of a run come from its own
 * row, because the queue counts a failed import as a completed job. `pgboss.job` is a documented table of pg-boss.
 */
export async function listJobs(db: Db, kind: BackgroundJob['kind'] | undefined, offset: number, limit: number) {
  const [{ rows }, counted] = await Promise.all([
    sql<JobRow>`
      with page as (
        select id, name, data, state::text, retry_count, created_on, started_on, completed_on, output, ${jobKind} as kind
        from pgboss.job where ${isListed(kind)}
        order by created_on desc, id desc offset ${offset} limit ${limit}
      )
      select page.id, page.kind,
        case when feed_run.status = 'waiting' then 'review' else case coalesce(import.status, analysis.status, run.status, source_run.status, backup_run.status, feed_run.status)
          when 'completed' then 'completed' when 'failed' then 'failed' when 'cancelled' then 'cancelled'
          else case page.state when 'active' then 'running' when 'created' then 'waiting' when 'retry' then 'waiting' else page.state end
        end end as state,
        coalesce(import.added_by, owner.username, run.started_by, source_run.started_by) as by,
        nullif(
          coalesce(
            import.message, analysis.message, run.message, source_run.title || '. ' || source_run.message || '.',
            (select coalesce(sources.name, feeds.name) from feeds left join sources on sources.id = source_id where feeds.id = feed_run.feed_id) || ': ' || coalesce(nullif(feed_run.message, ''), 
              case feed_run.status when 'waiting' then 'would remove ' else ${withCommas('feed_run.added')} || ' added, ' end
                || ${withCommas('feed_run.removed')} || case feed_run.status when 'waiting' then '' else ' removed' end),
            backup_run.message, page.output ->> 'message'
          ), ''
        ) as message,
        retry_count + (started_on is not null)::integer as tries,
        created_on as "createdAt", started_on as "startedAt",
        coalesce(import.finished_at, analysis.finished_at, run.finished_at, source_run.finished_at, backup_run.finished_at, feed_run.finished_at, completed_on) as "finishedAt"
      from page
      left join imports as import on page.kind = 'import' and import.id::text = page.data ->> 'importId'
      left join analyses as analysis on page.kind = 'analysis' and analysis.id::text = page.data ->> 'analysisId'
      left join users as owner on owner.id = analysis.user_id
      left join maintenance_runs as run on page.kind = 'maintenance' and run.id::text = page.data ->> 'runId'
      left join feed_runs as feed_run on page.kind = 'feed' and feed_run.id::text = page.data ->> 'runId'
      left join source_runs as source_run on page.kind = 'sources' and source_run.id::text = page.data ->> 'runId'
      left join backup_runs as backup_run on page.name in ('backup', 'backup-copy', 'backup-test') and backup_run.id::text = page.data ->> 'runId'
      order by created_on desc, page.id desc
    `.execute(db),
    sql<{ total: number }>`select count(*) as total from pgboss.job where ${isListed(kind)}`.execute(db),
  ]);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** SQL for the kind of a job from the name of its queue. */
export const jobKind = sql`
  case when name = 'import' then 'import' when name in ('analyses', 'small-analyses') then 'analysis' when name = 'maintenance' then 'maintenance'
    when name = 'source-runs' then 'sources' when name = 'feeds' then 'feed'
    when name like 'mail%' and name not in ('mail-given-up', 'mail-refused') then 'mail' else 'housekeeping' end
`;

/** Leaves out housekeeping, which runs every minute, unless it is requested. */
function isListed(kind: BackgroundJob['kind'] | undefined): RawBuilder<boolean> {
  return kind ? sql<boolean>`${jobKind} = ${kind}` : sql<boolean>`${jobKind} <> 'housekeeping'`;
}

/** Returns PostgreSQL's version, such as '18.4', and the size of the database in bytes. */
export async function readDatabaseFacts(db: Db): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database()) as bytes
  `.execute(db);
  return rows[0] ?? { version: '', bytes: 0 };
}
