import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { startWorker } from '../../worker.ts';
import { correctQueueTimes, restartInterruptedJobs } from './queue-times.ts';

const { context } = await startTestApp();
const { db, jobs } = context;

const getJob = async (id: string) =>
  (
    await sql<{ state: string; delay: number; heartbeatAge: number }>`
      select state, extract(epoch from start_after - now())::float8 as delay,
        extract(epoch from now() - heartbeat_on)::float8 as "heartbeatAge"
      from pgboss.job where id = ${id}
    `.execute(db)
  ).rows[0];

async function sendJob(changes: ReturnType<typeof sql>): Promise<string> {
  const id = await jobs.send('send-digests', {});
  if (!id) throw new Error('The job was not sent.');
  await sql`update pgboss.job set ${changes} where id = ${id}`.execute(db);
  return id;
}

test('times of a clock that was ahead delay no job, no schedule and no detection of killed workers', async () => {
  await sql`update pgboss.version set cron_on = now() + interval '400 days'`.execute(db);
  await sql`update pgboss.queue set monitor_on = now() + interval '400 days', maintain_on = now()`.execute(db);
  const retry = await sendJob(sql`state = 'retry', start_after = now() + interval '400 days'`);
  const soon = await sendJob(sql`state = 'retry', start_after = now() + interval '30 minutes'`);
  const active = await sendJob(
    sql`state = 'active', heartbeat_on = now() + interval '400 days', heartbeat_seconds = 10`,
  );
  await correctQueueTimes(db);
  const { rows } = await sql`
    select count(cron_on) as cron, (select count(*) from pgboss.queue where monitor_on is not null) as monitored
    from pgboss.version
  `.execute(db);
  expect(rows).toEqual([{ cron: 0, monitored: 0 }]);
  expect((await getJob(retry))?.delay).toBeLessThan(1);
  expect((await getJob(soon))?.delay).toBeGreaterThan(60);
  expect((await getJob(active))?.heartbeatAge).toBeGreaterThanOrEqual(0);
  await sql`delete from pgboss.job`.execute(db);
});

test('the jobs of a killed process are due at once, and a retry that becomes due later wakes a worker', async () => {
  const killed = await sendJob(sql`state = 'active', started_on = now(), heartbeat_on = now(), heartbeat_seconds = 10`);
  await restartInterruptedJobs(context);
  expect(await getJob(killed)).toMatchObject({ state: 'retry' });
  expect((await getJob(killed))?.delay).toBeLessThanOrEqual(0);

  const later = await sendJob(sql`state = 'retry', start_after = now() + interval '3 seconds'`);
  const stopping = new AbortController();
  // With DATABASE_URL, other processes may run jobs, so the start leaves them alone.
  const shared = { ...context, config: { ...context.config, databaseUrl: context.databaseUrl } };
  await startWorker(shared, stopping.signal, { pollingIntervalSeconds: 3600, notifyPollingIntervalSeconds: 3600 });
  await expect.poll(() => getJob(killed), { timeout: 30_000 }).toMatchObject({ state: 'completed' });
  await expect.poll(() => getJob(later), { timeout: 30_000 }).toMatchObject({ state: 'completed' });
  stopping.abort();
}, 60_000);

test('a worker schedules the jobs that repeat', async () => {
  const stopping = new AbortController();
  await startWorker(context, stopping.signal);
  stopping.abort();
  const schedules = await jobs.getSchedules();
  expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual({
    'backup-schedule': '23 * * * *',
    'discovery-candidates': '17 * * * *',
    'evidence-proofs': '37 * * * *',
    'feed-schedule': '*/5 * * * *',
    'queue-source-runs': '*/10 * * * *',
    retention: '43 * * * *',
    'send-digests': '2 * * * *',
    'send-reminders': '12 7 * * *',
    'sweep-uploads': '17 * * * *',
    'tidy-domain-counts': '* * * * *',
    'tidy-payments': '17 3 * * *',
  });
});
