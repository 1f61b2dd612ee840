import { expect, test } from 'vitest';
import { formatRelative } from './relative-time.ts';

const now = Date.parse('2026-11-03T12:00:00Z');

test('a time is given in the largest unit that fits', () => {
  expect(formatRelative('2026-11-03T18:10:00Z', now)).toBe('in 6 hours');
  expect(formatRelative('2026-11-10T12:00:00Z', now)).toBe('in 7 days');
  expect(formatRelative('2026-11-02T11:00:00Z', now)).toBe('yesterday');
  expect(formatRelative('2026-11-03T11:55:00Z', now)).toBe('5 minutes ago');
  expect(formatRelative('2026-11-03T12:00:40Z', now)).toBe('now');
});
