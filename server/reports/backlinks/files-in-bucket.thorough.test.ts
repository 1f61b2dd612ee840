import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startStorage } from '../../platform/files/bucket.fixtures.ts';
import { openConfiguredFiles } from '../../start.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { expireHeartbeats, startWorkerProcess, stopProcess } from '../../worker-process.fixtures.ts';
import { buildAnalysisCalls } from './analyses.fixtures.ts';
import { analysisJob } from './jobs.ts';

/** The web process. Workers are on other machines: they have other data folders. */
const storage = await startStorage();
const web = await startTestApp(storage.settings);
const { call, context } = web;
const { createDomains, createOwner, upload, waitForAnalysis } = buildAnalysisCalls(web);
await createDomains({ name: 'listed.test', risk: 3 });
const file = 'url\nhttps://listed.test/a\nhttps://fine.test/\n';
const machines: string[] = [];
const createMachine = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-machine-'));
  machines.push(folder);
  return folder;
};
afterEach(() => storage.cause('none'));
afterAll(async () => {
  await storage.stop();
  for (const folder of machines) await rm(folder, { recursive: true, force: true });
});

const copiesOf = (folder: string) => readdir(join(folder, 'copies'));
const start = async (user: { cookie: string; site: { id: number } }): Promise<string> => {
  const response = await upload(user.cookie, { profileId: String(user.site.id) }, file);
  expect([response.statusCode, response.body]).toEqual([202, response.body]);
  return response.json().analysisId;
};
const readRow = (id: string) =>
  context.db
    .selectFrom('analyses')
    .select(['status', 'message', 'attempts', 'files'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Runs an analysis as a worker of another machine does. */
async function analyzeElsewhere(id: string, signal = new AbortController().signal): Promise<string> {
  const dataDir = await createMachine();
  const files = await openConfiguredFiles({ ...context.config, dataDir }, context.log, { isTried: false });
  try {
    const filePaths = (await readRow(id)).files.map(({ path }) => path);
    await analysisJob.run({ ...context, files }, { analysisId: id, filePaths }, signal);
  } finally {
    await files.close();
  }
  return dataDir;
}

test('a worker that is killed while it downloads an export is replaced by one on another machine', async () => {
  const user = await createOwner();
  const id = await start(user);
  const [first, second] = [await createMachine(), await createMachine()];
  const path = (await readRow(id)).files[0]?.path ?? 'none';
  const downloading = Promise.withResolvers<void>();
  storage.cause(({ method, url }) => {
    // Not the trial of the start.
    if (method !== 'GET' || !url?.includes(path)) return 'none';
    downloading.resolve();
    return 'stall-response';
  });
  const killed = startWorkerProcess(context, { ...storage.settings, DATA_DIR: first });
  await downloading.promise;
  await stopProcess(killed, 'SIGKILL');
  storage.cause('none');
  const worker = startWorkerProcess(context, { ...storage.settings, DATA_DIR: second });
  await expireHeartbeats(context, 'small-analyses');
  const analysis = await waitForAnalysis(user.cookie, id);
  expect(analysis).toMatchObject({ status: 'completed', result: { totalDomains: 2, toxicDomains: 1 } });
  await expect.poll(() => storage.list(), { timeout: 10_000 }).toEqual([]);
  expect(await copiesOf(second)).toEqual([]);
  await stopProcess(worker, 'SIGTERM');
}, 120_000);

test('while the storage is down, an analysis waits without using up an attempt, and says why', async () => {
  const user = await createOwner();
  const id = await start(user);
  storage.cause(503);
  const running = analyzeElsewhere(id);
  await expect
    .poll(() => readRow(id), { timeout: 30_000 })
    .toMatchObject({ status: 'queued', message: 'Waiting for the file storage', attempts: 0 });
  storage.cause('none');
  await running;
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({ status: 'completed' });
  expect(await readRow(id)).toMatchObject({ attempts: 1 });
  expect(await storage.list()).toEqual([]);
}, 60_000);

test('an analysis that waits for the storage ends when it is cancelled', async () => {
  const user = await createOwner();
  const id = await start(user);
  storage.cause(403);
  const running = analyzeElsewhere(id);
  await expect.poll(() => readRow(id), { timeout: 30_000 }).toMatchObject({ message: 'Waiting for the file storage' });
  expect((await call('DELETE', `/api/backlinks/analyses/${id}`, { as: user.cookie })).statusCode).toBe(204);
  await running;
  expect(await readRow(id)).toMatchObject({ status: 'cancelled' });
}, 60_000);

test('an analysis whose file is missing from the storage fails with a message', async () => {
  const user = await createOwner();
  const id = await start(user);
  for (const { path } of (await readRow(id)).files) await context.files.remove(path);
  await analyzeElsewhere(id);
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'The uploaded file is gone. Please upload it again.',
  });
});

test('a disavow file is merged after this machine has removed its copy', async () => {
  const user = await createOwner();
  const body = { profileId: String(user.site.id), ask: '1' };
  const { analysisId } = (await upload(user.cookie, body, 'domain:listed.test\n', 'disavow.txt')).json();
  await analyzeElsewhere(analysisId);
  const { dataDir } = context.config;
  for (const name of await copiesOf(dataDir)) await rm(join(dataDir, 'copies', name), { recursive: true });
  const url = `/api/backlinks/analyses/${analysisId}/answer`;
  const response = await call('POST', url, { as: user.cookie, body: { merge: true } });
  expect([response.statusCode, response.json().status]).toEqual([202, 'cancelled']);
  const merged = await call('GET', `/api/profiles/${user.site.id}/disavow-files`, { as: user.cookie });
  expect(merged.json()).toMatchObject([{ fileName: 'disavow.txt' }]);
});

test('an analysis of a damaged file fails with a message', async () => {
  const user = await createOwner();
  const id = await start(user);
  storage.cause('damage-response');
  const dataDir = await analyzeElsewhere(id);
  expect(await waitForAnalysis(user.cookie, id)).toMatchObject({
    status: 'failed',
    message: 'The stored file is damaged. Please upload it again.',
  });
  expect(await copiesOf(dataDir)).toEqual([]);
});

test('an upload that the storage refuses returns 503 with Retry-After, leaves nothing, and is counted', async () => {
  const user = await createOwner();
  const stored = await storage.list();
  storage.cause(503);
  const refused = await upload(user.cookie, { profileId: String(user.site.id) }, file);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().error]).toEqual([
    503,
    '10',
    'The file storage is not available right now. Please try again in a moment.',
  ]);
  expect((await call('GET', '/api/backlinks/analyses', { as: user.cookie })).json()).toEqual([]);
  expect((await call('GET', '/readyz')).statusCode).toBe(200);
  expect((await call('GET', '/metrics')).body).toMatch(/^linksieve_file_storage_errors\{operation="upload"\} 3$/m);
  storage.cause('none');
  expect(await storage.list()).toEqual(stored);
  await start(user);
}, 60_000);

test('a preview does not use the storage', async () => {
  const user = await createOwner();
  const before = storage.requests.length;
  const form = new FormData();
  form.set('backlinkFile', new Blob([file]), 'export.csv');
  const request = new Response(form);
  const contentType = request.headers.get('content-type') ?? '';
  const response = await call('POST', '/api/backlinks/preview', {
    as: user.cookie,
    headers: { 'content-type': contentType },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect(response.statusCode).toBe(200);
  expect(storage.requests.length).toBe(before);
});
