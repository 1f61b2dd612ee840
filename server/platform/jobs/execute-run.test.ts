import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { executeRun, type Run, type RunKind } from './execute-run.ts';
import { cancelRun, completeRun, toPublicMessage } from './runs.ts';

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
  await executeRun(context, kind, { id, stopping: never }, async ({ onProgress }) => {
    expect(await getRow(id)).toMatchObject({ status: 'running', attempts: 1, imported: 0 });
    onProgress({ progress: 40, message: 'Halfway' });
    await expect.poll(() => getRow(id)).toMatchObject({ status: 'running', progress: 40, message: 'Halfway' });
    await completeRun(db, 'imports', id, { message: 'Done', imported_count: 3 });
  });
  const completed = { status: 'completed', progress: 100, message: 'Done', imported: 3, ended: expect.any(Date) };
  expect(await getRow(id)).toMatchObject(completed);
  await executeRun(context, kind, { id, stopping: never }, fail(new Error('ran again')));
  await expect(completeRun(db, 'imports', id, {})).rejects.toThrow('has already finished');
  expect(await getRow(id)).toMatchObject(completed);
});

test('a run returns to the queue when the process stops, and the attempt does not count', async () => {
  const id = await insertRun(2);
  const stopping = new AbortController();
  const working = executeRun(context, kind, { id, stopping: stopping.signal }, waitForAbort);
  await expect.poll(() => getRow(id)).toMatchObject({ status: 'running', attempts: 3 });
  stopping.abort();
  await expect(working).rejects.toThrow();
  expect(await getRow(id)).toMatchObject({ status: 'queued', attempts: 2, message: 'Queued again', ended: null });
});

test('a transient error returns the run to the queue for a retry, and the attempt does not count', async () => {
  const id = await insertRun(2);
  const lost = Object.assign(new Error('the connection is lost'), { code: '57P01' });
  await expect(executeRun(context, kind, { id, stopping: never }, fail(lost))).rejects.toThrow(
    'the connection is lost',
  );
  const waiting = { status: 'queued', attempts: 2, message: 'Waiting for the database', ended: null };
  expect(await getRow(id)).toMatchObject(waiting);
});

test('a run waits for a database that is unavailable when it starts and when it returns to the queue', async () => {
  const id = await insertRun();
  let failures = 0;
  const failing = db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind !== 'UpdateQueryNode' || failures === 0) return node;
      failures -= 1;
      throw Object.assign(new Error('the database is starting'), { code: '57P03' });
    },
    transformResult: async ({ result }) => result,
  });
  failures = 1;
  const lose = async () => {
    failures = 1;
    throw new Error('Connection terminated unexpectedly');
  };
  await expect(executeRun({ ...context, db: failing }, kind, { id, stopping: never }, lose)).rejects.toThrow(
    'Connection terminated',
  );
  expect(await getRow(id)).toMatchObject({ status: 'queued', attempts: 0, message: 'Waiting for the database' });
  expect(failures).toBe(0);
});

test('a run whose process was killed five times fails', async () => {
  const id = await insertRun(5);
  await executeRun(context, kind, { id, stopping: never }, fail(new Error('ran again')));
  expect(await getRow(id)).toMatchObject({ status: 'failed', message: 'It failed', ended: expect.any(Date) });
});

const space = { spareBytes: 1, isCritical: false, hasDatabase: true };

test('a run waits until the disk has space, and one that frees space does not', async () => {
  const id = await insertRun();
  let now = { ...space, spareBytes: -1 };
  const full = { ...context, files: { ...context.files, readSpace: async () => now } };
  const freeing = await insertRun();
  await executeRun(full, { ...kind, freesSpace: true }, { id: freeing, stopping: never }, () =>
    completeRun(db, 'imports', freeing, {}),
  );
  expect(await getRow(freeing)).toMatchObject({ status: 'completed' });
  const running = executeRun(full, kind, { id, stopping: never }, () =>
    completeRun(db, 'imports', id, { message: 'Done' }),
  );
  const message = 'Waiting for disk space. The server has too little left.';
  await expect.poll(() => getRow(id)).toMatchObject({ status: 'queued', attempts: 0, message });
  now = space;
  await running;
  expect(await getRow(id)).toMatchObject({ status: 'completed', message: 'Done' });
});

test('a run is stopped before the disk is full, and fails with the reason', async () => {
  const id = await insertRun();
  let now = space;
  const filling = { ...context, files: { ...context.files, readSpace: async () => now } };
  await executeRun(filling, kind, { id, stopping: never }, (run) => {
    now = { ...space, isCritical: true };
    return waitForAbort(run).catch(() => run.signal.throwIfAborted());
  });
  const message = 'The server has no disk space left. Please tell the administrator.';
  expect(await getRow(id)).toMatchObject({ status: 'failed', message });
});

test('the message of a run says that it was interrupted once its progress is old', async () => {
  const id = await insertRun();
  const read = () =>
    db.selectFrom('imports').select(toPublicMessage().as('message')).where('id', '=', id).executeTakeFirstOrThrow();
  const set = (seconds: number) =>
    db
      .updateTable('imports')
      .set({ status: 'running', message: 'Writing the domains', progress_at: new Date(Date.now() - seconds * 1000) })
      .where('id', '=', id)
      .execute();
  await set(5);
  expect(await read()).toEqual({ message: 'Writing the domains' });
  await set(15);
  expect(await read()).toEqual({ message: 'Interrupted. Continues in a moment.' });
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
  await executeRun(context, kind, { id, stopping: never }, fail(error));
  expect(await getRow(id)).toMatchObject({ status: 'failed', message, refused, imported: 0, ended: expect.any(Date) });
});

test('cancelling a run in the database aborts its work', async () => {
  const id = await insertRun();
  const working = executeRun(context, kind, { id, stopping: never }, waitForAbort);
  await expect.poll(() => getRow(id)).toMatchObject({ status: 'running' });
  expect(await cancelRun(db, 'imports', id)).toBe(true);
  await working;
  expect(await getRow(id)).toMatchObject({ status: 'cancelled', ended: expect.any(Date) });
  expect(await cancelRun(db, 'imports', id)).toBe(false);
});

test('deleting a run aborts its work', async () => {
  const id = await insertRun();
  const working = executeRun(context, kind, { id, stopping: never }, waitForAbort);
  await db.deleteFrom('imports').where('id', '=', id).execute();
  await working;
});
