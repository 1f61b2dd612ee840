import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { runHere, runInProcess } from '../../platform/processes/run-in-process.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { buildAnalysisCalls } from './analyses.fixtures.ts';
import { analysisJob, analysisJobs } from './jobs.ts';

const testApp = await startTestApp({}, { work: analysisJobs, respondWithinMs: 200 });
const { call, context, signUp } = testApp;
const { createDomains, createWebsite, createOwner, upload, analyze, waitForAnalysis, lockBlacklist } =
  buildAnalysisCalls(testApp);
await createDomains({ name: 'listed.test', risk: 3 });
const file = 'url\nhttps://listed.test/a\nhttps://fine.test/\n';
const folder = join(context.config.dataDir, 'uploads');
/** The uploaded files, without the folders of running analyses. */
const uploads = async () => (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());

/** Uploads an archive while the blacklist is locked. @returns the id of the blocked analysis */
async function start(user: { cookie: string; site: { id: number } }): Promise<string> {
  const running = async (): Promise<{ analysisId: string }[]> =>
    (await call('GET', '/api/backlinks/analyses', { as: user.cookie })).json();
  const before = (await running()).length;
  responses.push(upload(user.cookie, { profileId: String(user.site.id) }, gzipSync(file), 'export.csv.gz'));
  await expect.poll(running).toHaveLength(before + 1);
  return (await running())[0]?.analysisId ?? '';
}

const responses: Promise<unknown>[] = [];
afterEach(async () => {
  context.runWork = runHere;
  await Promise.all(responses.splice(0));
  // The worker removes the files shortly after it completes the analysis. Otherwise the next test would find them.
  await expect.poll(() => readdir(folder)).toEqual([]);
});

async function readTask(analysisId: string) {
  const row = await context.db
    .selectFrom('analyses')
    .select('files')
    .where('id', '=', analysisId)
    .executeTakeFirstOrThrow();
  return { analysisId, filePaths: row.files.map(({ path }) => path) };
}

const countReports = async (websiteId: number) =>
  (await context.db.selectFrom('reports').select('id').where('website_id', '=', websiteId).execute()).length;

test('a longer analysis returns 202, is listed, and can be polled until its result', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const response = await upload(user.cookie, { profileId: String(user.site.id) }, file);
  expect(response.statusCode).toBe(202);
  const started = { status: 'processing', result: null, fileName: 'export.csv', profileId: user.site.id };
  expect(response.json()).toMatchObject(started);
  const { analysisId } = response.json();
  const running = (await call('GET', '/api/backlinks/analyses', { as: user.cookie })).json();
  expect(running).toMatchObject([{ ...started, analysisId }]);
  await release();
  const analysis = await waitForAnalysis(user.cookie, analysisId);
  expect(analysis).toMatchObject({
    status: 'completed',
    progress: 100,
    result: { harmfulBacklinks: 1, toxicityPercentage: 50 },
  });
  expect((await call('GET', '/api/backlinks/analyses', { as: user.cookie })).json()).toEqual([]);
});

test('two concurrent analyses each get their own result', async () => {
  const [first, second] = [await createOwner(), await createOwner()];
  const results = await Promise.all([
    analyze(first.cookie, first.site.id, file),
    analyze(second.cookie, second.site.id, 'url\nhttps://fine.test/\n'),
  ]);
  expect(results.map((result) => result.toxicityPercentage)).toEqual([50, 0]);
});

test('a cancelled analysis stops, leaves neither report nor file, and does not block the next one', async () => {
  context.runWork = runInProcess;
  const user = await createOwner();
  const release = await lockBlacklist();
  const [id, waiting] = [await start(user), await start(user)];
  for (const one of [id, waiting]) {
    expect((await call('DELETE', `/api/backlinks/analyses/${one}`, { as: user.cookie })).statusCode).toBe(204);
    expect((await call('DELETE', `/api/backlinks/analyses/${one}`, { as: user.cookie })).statusCode).toBe(204);
  }
  await expect.poll(() => readdir(folder)).toEqual([]);
  await release();
  expect((await analyze(user.cookie, user.site.id, file)).toxicityPercentage).toBe(50);
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({ status: 'cancelled', result: null });
  expect(await countReports(user.site.id)).toBe(1);
});

