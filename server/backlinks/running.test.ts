import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { analysisKit } from './analyses.fixtures.ts';
import { analysisJob } from './jobs.ts';

const testApp = await startTestApp({}, { worker: true, respondWithinMs: 200 });
const { call, context, signUp } = testApp;
const { list, addSite, owner, upload, analyse, ended, holdBlacklist } = analysisKit(testApp);
await list({ name: 'listed.test', risk: 3 });
const file = 'url\nhttps://listed.test/a\nhttps://fine.test/\n';
const uploads = () => readdir(join(context.config.dataDir, 'uploads'));

/** Uploads while the blacklist is held. @returns the id of the analysis that waits for it */
async function start(person: { cookie: string; site: { id: number } }): Promise<string> {
  const running = async (): Promise<{ analysisId: string }[]> =>
    (await call('GET', '/api/backlinks/analyses', { as: person.cookie })).json();
  const before = (await running()).length;
  answers.push(upload(person.cookie, { profileId: String(person.site.id) }, file));
  await expect.poll(running).toHaveLength(before + 1);
  return (await running())[0]?.analysisId ?? '';
}

const answers: Promise<unknown>[] = [];
afterEach(async () => {
  await Promise.all(answers.splice(0));
  // The worker removes a file after it ends the analysis: the next test would find it.
  await expect.poll(uploads).toEqual([]);
});

async function taskOf(analysisId: string) {
  const row = await context.db
    .selectFrom('analyses')
    .select('file_path')
    .where('id', '=', analysisId)
    .executeTakeFirstOrThrow();
  return { analysisId, filePath: row.file_path };
}

const countReports = async (profileId: number) =>
  (await context.db.selectFrom('reports').select('id').where('profile_id', '=', profileId).execute()).length;

test('what takes longer is answered 202, found again after a reload, and followed to its result', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const response = await upload(person.cookie, { profileId: String(person.site.id) }, file);
  expect(response.statusCode).toBe(202);
  const started = { status: 'processing', result: null, fileName: 'export.csv', profileId: person.site.id };
  expect(response.json()).toMatchObject(started);
  const { analysisId } = response.json();
  const running = (await call('GET', '/api/backlinks/analyses', { as: person.cookie })).json();
  expect(running).toMatchObject([{ ...started, analysisId }]);
  await release();
  const analysis = await ended(person.cookie, analysisId);
  expect(analysis).toMatchObject({
    status: 'completed',
    progress: 100,
    result: { harmfulBacklinks: 1, toxicityPercentage: 50 },
  });
  expect((await call('GET', '/api/backlinks/analyses', { as: person.cookie })).json()).toEqual([]);
});

test('two analyses at once both come to their own result', async () => {
  const [first, second] = [await owner(), await owner()];
  const results = await Promise.all([
    analyse(first.cookie, first.site.id, file),
    analyse(second.cookie, second.site.id, 'url\nhttps://fine.test/\n'),
  ]);
  expect(results.map((result) => result.toxicityPercentage)).toEqual([50, 0]);
});

test('a cancelled analysis stops, leaves neither report nor file, and does not hold up the next', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const [id, waiting] = [await start(person), await start(person)];
  for (const one of [id, waiting]) {
    expect((await call('DELETE', `/api/backlinks/analyses/${one}`, { as: person.cookie })).statusCode).toBe(204);
    expect((await call('DELETE', `/api/backlinks/analyses/${one}`, { as: person.cookie })).statusCode).toBe(204);
  }
  expect(await uploads()).toEqual([]);
  await release();
  expect((await analyse(person.cookie, person.site.id, file)).toxicityPercentage).toBe(50);
  expect(await ended(person.cookie, id)).toMatchObject({ status: 'cancelled', result: null });
  expect(await countReports(person.site.id)).toBe(1);
});

