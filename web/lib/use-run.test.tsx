// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Run, useRun, whileRunning } from './use-run.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

interface Job extends Run {
  id: string;
}

const jobOf = (id: string, status: Run['status']): Job => ({ id, status, progress: 40, message: '' });

/** Watches the run that `state.current` says, asked for every 2 seconds. */
function watch(state: { current: Job }, expected?: string) {
  const client = new QueryClient();
  const ask = vi.fn(async () => state.current);
  const onFinished = vi.fn<(run: Job) => void>();
  const view = renderHook(
    (id: string) =>
      useRun(queryOptions({ queryKey: [id], queryFn: ask, refetchInterval: whileRunning(2000) }), {
        idOf: (run: Job) => run.id,
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
  return { ...view, ask, onFinished, pass: (time: number) => act(() => vi.advanceTimersByTimeAsync(time)) };
}

test('a run is asked for until it is over, and its end is told once', async () => {
  const state = { current: jobOf('a', 'processing') };
  const { ask, onFinished, pass, rerender } = watch(state);
  await pass(2100);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(onFinished).not.toHaveBeenCalled();
  state.current = jobOf('a', 'failed');
  await pass(2000);
  rerender('a');
  await pass(60_000);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(onFinished.mock.calls).toEqual([[jobOf('a', 'failed')]]);
});

test('a run that was over before is no news, unless it is expected', async () => {
  const old = watch({ current: jobOf('a', 'completed') });
  await old.pass(100);
  expect(old.onFinished).not.toHaveBeenCalled();
  const state = { current: jobOf('a', 'completed') };
  const expected = watch(state, 'a');
  await expected.pass(100);
  for (const id of ['b', 'a']) {
    state.current = jobOf(id, 'completed');
    expected.rerender(id);
    await expected.pass(100);
  }
  expect(expected.onFinished.mock.calls).toEqual([[jobOf('a', 'completed')]]);
});

test('the end of one run is no news of another', async () => {
  const state = { current: jobOf('a', 'processing') };
  const { onFinished, pass, rerender } = watch(state);
  await pass(100);
  state.current = jobOf('b', 'completed');
  rerender('b');
  await pass(100);
  expect(onFinished).not.toHaveBeenCalled();
});
