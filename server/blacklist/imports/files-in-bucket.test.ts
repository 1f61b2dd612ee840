import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startStorage } from '../../platform/files/bucket.fixtures.ts';
import { openConfiguredFiles } from '../../start.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { importJob } from './jobs.ts';

const storage = await startStorage();
const { call, context, signUp } = await startTestApp(storage.settings);
const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-machine-'));
const files = await openConfiguredFiles({ ...context.config, dataDir }, context.log, { isTried: false });
afterAll(async () => {
  await files.close();
  await storage.stop();
  await rm(dataDir, { recursive: true });
});

test('a worker on another machine imports an upload from the bucket, and removes it', async () => {
  const { cookie } = await signUp({ admin: true });
  const form = new FormData();
  form.set('file', new Blob(['domain,source\nlisted.test,fiverr\n']), 'list.csv');
  const request = new Response(form);
  const response = await call('POST', '/api/domains/upload', {
    as: cookie,
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect(response.statusCode).toBe(202);
  expect(await storage.list()).toHaveLength(1);
  const importId: string = response.json().jobId;
  await importJob.run({ ...context, files }, { importId }, new AbortController().signal);
  const status = await call('GET', `/api/domains/import-status/${importId}`, { as: cookie });
  expect(status.json()).toMatchObject({ status: 'completed', imported: 1 });
  expect([await storage.list(), await readdir(join(dataDir, 'copies'))]).toEqual([[], []]);
});
