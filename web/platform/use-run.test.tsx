// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { pollWhileRunning, type Run, useRun } from './use-run.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

interface Job extends Run {
  id: string;
}

const buildJob = (id: string, status: Run['status']): Job => ({ id, status, progress: 40, message: '' });

/** Watches the run in `state.current`, polled every 2 seconds. */
function watch(state: { current: Job }, expected?: string) {
  const client = new QueryClient();
  const fetchJob = vi.fn(async () => state.current);
  const onFinished = vi.fn<(run: Job) => void>();
  const view = renderHook(
    (id: string) =>
      useRun(queryOptions({ queryKey: [id], queryFn: fetchJob, refetchInterval: pollWhileRunning(2000) }), {
        getId: (run: Job) => run.id,
        expected,
        onFinished,
      }),
    {
      initialProps: state.current.id,
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  return { ...view, fetchJob, onFinished, advance: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)) };
}

test('polls a run until it ends and reports the end once', async () => {
  const state = { current: buildJob('a', 'processing') };
  const { fetchJob, onFinished, advance, rerender } = watch(state);
  await advance(2100);
  expect(fetchJob).toHaveBeenCalledTimes(2);
  expect(onFinished).not.toHaveBeenCalled();
  state.current = buildJob('a', 'failed');
  await advance(2000);
  rerender('a');
  await advance(60_000);
  expect(fetchJob).toHaveBeenCalledTimes(3);
  expect(onFinished.mock.calls).toEqual([[buildJob('a', 'failed')]]);
});

test('does not report a run that had already ended, unless it is expected', async () => {
  const old = watch({ current: buildJob('a', 'completed') });
  await old.advance(100);
  expect(old.onFinished).not.toHaveBeenCalled();
  const state = { current: buildJob('a', 'completed') };
  const expected = watch(state, 'a');
  await expected.advance(100);
  for (const id of ['b', 'a']) {
    state.current = buildJob(id, 'completed');
    expected.rerender(id);
    await expected.advance(100);
  }
  expect(expected.onFinished.mock.calls).toEqual([[buildJob('a', 'completed')]]);
});

test('does not report the end of a run that it never saw running', async () => {
  const state = { current: buildJob('a', 'processing') };
  const { onFinished, advance, rerender } = watch(state);
  await advance(100);
  state.current = buildJob('b', 'completed');
  rerender('b');
  await advance(100);
  expect(onFinished).not.toHaveBeenCalled();
});
