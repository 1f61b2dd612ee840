// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { settleDelay, useDraft } from './use-draft.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function draftOf(start: string) {
  const onApply = vi.fn<(next: string) => void>();
  const view = renderHook(({ current }) => useDraft(current, onApply), { initialProps: { current: start } });
  return { ...view, onApply };
}

test('what is typed applies once, after a moment without a change', () => {
  const { result, onApply } = draftOf('');
  act(() => result.current.change('ca'));
  act(() => vi.advanceTimersByTime(settleDelay - 1));
  act(() => result.current.change('casino'));
  act(() => vi.advanceTimersByTime(settleDelay - 1));
  expect(onApply).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(1));
  expect(onApply.mock.calls).toEqual([['casino']]);
});

test('applying at once leaves nothing for later', () => {
  const { result, onApply } = draftOf('');
  act(() => result.current.change('casino'));
  act(() => result.current.apply());
  act(() => vi.advanceTimersByTime(settleDelay));
  expect(onApply.mock.calls).toEqual([['casino']]);
});

test('a value that changes elsewhere replaces what was being typed', () => {
  const { result, rerender, onApply } = draftOf('casino');
  act(() => result.current.change('casinos'));
  rerender({ current: '' });
  act(() => vi.advanceTimersByTime(settleDelay));
  expect(result.current.value).toBe('');
  expect(onApply).not.toHaveBeenCalled();
});

test('typing goes on while the applied value comes back', () => {
  const { result, rerender } = draftOf('');
  act(() => result.current.change('cas'));
  act(() => vi.advanceTimersByTime(settleDelay));
  act(() => result.current.change('casi'));
  rerender({ current: 'cas' });
  expect(result.current.value).toBe('casi');
});
