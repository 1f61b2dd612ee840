import type { ChildProcess } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { expireHeartbeats, startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { buildHeldName, names } from './held-name.fixtures.ts';
import { importQueue } from './jobs.ts';
import { uploadImport, waitForImport } from './upload.fixtures.ts';

const server = await startTestApp({}, { respondWithinMs: 200 });
const { context } = server;
const { db } = context;
const admin = await server.signUp({ admin: true });
const { lockHeldName, waitForBlockedMerge } = buildHeldName(context);

const children: ChildProcess[] = [];
const startWorker = () => {
  const child = startWorkerProcess(context);
  children.push(child);
  return child;
};
const countListed = async () =>
  (await db.selectFrom('domains').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count;
/** Lists the uploaded files. A killed process leaves its empty folder to the next sweep. */
const files = async () => {
  const entries = await readdir(join(context.config.dataDir, 'uploads'), { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const send = async (content: string): Promise<string> =>
  (await uploadImport(server, admin.cookie, content)).json().jobId;

afterEach(async () => {
  for (const child of children.splice(0)) await stopProcess(child, 'SIGKILL');
  await db.deleteFrom('domains').execute();
});

test('after kill -9 halfway nothing is imported, and another process completes the import', async () => {
  const release = await lockHeldName();
  const child = startWorker();
  const jobId = await send(`domain,source\n${names(0, 3000)}bad name,One\nz-held.example,One\n`);
  await waitForBlockedMerge();
  await stopProcess(child, 'SIGKILL');
  await release();
  expect(await countListed()).toBe(0);
  await expireHeartbeats(context, importQueue.name);
  startWorker();
  const after = await waitForImport(server, admin.cookie, jobId);
  expect(after).toMatchObject({ status: 'completed', imported: 3001, updated: 0, failedCount: 1 });
  expect(after.failures.length).toBe(1);
  expect(await countListed()).toBe(3001);
  await expect.poll(files).toEqual([]);
}, 100_000);

test('a worker that receives SIGTERM returns its import to the queue immediately', async () => {
  const release = await lockHeldName();
  const child = startWorker();
  const jobId = await send(`domain,source\n${names(0, 300)}z-held.example,One\n`);
  await waitForBlockedMerge();
  expect(await stopProcess(child, 'SIGTERM')).toBe(0);
  await release();
  expect(await countListed()).toBe(0);
  startWorker();
  expect(await waitForImport(server, admin.cookie, jobId)).toMatchObject({ status: 'completed', imported: 301 });
  // The worker removes the file after it reports the status. Do not kill it in between.
  await expect.poll(files).toEqual([]);
}, 60_000);
