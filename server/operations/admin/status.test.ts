import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AdminStatus } from '#shared/operations/admin.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;
const admin = await signUp({ admin: true });
const readStatus = async (): Promise<AdminStatus> =>
  (await call('GET', '/api/admin/status', { as: admin.cookie })).json();

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

test('a new installation has no pending work', async () => {
  const { disk, ...status } = await readStatus();
  expect(status).toEqual({
    unreadMessages: 0,
    pendingSubmissions: 0,
    heldListings: 0,
    feeds: [],
    failedJobs: [],
    runningJobs: 0,
    hasUnknownProxy: false,
    replicaFailure: null,
    backup: null,
    newerVersion: null,
  });
  expect(disk.totalBytes).toBeGreaterThan(disk.freeBytes);
});

test('messages, submissions and held listings count until an admin has dealt with them', async () => {
  const message = { name: 'Ann', email: 'ann@mail.example', subject: 'Hello', message: 'Text' };
  const now = new Date();
  await db
    .insertInto('messages')
    .values([message, { ...message, read_at: now }, { ...message, replied_at: now }])
    .execute();
  const submission = {
    domain: 'casino.example',
    evidence: 'Offers links',
    source: 'Market',
    cost: '10',
    niche: 'Casino',
  };
  await db
    .insertInto('submissions')
    .values([submission, { ...submission, status: 'rejected' as const, decided_at: now }])
    .execute();
  const source = await db
    .insertInto('sources')
    .values({ name: 'Market', kind: 'manual' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const held = { source_id: source.id, reason: 'A well-known site.', cells: '{}', held_at: now };
  await db
    .insertInto('held_listings')
    .values([
      { ...held, domain: 'one.example' },
      { ...held, domain: 'two.example' },
      { ...held, domain: 'three.example', rejected_at: now },
    ])
    .execute();
  expect(await readStatus()).toMatchObject({ unreadMessages: 1, pendingSubmissions: 1, heldListings: 2 });
});

test('feeds are named if they fail, unless they are paused', async () => {
  const feed = { url: 'https://lists.example/', kind: 'allow' as const, interval_hours: 24, next_run_at: new Date() };
  await db
    .insertInto('feeds')
    .values([
      { ...feed, name: 'Failing', failures: 2 },
      { ...feed, name: 'Paused', failures: 2, enabled: false },
      { ...feed, name: 'Current', last_success_at: new Date() },
    ])
    .execute();
  expect((await readStatus()).feeds).toEqual([{ id: expect.any(Number), name: 'Failing', state: 'failing' }]);
});

test('a failed run counts for a week or until a later one completes; an unreadable file does not count', async () => {
  const file = { added_by: admin.username, file_name: 'list.csv', file_path: '/nowhere', file_bytes: 1 };
  const insertImport = (status: 'failed' | 'completed', hours: number, refused = false) =>
    db
      .insertInto('imports')
      .values({ ...file, status, refused, created_at: hoursAgo(hours), finished_at: hoursAgo(hours) })
      .execute();
  await insertImport('failed', 24 * 8);
  await insertImport('failed', 5, true);
  expect((await readStatus()).failedJobs).toEqual([]);
  await insertImport('failed', 4);
  await insertImport('failed', 3);
  await insertImport('completed', 6);
  expect((await readStatus()).failedJobs).toEqual([{ kind: 'import', count: 2 }]);
  await insertImport('completed', 2);
  expect((await readStatus()).failedJobs).toEqual([]);
});

test('a failed housekeeping job counts, and an undelivered email even if a later one is delivered; a queued import is a running job', async () => {
  const finishJob = async (queue: string, state: 'failed' | 'completed') => {
    const id = await context.jobs.send(queue, {});
    await sql`update pgboss.job set state = ${sql.lit(state)} where id = ${id}`.execute(db);
  };
  await finishJob('mail', 'failed');
  await finishJob('mail', 'completed');
  await finishJob('retention', 'failed');
  await context.jobs.send('mail', {});
  await context.jobs.send('import', {});
  const failedJobs = [
    { kind: 'housekeeping', count: 1 },
    { kind: 'mail', count: 1 },
  ];
  expect(await readStatus()).toMatchObject({ failedJobs, runningJobs: 1 });
});

test('the metrics contain the queues, the failed jobs and the disk', async () => {
  await sql`delete from pgboss.job`.execute(db);
  await context.jobs.send('import', {});
  await context.jobs.send('import', {}, { startAfter: 600 });
  await sql`update pgboss.job set start_after = now() - interval '90 seconds' where start_after <= now()`.execute(db);
  const metrics = (await call('GET', '/metrics')).body;
  expect(metrics).toContain('linksieve_queue_ready_jobs{queue="import"} 1\n');
  expect(metrics).toContain('linksieve_queue_active_jobs{queue="import"} 0\n');
  expect(metrics).toMatch(/linksieve_queue_oldest_ready_seconds\{queue="import"\} (?:9|1\d)\d/);
  expect(metrics).toContain('linksieve_queue_oldest_ready_seconds{queue="analyses"} 0\n');
  expect(metrics).toMatch(/linksieve_disk_free_bytes \d+/);
});
