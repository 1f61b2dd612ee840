import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { listLockWaiters } from '../../platform/db/lock-waiters.fixtures.ts';
import { locks } from '../../platform/db/locks.ts';
import { runHere, runInProcess } from '../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { compactCounts } from '../domains/jobs.ts';
import { buildHeldName, names } from './held-name.fixtures.ts';
import { importJob } from './jobs.ts';
import { uploadImport, waitForImport } from './upload.fixtures.ts';

const server = await startTestApp({}, { respondWithinMs: 200 });
const { context } = server;
const { db } = context;
const admin = await server.signUp({ admin: true });

const { lockHeldName, listBlockedMerges, waitForBlockedMerge } = buildHeldName(context);

const countListed = async () =>
  (await db.selectFrom('domains').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count;
const runJob = (importId: string, signal = new AbortController().signal) =>
  importJob.run(context, { importId }, signal);
const status = (jobId: string) => waitForImport(server, admin.cookie, jobId, () => true);
const files = () => readdir(join(context.config.dataDir, 'uploads'));

afterEach(async () => {
  context.runWork = runHere;
  await db.deleteFrom('domains').execute();
});

test('a longer import returns 202, and its status can be polled', async () => {
  const response = await uploadImport(server, admin.cookie, 'domain,source\na.example,One\n');
  expect([response.statusCode, response.json().status]).toEqual([202, 'processing']);
  expect(response.json()).toMatchObject({ progress: 0, totalCount: null, message: 'Waiting to start' });
  await runJob(response.json().jobId);
  expect(await status(response.json().jobId)).toMatchObject({ status: 'completed', imported: 1, progress: 100 });
  await runJob(response.json().jobId);
  expect(await status(response.json().jobId)).toMatchObject({ status: 'completed', imported: 1 });
});

test('two concurrent imports complete one after the other with correct counts', async () => {
  const first = await send(`domain,source\n${names(0, 3000)}z-held.example,One\n`);
  const second = await send(`domain,source\n${names(2000, 5000, 'Two')}`);
  expect((await status(second)).message).toBe('Waiting for another import to finish');
  const release = await lockHeldName();
  const firstDone = runJob(first);
  await waitForBlockedMerge();
  const secondDone = runJob(second);
  await waitForImport(
    server,
    admin.cookie,
    second,
    ({ message, totalCount }) => totalCount !== null && /^Waiting/.test(message),
  );
  await release();
  await Promise.all([firstDone, secondDone]);
  expect(await status(first)).toMatchObject({ status: 'completed', imported: 3001, updated: 0 });
  expect(await status(second)).toMatchObject({ status: 'completed', imported: 2000, updated: 1000 });
  expect(await countListed()).toBe(5001);
});

test('a domain that is added during an import is updated by the import, and each name is counted once', async () => {
  await compactCounts(context);
  const jobId = await send(`domain,source\n${names(0, 3000)}z-held.example,One\n`);
  const release = await lockHeldName();
  const done = runJob(jobId);
  await waitForBlockedMerge();
  await release(true);
  await done;
  expect(await status(jobId)).toMatchObject({ status: 'completed', imported: 3000, updated: 1 });
  const held = await db.selectFrom('domains').select('source').where('name', '=', 'z-held.example').executeTakeFirst();
  expect(held?.source).toEqual(['Before', 'One']);
  // Only the name that the other transaction inserted waits to be counted.
  expect((await context.pool.query('select from domain_gram_changes')).rowCount).toBe(1);
  expect([await countFound('e-29'), await countFound('held'), await countFound('.exa')]).toEqual([111, 1, 3001]);
});

test('an import keeps an edit of the sources that it had to wait for, also if the domain was renamed', async () => {
  await runJob(await send('domain,source\nedited.example,Before\nedited.example,Removed\nrenamed.example,Before\n'));
  const jobId = await send('domain,source\nedited.example,Added\nrenamed.example,Added\n');
  const editor = await context.pool.connect();
  await editor.query('begin');
  await editor.query("update domains set source = '{Before}' where name = 'edited.example'");
  await editor.query("update domains set name = 'other.example' where name = 'renamed.example'");
  const done = runJob(jobId);
  await expect
    .poll(() => listLockWaiters(context.pool, '%with rows as materialized%'), { timeout: 30_000 })
    .toHaveLength(1);
  await editor.query('commit');
  editor.release();
  await done;
  expect(await status(jobId)).toMatchObject({ status: 'completed', imported: 1, updated: 1 });
  const rows = await db.selectFrom('domains').select(['name', 'source']).orderBy('name').execute();
  expect(rows).toEqual([
    { name: 'edited.example', source: ['Before', 'Added'] },
    { name: 'other.example', source: ['Before'] },
    { name: 'renamed.example', source: ['Added'] },
  ]);
});

test('an import that is stopped halfway changes nothing and can be run again', async () => {
  context.runWork = runInProcess;
  const mapping = JSON.stringify({ headerLine: 1, columns: { domain: 0 } });
  const content = `Website,Place\n${names(0, 3000)}z-held.example,One\n`;
  const jobId = await send(content, { mapping, defaultSource: 'Given' });
  const release = await lockHeldName();
  const stopping = new AbortController();
  const done = runJob(jobId, stopping.signal);
  await waitForBlockedMerge();
  await waitForImport(server, admin.cookie, jobId, ({ processedCount }) => processedCount === 3001);
  stopping.abort();
  await expect(done).rejects.toThrow();
  await release();
  expect([await countListed(), (await files()).length]).toEqual([0, 1]);
  expect(await status(jobId)).toMatchObject({ status: 'processing', message: 'Waiting to start' });
  await runJob(jobId);
  expect(await status(jobId)).toMatchObject({ status: 'completed', imported: 3001 });
  expect(await db.selectFrom('domains').select('source').distinct().execute()).toEqual([{ source: ['Given'] }]);
  expect(await files()).toEqual([]);
});

test('an import that loses its database connection can be run again', async () => {
  const jobId = await send(`domain,source\n${names(0, 300)}z-held.example,One\n`);
  const release = await lockHeldName();
  const done = expect(runJob(jobId)).rejects.toThrow();
  await waitForBlockedMerge();
  for (const pid of await listBlockedMerges()) await sql`select pg_terminate_backend(${pid})`.execute(db);
  await done;
  await release();
  expect(await countListed()).toBe(0);
  await runJob(jobId);
  expect(await status(jobId)).toMatchObject({ status: 'completed', imported: 301 });
});

test('a database error fails the import with a sentence and leaves nothing behind', async () => {
  await sql`alter table domains add constraint no_monsters check (name <> 'monster.example')`.execute(db);
  const jobId = await send(`domain,source\n${names(0, 100)}monster.example,One\n`);
  await runJob(jobId);
  await sql`alter table domains drop constraint no_monsters`.execute(db);
  expect(await status(jobId)).toMatchObject({
    status: 'failed',
    imported: 0,
    message: 'Something went wrong on our side. Nothing was imported. Please try again.',
  });
  expect([await countListed(), await files()]).toEqual([0, []]);
});

test('an unreadable file is reported in the status and logged as info, not as an error', async () => {
  const lines: { level: number; reason?: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const jobId = await send('neither,of them\n1,2\n');
  await importJob.run({ ...context, log }, { importId: jobId }, new AbortController().signal);
  const { message } = await status(jobId);
  expect(message).toMatch(/^The file needs a header row/);
  expect(lines).toMatchObject([{ level: log.levels.values.info, reason: message }]);
  expect(lines[0]).not.toHaveProperty('err');
});

test('an import fails after too many attempts', async () => {
  const jobId = await send('domain,source\na.example,One\n');
  await db.updateTable('imports').set({ attempts: 5 }).where('id', '=', jobId).execute();
  await runJob(jobId);
  expect(await status(jobId)).toMatchObject({ status: 'failed', imported: 0 });
  expect(await files()).toEqual([]);
});

test.each([
  ['counted', false, 0],
  ['queued while the counts are locked', true, 3000],
])('the names of an import are %s, and searches for them have exact totals', async (_, isLocked, queued) => {
  await compactCounts(context);
  const jobId = await send(`domain,source\n${names(0, 3000)}`);
  const client = await context.pool.connect();
  await client.query('begin');
  if (isLocked) await client.query('select pg_advisory_xact_lock($1)', [locks.counts]);
  await runJob(jobId).finally(async () => {
    await client.query('commit');
    client.release();
  });
  expect((await context.pool.query('select from domain_gram_changes')).rowCount).toBe(queued);
  expect(await countFound('e-29')).toBe(111);
});

async function countFound(search: string): Promise<number> {
  const response = await server.call('GET', `/api/domains?search=${search}`, { as: admin.cookie });
  return response.json().pagination.total;
}

async function send(content: string, fields: Record<string, string> = {}): Promise<string> {
  const response = await uploadImport(server, admin.cookie, content, { fields });
  expect(response.statusCode).toBe(202);
  return response.json().jobId;
}