test('a finished analysis cannot be cancelled', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  await release();
  await waitForAnalysis(user.cookie, id);
  expect((await call('DELETE', `/api/backlinks/analyses/${id}`, { as: user.cookie })).statusCode).toBe(409);
});

test('a job that runs twice at the same time creates one report', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  const again = [1, 2].map(async () => analysisJob.run(context, await readTask(id), new AbortController().signal));
  await wait(300);
  await release();
  await Promise.all(again);
  expect((await waitForAnalysis(user.cookie, id)).status).toBe('completed');
  await analysisJob.run(context, await readTask(id), new AbortController().signal);
  expect(await countReports(user.site.id)).toBe(1);
});

test('a job that a stopping process returns to the queue is run again', async () => {
  context.runWork = runInProcess;
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  const task = await readTask(id);
  for (let i = 0; i < 6; i++) {
    const stopping = new AbortController();
    const run = analysisJob.run(context, task, stopping.signal);
    setTimeout(() => stopping.abort(), 20);
    await expect(run).rejects.toThrow();
  }
  expect(await uploads()).toHaveLength(1);
  await release();
  expect((await waitForAnalysis(user.cookie, id)).status).toBe('completed');
});

test('an analysis fails after too many attempts', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  await context.db.updateTable('analyses').set({ attempts: 5 }).where('id', '=', id).execute();
  await analysisJob.run(context, await readTask(id), new AbortController().signal);
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'Something went wrong on our side. Please try again.',
  });
  await release();
});

test('deleting a website deletes its running analysis', async () => {
  context.runWork = runInProcess;
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  expect((await call('DELETE', `/api/profiles/${user.site.id}`, { as: user.cookie })).statusCode).toBe(204);
  await release();
  expect((await call('GET', `/api/backlinks/analyses/${id}`, { as: user.cookie })).statusCode).toBe(404);
});

test('a sixth unfinished analysis returns 429', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const ids: string[] = [];
  while (ids.length < 5) ids.push(await start(user));
  const sixth = await upload(user.cookie, { profileId: String(user.site.id) }, file);
  expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '10']);
  await release();
  for (const id of ids) await waitForAnalysis(user.cookie, id);
});

test('of ten simultaneous uploads five are accepted, and the others leave nothing behind', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const uploaded = Array.from({ length: 10 }, () => upload(user.cookie, { profileId: String(user.site.id) }, file));
  const statuses = (await Promise.all(uploaded)).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([202, 202, 202, 202, 202, 429, 429, 429, 429, 429]);
  const running: { analysisId: string }[] = (await call('GET', '/api/backlinks/analyses', { as: user.cookie })).json();
  expect([running.length, (await uploads()).length]).toEqual([5, 5]);
  await release();
  for (const { analysisId } of running) await waitForAnalysis(user.cookie, analysisId);
});

test('an analysis without its file fails with a message', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  const task = await readTask(id);
  for (const path of task.filePaths) await rm(context.files.locate(path));
  await analysisJob.run(context, task, new AbortController().signal);
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'The uploaded file is gone. Please upload it again.',
  });
  await release();
});

test('only the owner of an analysis can read and cancel it', async () => {
  const user = await createOwner();
  const release = await lockBlacklist();
  const id = await start(user);
  const [other, admin] = [await signUp(), await signUp({ admin: true })];
  await createWebsite(other.cookie);
  for (const method of ['GET', 'DELETE'] as const) {
    const url = `/api/backlinks/analyses/${id}`;
    expect((await call(method, url)).statusCode).toBe(401);
    expect((await call(method, url, { as: other.cookie })).statusCode).toBe(404);
    expect((await call(method, url, { as: admin.cookie })).statusCode).toBe(404);
  }
  expect((await call('GET', '/api/backlinks/analyses')).statusCode).toBe(401);
  expect((await call('GET', '/api/backlinks/analyses', { as: admin.cookie })).json()).toEqual([]);
  expect((await call('GET', '/api/backlinks/analyses/1', { as: user.cookie })).statusCode).toBe(400);
  await release();
  await waitForAnalysis(user.cookie, id);
});
