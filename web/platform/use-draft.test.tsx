// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { applyDelayMs, useDraft } from './use-draft.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

function renderDraft(start: string) {
  const onApply = vi.fn<(next: string) => void>();
  const view = renderHook(({ current }) => useDraft(current, onApply), { initialProps: { current: start } });
  return { ...view, onApply };
}

test('applies typed text once, after a pause', () => {
  const { result, onApply } = renderDraft('');
  act(() => result.current.change('ca'));
  act(() => vi.advanceTimersByTime(applyDelayMs - 1));
  act(() => result.current.change('casino'));
  act(() => vi.advanceTimersByTime(applyDelayMs - 1));
  expect(onApply).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(1));
  expect(onApply.mock.calls).toEqual([['casino']]);
});

test('applying immediately cancels the delayed change', () => {
  const { result, onApply } = renderDraft('');
  act(() => result.current.change('casino'));
  act(() => result.current.apply());
  act(() => vi.advanceTimersByTime(applyDelayMs));
  expect(onApply.mock.calls).toEqual([['casino']]);
});

test('a value that changes elsewhere replaces the typed text', () => {
  const { result, rerender, onApply } = renderDraft('casino');
  act(() => result.current.change('casinos'));
  rerender({ current: '' });
  act(() => vi.advanceTimersByTime(applyDelayMs));
  expect(result.current.value).toBe('');
  expect(onApply).not.toHaveBeenCalled();
});

test('keeps newer typed text when the applied value is rendered', () => {
  const { result, rerender } = renderDraft('');
  act(() => result.current.change('cas'));
  act(() => vi.advanceTimersByTime(applyDelayMs));
  act(() => result.current.change('casi'));
  rerender({ current: 'cas' });
  expect(result.current.value).toBe('casi');
});
