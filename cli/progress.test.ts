import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProgress } from './progress.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.UTC(2026, 10, 21, 23, 59, 0) });
});
afterEach(() => {
  vi.useRealTimers();
});
/** Advances the clock, which waits check every second. */
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);
const { signal } = new AbortController();

/** Creates a stream and returns the lines that a terminal would show, including the last, unfinished one. */
function createScreen(isTTY: boolean, columns = 80) {
  let text = '';
  const write = (more: string) => {
    text += more;
    return true;
  };
  const stream = { isTTY, columns, write };
  return { stream, lines: () => text.split('\n').map((line) => line.split('\r\x1b[K').at(-1)) };
}

test('a terminal shows a bar with the speed, which does not include waits', async () => {
  const { stream, lines } = createScreen(true);
  const progress = createProgress(stream, false);
  progress.start(5000);
  pass(2);
  progress.advance(1000);
  expect(lines()).toEqual(['█████░░░░░░░░░░░░░░░░░░░ 20% | 1,000 of 5,000 | 500/s, 8 s left']);
  const waiting = progress.wait(3785, 'Too many.', signal);
  expect(lines()).toEqual([
    'Too many. Waiting until 2026-11-22 01:02:07 UTC. Press Ctrl+C to stop.',
    '█████░░░░░░░░░░░░░░░░░░░ 20% | 1,000 of 5,000 | waiting, 1:03:05 left',
  ]);
  pass(3600);
  await expect.poll(() => lines().at(-1), { timeout: 2000 }).toContain('waiting, 3:05 left');
  pass(185);
  await waiting;
  pass(2);
  progress.advance(1000);
  progress.print('Stopping.');
  expect(lines().slice(1)).toEqual(['Stopping.', expect.stringContaining('40% | 2,000 of 5,000 | 500/s, 6 s left')]);
  progress.finish();
  progress.print('Done.');
  expect(lines().slice(1)).toEqual(['Stopping.', 'Done.', '']);
});

test('a bar is never wider than the terminal', () => {
  const { stream, lines } = createScreen(true, 30);
  createProgress(stream, false).start(10);
  expect(lines()).toEqual(['░░░░░░░░░░░░░░░░░░░░░░░░ 0% |']);
});

test('other outputs get a line every ten seconds and one for each wait', async () => {
  const { stream, lines } = createScreen(false);
  const progress = createProgress(stream, false);
  progress.start(5000);
  for (let i = 0; i < 5; i += 1) {
    pass(6);
    progress.advance(1000);
  }
  const stop = new AbortController();
  const waiting = progress.wait(60, 'Too many.', stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow('aborted');
  progress.finish();
  expect(lines()).toEqual([
    '2,000 of 5,000 | 167/s, 18 s left',
    '4,000 of 5,000 | 167/s, 6 s left',
    'Too many. Waiting until 2026-11-22 00:00:30 UTC. Press Ctrl+C to stop.',
    '',
  ]);
});

test.each([true, false])('--quiet prints nothing, but still waits (terminal: %j)', async (isTTY) => {
  const { stream, lines } = createScreen(isTTY);
  const progress = createProgress(stream, true);
  progress.start(2);
  progress.advance(1);
  progress.print('Hello.');
  const waiting = progress.wait(60, 'Too many.', signal);
  expect(await Promise.race([waiting, Promise.resolve('waiting')])).toBe('waiting');
  pass(60);
  await waiting;
  progress.finish();
  expect(lines()).toEqual(['']);
});
