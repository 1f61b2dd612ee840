import { expect, test } from 'vitest';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { runInThread, type ThreadOptions } from './run-in-thread.ts';
import type * as functions from './thread-functions.fixtures.ts';

const { context } = await startTestApp();
const { pool } = context;
const never = new AbortController().signal;
/** A setting may name the connections: those of threads keep their own name, by which they are ended. */
const named = { ...context, databaseUrl: `${context.databaseUrl}?application_name=named` };

/** The connections of threads: process id and statement. */
async function connections(): Promise<{ pid: number; query: string }[]> {
  const { rows } = await pool.query(
    `select pid, query from pg_stat_activity
     where datname = current_database() and application_name like 'linksieve-thread-%'`,
  );
  return rows;
}

function run<Name extends keyof typeof functions>(
  name: Name,
  task: Parameters<(typeof functions)[Name]>[1],
  options: ThreadOptions<never> = { signal: never },
) {
  const work = { module: new URL('./thread-functions.fixtures.ts', import.meta.url), name };
  return runInThread<(typeof functions)[Name]>(named, work, task, options);
}

const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** Waits until a function sleeps in the database. */
const asleep = () => expect.poll(connections).toMatchObject([{ query: 'select pg_sleep(60)' }]);

test('a function gets its task and connections of its own, and its progress and result come back', async () => {
  const steps: unknown[] = [];
  expect(await run('double', 21, { signal: never, onProgress: (step) => steps.push(step) })).toBe(42);
  expect(steps).toEqual([{ step: 1 }, { step: 2 }]);
  await expect.poll(connections).toEqual([]);
});

test('errors keep their kind', async () => {
  expect(await errorOf(run('divideByZero', undefined))).toMatchObject({ code: '22012', message: 'division by zero' });
  const refusal = await errorOf(run('refuse', undefined));
  expect([isUnreadableFile(refusal), refusal]).toMatchObject([true, { code: 'empty', message: 'The file is empty.' }]);
  const outOfMemory = await errorOf(run('fillMemory', undefined, { signal: never, maxMemoryMb: 32 }));
  expect(outOfMemory).toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(await errorOf(run('exit', undefined))).toMatchObject({
    message: 'The thread ended before its work was done.',
  });
});

test('a connection that the thread loses is a transient error', async () => {
  const running = errorOf(run('addAndSleep', 'lost.test'));
  await asleep();
  for (const { pid } of await connections()) await pool.query('select pg_terminate_backend($1)', [pid]);
  expect(isTransientDbError(await running)).toBe(true);
});

test('an abort ends the thread at once, and what it began in the database', async () => {
  const stopping = new AbortController();
  const running = errorOf(run('addAndSleep', 'aborted.test', { signal: stopping.signal }));
  await asleep();
  stopping.abort(new Error('stopping'));
  expect(await running).toMatchObject({ message: 'stopping' });
  await expect.poll(connections).toEqual([]);
  expect((await pool.query("select from domains where name = 'aborted.test'")).rowCount).toBe(0);
});

test('an abort ends a thread that never waits', async () => {
  const stopping = new AbortController();
  const onProgress = () => stopping.abort(new Error('stopping'));
  expect(await errorOf(run('spin', undefined, { signal: stopping.signal, onProgress }))).toMatchObject({
    message: 'stopping',
  });
  await expect(run('double', 1, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
});
