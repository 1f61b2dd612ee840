import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepUploadsJob } from './sweep-uploads.ts';
import { startTestApp } from './test-app.fixtures.ts';

const { call, context, signUp } = await startTestApp();
const { db } = context;
const folder = join(context.config.dataDir, 'uploads');
const { cookie, id: userId, username } = await signUp();

test('an old upload is removed unless an unfinished import or analysis needs it', async () => {
  const response = await call('POST', '/api/profiles', { as: cookie, body: { domain: `site-${process.pid}.example` } });
  const profileId: number = response.json().id;
  const file = { file_name: 'list.csv', file_bytes: 1 };
  for (const status of ['queued', 'running', 'completed', 'cancelled'] as const) {
    const file_path = await store(`analysis ${status}`, 48);
    await db
      .insertInto('analyses')
      .values({ ...file, file_path, user_id: userId, profile_id: profileId, status })
      .execute();
  }
  for (const status of ['queued', 'running', 'failed'] as const) {
    const file_path = await store(`import ${status}`, 48);
    await db
      .insertInto('imports')
      .values({ ...file, file_path, added_by: username, status })
      .execute();
  }
  await store('old orphan', 25);
  await store('young orphan', 23);
  await sweepUploadsJob.run(context, {}, new AbortController().signal);
  expect((await readdir(folder)).sort()).toEqual([
    'analysis queued',
    'analysis running',
    'import queued',
    'import running',
    'young orphan',
  ]);
});

async function store(name: string, ageInHours: number): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, 'x');
  const writtenAt = Date.now() / 1000 - ageInHours * 3600;
  await utimes(path, writtenAt, writtenAt);
  return path;
}