test('an analysis that has ended can not be cancelled', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  await release();
  await ended(person.cookie, id);
  expect((await call('DELETE', `/api/backlinks/analyses/${id}`, { as: person.cookie })).statusCode).toBe(409);
});

test('a job that runs twice at the same time makes one report', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  const again = [1, 2].map(async () => analysisJob.run(context, await taskOf(id), new AbortController().signal));
  await wait(300);
  await release();
  await Promise.all(again);
  expect((await ended(person.cookie, id)).status).toBe('completed');
  await analysisJob.run(context, await taskOf(id), new AbortController().signal);
  expect(await countReports(person.site.id)).toBe(1);
});

test('a job that the process gives back while it stops is taken up again', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  const task = await taskOf(id);
  for (let i = 0; i < 6; i++) {
    const stopping = new AbortController();
    const run = analysisJob.run(context, task, stopping.signal);
    setTimeout(() => stopping.abort(), 20);
    await expect(run).rejects.toThrow();
  }
  expect(await uploads()).toHaveLength(1);
  await release();
  expect((await ended(person.cookie, id)).status).toBe('completed');
});

test('a file that ends its worker again and again is given up', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  await context.db.updateTable('analyses').set({ attempts: 5 }).where('id', '=', id).execute();
  await analysisJob.run(context, await taskOf(id), new AbortController().signal);
  expect(await ended(person.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'Something went wrong on our side. Please try again.',
  });
  await release();
});

test('a profile that is deleted takes its running analysis with it', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  expect((await call('DELETE', `/api/profiles/${person.site.id}`, { as: person.cookie })).statusCode).toBe(204);
  await release();
  expect((await call('GET', `/api/backlinks/analyses/${id}`, { as: person.cookie })).statusCode).toBe(404);
});

test('a sixth analysis at once has to wait', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const ids: string[] = [];
  while (ids.length < 5) ids.push(await start(person));
  const sixth = await upload(person.cookie, { profileId: String(person.site.id) }, file);
  expect([sixth.statusCode, sixth.headers['retry-after']]).toEqual([429, '10']);
  await release();
  for (const id of ids) await ended(person.cookie, id);
});

test('of ten uploads at the same moment five are taken, and nothing of the others stays', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const uploaded = Array.from({ length: 10 }, () => upload(person.cookie, { profileId: String(person.site.id) }, file));
  const statuses = (await Promise.all(uploaded)).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([202, 202, 202, 202, 202, 429, 429, 429, 429, 429]);
  const running: { analysisId: string }[] = (
    await call('GET', '/api/backlinks/analyses', { as: person.cookie })
  ).json();
  expect([running.length, (await uploads()).length]).toEqual([5, 5]);
  await release();
  for (const { analysisId } of running) await ended(person.cookie, analysisId);
});

test('an analysis whose file is gone says so', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  const task = await taskOf(id);
  await rm(task.filePath);
  await analysisJob.run(context, task, new AbortController().signal);
  expect(await ended(person.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'The uploaded file is gone. Please upload it again.',
  });
  await release();
});

test('analyses answer to their owner only', async () => {
  const person = await owner();
  const release = await holdBlacklist();
  const id = await start(person);
  const [other, admin] = [await signUp(), await signUp({ admin: true })];
  await addSite(other.cookie);
  for (const method of ['GET', 'DELETE'] as const) {
    const url = `/api/backlinks/analyses/${id}`;
    expect((await call(method, url)).statusCode).toBe(401);
    expect((await call(method, url, { as: other.cookie })).statusCode).toBe(404);
    expect((await call(method, url, { as: admin.cookie })).statusCode).toBe(404);
  }
  expect((await call('GET', '/api/backlinks/analyses')).statusCode).toBe(401);
  expect((await call('GET', '/api/backlinks/analyses', { as: admin.cookie })).json()).toEqual([]);
  expect((await call('GET', '/api/backlinks/analyses/1', { as: person.cookie })).statusCode).toBe(400);
  await release();
  await ended(person.cookie, id);
});
