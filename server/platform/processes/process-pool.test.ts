import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { isRunning } from './is-running.fixtures.ts';
import type * as functions from './process-functions.fixtures.ts';
import { createProcessPool } from './process-pool.ts';

const { context } = await startTestApp();
const processes = createProcessPool(context);
afterAll(processes.close);
const module = new URL('./process-functions.fixtures.ts', import.meta.url);
const never = new AbortController().signal;

function run<Name extends keyof typeof functions>(
  name: Name,
  task: Parameters<(typeof functions)[Name]>[1],
  { key = 'account:1', signal = never } = {},
) {
  return processes.runInTurn<(typeof functions)[Name]>({ key, signal }, { module, name }, task);
}

test('a process is used again, also after a refusal, and a function of another account runs beside it', async () => {
  const first = await run('getProcessId', undefined);
  await expect(run('refuseRequest', undefined)).rejects.toMatchObject({ status: 404 });
  expect(await run('getProcessId', undefined)).toBe(first);
  const asleep = new AbortController();
  const sleeping = run('sleep', undefined, { signal: asleep.signal });
  const other = await run('getProcessId', undefined, { key: 'account:2' });
  expect(other).not.toBe(first);
  asleep.abort(new Error('gone'));
  await expect(sleeping).rejects.toThrow('gone');
  // The process that slept was ended.
  expect(await run('getProcessId', undefined)).toBe(other);
});

test('the functions of an account run one after the other, those of two accounts at the same time', async () => {
  const ended = new AbortController();
  const [one, two] = ['account:1', 'account:2'].map((key) => run('sleep', undefined, { key, signal: ended.signal }));
  let isDone = false;
  const next = run('getProcessId', undefined).finally(() => {
    isDone = true;
  });
  await delay(300);
  expect([isDone, processes.countWaiting()]).toEqual([false, 1]);
  ended.abort(new Error('gone'));
  await expect(Promise.allSettled([one, two])).resolves.toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  expect(await next).toEqual(expect.any(Number));
});

test('a function that needs too much memory is refused with 413, and the next one gets another process', async () => {
  const before = await run('getProcessId', undefined);
  await expect(run('fillMemory', undefined)).rejects.toMatchObject({
    status: 413,
    message: expect.stringContaining('too large to read'),
  });
  expect(await run('getProcessId', undefined)).not.toBe(before);
});

test('a process that was killed while it was idle is replaced', async () => {
  const killed = await run('getProcessId', undefined);
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => isRunning(killed)).toBe(false);
  const next = await run('getProcessId', undefined);
  expect(next).not.toBe(killed);
  expect(await run('getProcessId', undefined)).toBe(next);
});

test('a process that is kept does not keep the results of its functions', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const list = async () => new WeakRef(await run('listNames', undefined));
  const earlier = await list();
  // Node.js keeps the last message of a process.
  await list();
  const isKept = () => {
    collectGarbage();
    return earlier.deref() !== undefined;
  };
  await expect.poll(isKept, { timeout: 3000 }).toBe(false);
});
