import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { isUnreadableFile } from '../csv/unreadable-file.ts';
import { isTransientDbError } from '../db/transient-error.ts';
import { HttpError } from '../http/errors.ts';
import { isRunning } from './is-running.fixtures.ts';
import type * as functions from './process-functions.fixtures.ts';
import { OutOfMemory, type ProcessOptions, runInProcess } from './run-in-process.ts';

const { context } = await startTestApp();
const { pool } = context;
const never = new AbortController().signal;
/**
 * DATABASE_URL may set an application name. The processes must still use their own, which is needed to end connections.
 */
const namedContext = { ...context, databaseUrl: `${context.databaseUrl}?application_name=named` };

/** Lists the database connections of processes: process id and query. */
async function listConnections(): Promise<{ pid: number; query: string }[]> {
  const { rows } = await pool.query(
    `select pid, query from pg_stat_activity
     where datname = current_database() and application_name like 'linksieve-process-%'`,
  );
  return rows;
}

function run<Name extends keyof typeof functions>(
  name: Name,
  task: Parameters<(typeof functions)[Name]>[1],
  options: ProcessOptions<never> = { signal: never },
) {
  const work = { module: new URL('./process-functions.fixtures.ts', import.meta.url), name };
  return runInProcess<(typeof functions)[Name]>(namedContext, work, task, options);
}

const getError = (work: Promise<unknown>) => work.catch((error: unknown) => error);

/** Waits until a function in a process runs pg_sleep. */
const waitForSleep = () => expect.poll(listConnections).toMatchObject([{ query: 'select pg_sleep(60)' }]);

test('a function gets its task and separate connections, and returns its progress and result', async () => {
  const steps: unknown[] = [];
  expect(await run('double', 21, { signal: never, onProgress: (step) => steps.push(step) })).toBe(42);
  expect(steps).toEqual([{ step: 1 }, { step: 2 }]);
  await expect.poll(listConnections).toEqual([]);
});

test('a process has a lower priority than requests', async () => {
  const before = getPriority();
  expect(await run('readPriority', undefined)).toBe(Math.max(10, before));
  expect(getPriority()).toBe(before);
});

test('errors keep their name, code and message', async () => {
  expect(await getError(run('divideByZero', undefined))).toMatchObject({ code: '22012', message: 'division by zero' });
  const refusal = await getError(run('refuse', undefined));
  expect([isUnreadableFile(refusal), refusal]).toMatchObject([true, { code: 'empty', message: 'The file is empty.' }]);
  const notFound = await getError(run('refuseRequest', undefined));
  expect(notFound).toBeInstanceOf(HttpError);
  expect(notFound).toMatchObject({ status: 404, code: 'not_found', message: 'There is no list 1.' });
  expect(await getError(run('exit', undefined))).toMatchObject({
    message: expect.stringContaining('The process ended before its work was done (code 3).\nwhat went wrong'),
  });
});

test('a process that exceeds its memory is refused as too large, in the heap and on Linux outside of it', async () => {
  const limited = { signal: never, maxMemoryMb: 32 };
  expect(await getError(run('fillMemory', undefined, limited))).toBeInstanceOf(OutOfMemory);
  if (process.platform !== 'linux') return;
  expect(await getError(run('fillBuffers', undefined, limited))).toBeInstanceOf(OutOfMemory);
  expect(await getError(run('fillBuffersAtOnce', undefined, limited))).toBeInstanceOf(OutOfMemory);
  expect(await getError(run('fillStrings', undefined, limited))).toBeInstanceOf(OutOfMemory);
});

test('a lost connection of the process is a transient error', async () => {
  const running = getError(run('addAndSleep', 'lost.test'));
  await waitForSleep();
  for (const { pid } of await listConnections()) await pool.query('select pg_terminate_backend($1)', [pid]);
  expect(isTransientDbError(await running)).toBe(true);
});

test('an abort ends the process at once and rolls back its transaction', async () => {
  const stopping = new AbortController();
  const running = getError(run('addAndSleep', 'aborted.test', { signal: stopping.signal }));
  await waitForSleep();
  stopping.abort(new Error('stopping'));
  expect(await running).toMatchObject({ message: 'stopping' });
  await expect.poll(listConnections).toEqual([]);
  expect((await pool.query("select from domains where name = 'aborted.test'")).rowCount).toBe(0);
});

test('an abort ends a process in an endless loop, and an aborted signal starts none', async () => {
  const stopping = new AbortController();
  const onProgress = () => stopping.abort(new Error('stopping'));
  expect(await getError(run('spin', undefined, { signal: stopping.signal, onProgress }))).toMatchObject({
    message: 'stopping',
  });
  await expect(run('double', 1, { signal: AbortSignal.abort(new Error('aborted')) })).rejects.toThrow('aborted');
});

test('a process ends when the one that started it is killed', async () => {
  const parent = fork(new URL('./process-parent.fixtures.ts', import.meta.url), [], { execArgv: [] });
  const [pid] = await once(parent, 'message');
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(Number(pid))).toBe(false);
});
