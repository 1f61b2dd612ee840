import { expect, test } from 'vitest';
import { HttpError, unavailable } from '../http/errors.ts';
import { createFairQueue } from './fair-queue.ts';

const limits = { maxRunning: 1, maxRunningPerKey: 1, maxWaiting: 3, maxWaitingPerKey: 3, maxWaitMs: 60_000 };
const buildError = () => unavailable('Busy.', 5);

/** A queue whose only place is taken until `release` is called, and the order in which its tasks ran. */
function startBlocked(options: Partial<typeof limits> = {}) {
  const queue = createFairQueue({ ...limits, buildError, ...options });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const blocking = queue.run({ key: 'blocking' }, () => promise);
  const ran: string[] = [];
  const add = (key: string, name: string, rank = 0) =>
    queue.run({ key, rank }, async () => ran.push(name)).catch((error: unknown) => error);
  return { queue, ran, add, release, blocking };
}

test('keys take turns, so one with many tasks does not delay another', async () => {
  const { ran, add, release } = startBlocked();
  const tasks = [add('busy', 'busy 1'), add('busy', 'busy 2'), add('quiet', 'quiet 1')];
  release();
  await Promise.all(tasks);
  expect(ran).toEqual(['busy 1', 'quiet 1', 'busy 2']);
});

test('tasks of a lower rank run first', async () => {
  const { ran, add, release } = startBlocked();
  const tasks = [add('a', 'suspect', 2), add('b', 'unknown', 1), add('c', 'known', 0)];
  release();
  await Promise.all(tasks);
  expect(ran).toEqual(['known', 'unknown', 'suspect']);
});

test('a key runs at most its number of tasks at a time, while others use the free places', async () => {
  const queue = createFairQueue({ ...limits, maxRunning: 2, buildError });
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const first = queue.run({ key: 'busy' }, () => promise);
  const second = queue.run({ key: 'busy' }, async () => 'second');
  expect(await queue.run({ key: 'quiet' }, async () => 'quiet')).toBe('quiet');
  expect(queue.countWaiting()).toBe(1);
  release();
  await first;
  expect(await second).toBe('second');
});

test('a full queue throws its error, and accepts tasks again after one has finished', async () => {
  const { queue, add, release, blocking } = startBlocked({ maxWaiting: 1 });
  const waiting = add('a', 'a');
  const refusal = await add('b', 'b');
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  release();
  await Promise.all([blocking, waiting]);
  expect(await queue.run({ key: 'b' }, async () => 'b')).toBe('b');
});

test('a key that has reached its number of waiting tasks is refused, others are not', async () => {
  const { add, ran, release } = startBlocked({ maxWaitingPerKey: 1 });
  const waiting = add('busy', 'busy 1');
  expect(await add('busy', 'busy 2')).toBeInstanceOf(HttpError);
  const other = add('quiet', 'quiet');
  release();
  await Promise.all([waiting, other]);
  expect(ran).toEqual(['busy 1', 'quiet']);
});

test('in a full queue, a task of a lower rank takes the place of a waiting one of the highest rank', async () => {
  const { add, ran, release } = startBlocked({ maxWaiting: 2 });
  const suspect = add('a', 'suspect', 2);
  const unknown = add('b', 'unknown', 1);
  const known = add('c', 'known', 0);
  expect(await suspect).toBeInstanceOf(HttpError);
  expect(await add('d', 'late suspect', 2)).toBeInstanceOf(HttpError);
  release();
  await Promise.all([unknown, known]);
  expect(ran).toEqual(['known', 'unknown']);
});

test('a task that has waited too long is refused', async () => {
  const { queue, add, ran, release } = startBlocked({ maxWaitMs: 10 });
  expect(await add('a', 'a')).toBeInstanceOf(HttpError);
  expect(queue.countWaiting()).toBe(0);
  release();
  expect([ran, await queue.run({ key: 'a' }, async () => 'next')]).toEqual([[], 'next']);
});

test('a task that fails frees its place', async () => {
  const queue = createFairQueue({ ...limits, buildError });
  await expect(queue.run({ key: 'a' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run({ key: 'a' }, async () => 'next')).toBe('next');
});

test('a task whose client has disconnected does not run', async () => {
  const { queue, ran, release } = startBlocked();
  const client = new AbortController();
  const waiting = queue.run({ key: 'a', signal: client.signal }, async () => ran.push('a'));
  client.abort();
  release();
  await expect(waiting).rejects.toThrow('aborted');
  expect([ran, await queue.run({ key: 'a' }, async () => 'next')]).toEqual([[], 'next']);
});
