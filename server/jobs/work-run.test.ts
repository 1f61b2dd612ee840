import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { cancelRun, completeRun } from './runs.ts';
import { type Run, type RunKind, workRun } from './work-run.ts';

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
  const row = { added_by: 'somebody', file_name: 'a.csv', file_path: '/nowhere', file_bytes: 1, imported_count: 7 };
  return (
    await db
      .insertInto('imports')
      .values({ ...row, attempts })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

const rowOf = (id: string) =>
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

/** Work that goes on until it is aborted. */
const untilAborted = ({ signal }: Run) => delay(60_000, undefined, { signal });

test('a run is queued, then running with its progress, then completed, and is not worked again', async () => {
  const id = await insertRun();
  expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 0, ended: null });
  await workRun(context, kind, id, never, async ({ onProgress }) => {
    expect(await rowOf(id)).toMatchObject({ status: 'running', attempts: 1, imported: 0 });
    onProgress({ progress: 40, message: 'Halfway' });
    await expect.poll(() => rowOf(id)).toMatchObject({ status: 'running', progress: 40, message: 'Halfway' });
    await completeRun(db, 'imports', id, { message: 'Done', imported_count: 3 });
  });
  const completed = { status: 'completed', progress: 100, message: 'Done', imported: 3, ended: expect.any(Date) };
  expect(await rowOf(id)).toMatchObject(completed);
  await workRun(context, kind, id, never, fail(new Error('worked again')));
  await expect(completeRun(db, 'imports', id, {})).rejects.toThrow('has ended already');
  expect(await rowOf(id)).toMatchObject(completed);
});

test('a run that the process stops is queued again, and the start does not count', async () => {
  const id = await insertRun(2);
  const stopping = new AbortController();
  const working = workRun(context, kind, id, stopping.signal, untilAborted);
  await expect.poll(() => rowOf(id)).toMatchObject({ status: 'running', attempts: 3 });
  stopping.abort();
  await expect(working).rejects.toThrow();
  expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 2, message: 'Queued again', ended: null });
});

test('a transient error gives the run back and counts as a start; too many starts fail it', async () => {
  const id = await insertRun();
  const lost = Object.assign(new Error('the connection is lost'), { code: '57P01' });
  for (let attempts = 1; attempts <= 5; attempts++) {
    await expect(workRun(context, kind, id, never, fail(lost))).rejects.toThrow('the connection is lost');
    expect(await rowOf(id)).toMatchObject({ status: 'running', attempts });
  }
  await workRun(context, kind, id, never, fail(lost));
  expect(await rowOf(id)).toMatchObject({ status: 'failed', message: 'It failed', ended: expect.any(Date) });
});

test.each([
  [new UnreadableFile('empty', 'The file is empty.'), 'The file is empty.', true],
  [
    Object.assign(new Error('no file'), { code: 'ENOENT' }),
    'The uploaded file is gone. Please upload it again.',
    false,
  ],
  [new Error('a bug'), 'It failed', false],
])('%s fails the run with a message for its owner', async (error, message, refused) => {
  const id = await insertRun();
  await workRun(context, kind, id, never, fail(error));
  expect(await rowOf(id)).toMatchObject({ status: 'failed', message, refused, imported: 0, ended: expect.any(Date) });
});

test('a cancelled run aborts its work, wherever it is cancelled', async () => {
  const id = await insertRun();
  const working = workRun(context, kind, id, never, untilAborted);
  await expect.poll(() => rowOf(id)).toMatchObject({ status: 'running' });
  expect(await cancelRun(db, 'imports', id)).toBe(true);
  await working;
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled', ended: expect.any(Date) });
  expect(await cancelRun(db, 'imports', id)).toBe(false);
});

test('a run that goes away aborts its work', async () => {
  const id = await insertRun();
  const working = workRun(context, kind, id, never, untilAborted);
  await db.deleteFrom('imports').where('id', '=', id).execute();
  await working;
});
