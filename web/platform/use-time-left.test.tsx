// @vitest-environment happy-dom

import { renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { formatTimeLeft, useTimeLeft } from './use-time-left.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('the time left follows from the speed so far, and is unknown at first', () => {
  expect(formatTimeLeft(0, 50, 2000)).toBeUndefined();
  expect(formatTimeLeft(0, 3, 60_000)).toBeUndefined();
  expect(formatTimeLeft(0, 50, 4000)).toBe('a few seconds left');
  expect(formatTimeLeft(20, 60, 30_000)).toBe('about 30 seconds left');
  expect(formatTimeLeft(0, 10, 7000)).toBe('about 1 minute left');
  expect(formatTimeLeft(0, 25, 40_000)).toBe('about 2 minutes left');
  expect(formatTimeLeft(0, 50, 7_200_000)).toBe('about 2 hours left');
  expect(formatTimeLeft(0, 100, 60_000)).toBeUndefined();
});

test('each phase has a speed of its own', () => {
  const { result, rerender } = renderHook((phase) => useTimeLeft(phase), {
    initialProps: { name: 'Uploading', percent: 0 },
  });
  const advance = (ms: number, name: string, percent: number) => {
    vi.advanceTimersByTime(ms);
    rerender({ name, percent });
    return result.current;
  };
  expect(advance(60_000, 'Uploading', 50)).toBe('about 1 minute left');
  expect(advance(60_000, 'Analyzing', 0)).toBeUndefined();
  expect(advance(4000, 'Analyzing', 10)).toBe('about 40 seconds left');
});
