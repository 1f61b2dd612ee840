import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers, sweepUploadsJob } from './sweep-uploads.ts';
import { startTestApp } from './test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;
const folder = join(context.config.dataDir, 'uploads');
const { cookie, id: userId, username } = await signUp();

test('an old upload is removed unless an unfinished import or analysis needs it', async () => {
  const response = await call('POST', '/api/profiles', { as: cookie, body: { domain: `site-${process.pid}.example` } });
  const websiteId: number = response.json().id;
  const file = { file_name: 'list.csv', file_bytes: 1 };
  const insertAnalysis = async (
    status: 'queued' | 'running' | 'waiting' | 'completed' | 'cancelled',
    created_at?: Date,
  ) => {
    const names = ['first file', 'second file'].map((name) => `analysis ${status}, ${name}`);
    const paths = await Promise.all(names.map((name) => store(created_at ? `${name}, a week ago` : name, 48)));
    const files = JSON.stringify(paths.map((path) => ({ path, name: 'list.csv', bytes: 1 })));
    const analysis = { user_id: userId, website_id: websiteId, file_name: 'list.csv', files, status };
    await db
      .insertInto('analyses')
      .values({ ...analysis, ...(created_at && { created_at }) })
      .execute();
  };
  for (const status of ['queued', 'running', 'waiting', 'completed', 'cancelled'] as const)
    await insertAnalysis(status);
  await insertAnalysis('waiting', new Date(Date.now() - 8 * 24 * 3600 * 1000));
  for (const status of ['queued', 'running', 'failed'] as const) {
    const file_path = await store(`import ${status}`, 48);
    await db
      .insertInto('imports')
      .values({ ...file, file_path, added_by: username, status })
      .execute();
  }
  await store('old orphan', 25);
  await mkdir(join(folder, 'old folder'));
  await store('old folder/table', 25);
  await setAge(join(folder, 'old folder'), 25);
  await store('young orphan', 23);
  await sweepUploadsJob.run(context, {}, new AbortController().signal);
  expect((await readdir(folder)).sort()).toEqual([
    'analysis queued, first file',
    'analysis queued, second file',
    'analysis running, first file',
    'analysis running, second file',
    'analysis waiting, first file',
    'analysis waiting, second file',
    'import queued',
    'import running',
    'young orphan',
  ]);
  const failed = await db
    .selectFrom('analyses')
    .select(['refused', 'message'])
    .where('status', '=', 'failed')
    .execute();
  expect(failed).toEqual([
    {
      refused: true,
      message: 'The question about this upload was not answered within 7 days. Upload the file again.',
    },
  ]);
});

test('the start with its own database removes at once what a killed process left, but no upload that can continue', async () => {
  await mkdir(join(folder, 'folder of a killed analysis'));
  await setAge(join(folder, 'folder of a killed analysis'), 1);
  await store('file of a killed upload', 1);
  await store('part of an interrupted upload', 1);
  const parts = JSON.stringify([{ path: 'part of an interrupted upload', fileName: 'a.csv' }]);
  await db
    .insertInto('uploads')
    .values({ user_id: userId, bytes: 1, bytes_left: 0, parts, expires_at: new Date(Date.now() + 600_000) })
    .execute();
  // A request of this process may be writing it.
  await writeFile(join(folder, 'file that arrives'), 'x');
  await removeLeftovers(context);
  const left = await readdir(folder);
  expect(left).toEqual(expect.arrayContaining(['part of an interrupted upload', 'file that arrives']));
  expect(left.filter((name) => name.includes('killed'))).toEqual([]);
});

async function store(name: string, ageInHours: number): Promise<string> {
  await writeFile(join(folder, name), 'x');
  await setAge(join(folder, name), ageInHours);
  return name;
}

async function setAge(path: string, hours: number): Promise<void> {
  const time = Date.now() / 1000 - hours * 3600;
  await utimes(path, time, time);
}
