import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { executeRun, type Run, type RunKind } from './execute-run.ts';
import { cancelRun, completeRun } from './runs.ts';

const { context } = await startTestApp();
const { db } = context;
const never = new AbortController().signal;
const kind: RunKind = {
  table: 'imports',
  queuedMessage: 'Queued again',
  failedMessage: 'It failed',
  cleared: { imported_count: 0 },
};

async function insertRun(attempts = 0): Promise<string> {
  const row = { added_by: 'someone', file_name: 'a.csv', file_path: '/nowhere', file_bytes: 1, imported_count: 7 };
  return (
    await db
      .insertInto('imports')
      .values({ ...row, attempts })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

const getRow = (id: string) =>
  db
    .selectFrom('imports')
    .select([
      'status',
      'progress',
      'message',
      'refused',
      'attempts',
      'imported_count as imported',
      'finished_at as ended',
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const fail = (error: unknown) => async () => {
  throw error;
};

/** Work that continues until it is aborted. */
const waitForAbort = ({ signal }: Run) => delay(60_000, undefined, { signal });

test('a run is queued, then running with progress, then completed, and does not run again', async () => {
  const id = await insertRun();
  expect(await getRow(id)).toMatchObject({ status: 'queued', attempts: 0, ended: null });
  await executeRun(context, kind, id, never, async ({ onProgress }) => {
    expect(await getRow(id)).toMatchObject({ status: 'running', attempts: 1, imported: 0 });
    onProgress({ progress: 40, message: 'Halfway' });
    await expect.poll(() => getRow(id)).toMatchObject({ status: 'running', progress: 40, message: 'Halfway' });
    await completeRun(db, 'imports', id, { message: 'Done', imported_count: 3 });
  });
  const completed = { status: 'completed', progress: 100, message: 'Done', imported: 3, ended: expect.any(Date) };
  expect(await getRow(id)).toMatchObject(completed);
  await executeRun(context, kind, id, never, fail(new Error('ran again')));
  await expect(completeRun(db, 'imports', id, {})).rejects.toThrow('has already finished');
  expect(await getRow(id)).toMatchObject(completed);
});

test('a run returns to the queue when the process stops, and the attempt does not count', async () => {
  const id = await insertRun(2);
  const stopping = new AbortController();
  const working = executeRun(context, kind, id, stopping.signal, waitForAbort);
  await expect.poll(() => getRow(id)).toMatchObject({ status: 'running', attempts: 3 });
  stopping.abort();
  await expect(working).rejects.toThrow();
  expect(await getRow(id)).toMatchObject({ status: 'queued', attempts: 2, message: 'Queued again', ended: null });
});

test('a transient error rethrows for a retry, and too many attempts fail the run', async () => {
  const id = await insertRun();
  const lost = Object.assign(new Error('the connection is lost'), { code: '57P01' });
  for (let attempts = 1; attempts <= 5; attempts++) {
    await expect(executeRun(context, kind, id, never, fail(lost))).rejects.toThrow('the connection is lost');
    expect(await getRow(id)).toMatchObject({ status: 'running', attempts });
  }
  await executeRun(context, kind, id, never, fail(lost));
  expect(await getRow(id)).toMatchObject({ status: 'failed', message: 'It failed', ended: expect.any(Date) });
});

test.each([
  [new UnreadableFile('empty', 'The file is empty.'), 'The file is empty.', true],
  [
    Object.assign(new Error('no file'), { code: 'ENOENT' }),
    'The uploaded file is gone. Please upload it again.',
    false,
  ],
  [new Error('a bug'), 'It failed', false],
])('%s fails the run with a message for the user', async (error, message, refused) => {
  const id = await insertRun();
  await executeRun(context, kind, id, never, fail(error));
  expect(await getRow(id)).toMatchObject({ status: 'failed', message, refused, imported: 0, ended: expect.any(Date) });
});

test('cancelling a run in the database aborts its work', async () => {
  const id = await insertRun();
  const working = executeRun(context, kind, id, never, waitForAbort);
  await expect.poll(() => getRow(id)).toMatchObject({ status: 'running' });
  expect(await cancelRun(db, 'imports', id)).toBe(true);
  await working;
  expect(await getRow(id)).toMatchObject({ status: 'cancelled', ended: expect.any(Date) });
  expect(await cancelRun(db, 'imports', id)).toBe(false);
});

test('deleting a run aborts its work', async () => {
  const id = await insertRun();
  const working = executeRun(context, kind, id, never, waitForAbort);
  await db.deleteFrom('imports').where('id', '=', id).execute();
  await working;
});
