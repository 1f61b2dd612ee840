import { expect, it } from 'vitest';
import { maxExportAgeDays } from '#shared/reports/watch.ts';
import { describeEvents, describeWatch, findExcessAge } from './watch.tsx';

it('counts of events are in words, without events that did not happen', () => {
  expect(describeEvents({ listed: 3, raised: 1, lowered: 0, delisted: 1200 })).toBe(
    '3 listed, 1 raised, 1,200 delisted',
  );
  expect(describeEvents({ listed: 0, raised: 0, lowered: 0, delisted: 0 })).toBe('');
});

it('an export is too old from 90 days on', () => {
  const now = Date.parse('2026-11-25T12:00:00Z');
  const dateOf = (days: number) => new Date(now - days * 86_400_000).toISOString();
  expect(findExcessAge(dateOf(maxExportAgeDays - 0.01), now)).toBeUndefined();
  expect(findExcessAge(dateOf(maxExportAgeDays), now)).toBe(90);
  expect(findExcessAge(dateOf(95.9), now)).toBe(95);
});

it('a website without hosts is watched as soon as it has an export', () => {
  const watch = {
    enabled: true,
    digest: 'off',
    hosts: 2,
    unread: { listed: 0, raised: 0, lowered: 0, delisted: 0 },
  } as const;
  expect(describeWatch(watch)).toBe('Watching');
  expect(describeWatch({ ...watch, hosts: 0 })).toBe('Watching starts with the next export');
  expect(describeWatch({ ...watch, hosts: 0, enabled: false })).toBe('Not watched');
});
