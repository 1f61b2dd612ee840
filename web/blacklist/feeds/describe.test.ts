import { expect, test } from 'vitest';
import {
  describeInterval,
  describeResult,
  describeReview,
  formatChange,
  formatNext,
  getChangeShares,
  listIntervals,
  listRejected,
  summarizeFeeds,
} from './describe.ts';

const feed = (state: 'ok' | 'failing' | 'review' | 'disabled', domains: number, kind: 'block' | 'allow' = 'block') => ({
  state,
  domains,
  kind,
});

test('the summary counts the feeds, those that need attention, and the domains', () => {
  expect(summarizeFeeds([feed('ok', 1)])).toBe('1 feed, 1 domain');
  expect(
    summarizeFeeds([
      feed('ok', 42_000),
      feed('failing', 1210),
      feed('review', 0),
      feed('disabled', 0),
      feed('ok', 500, 'allow'),
    ]),
  ).toBe('5 feeds, 1 failing, 1 needs review, 1 paused, 43,210 domains, 500 protected sites');
});

test('the bars of a change are parts of the whole list, and small changes are visible', () => {
  expect(getChangeShares({ added: 0, removed: 0 }, 0)).toEqual({ added: 0, removed: 0 });
  expect(getChangeShares({ added: 100, removed: 25 }, 100)).toEqual({ added: 1, removed: 0.5 });
  expect(getChangeShares({ added: 12, removed: 0 }, 12_000).added).toBeGreaterThan(0.03);
});

test('a bar never exceeds its half, even if more domains were removed than remain', () => {
  expect(getChangeShares({ added: 0, removed: 900 }, 100).removed).toBe(1);
});

test('a change is written with a plus and a minus sign', () => {
  expect(formatChange({ added: 1200, removed: 3 })).toBe('+1,200 −3');
});

test('a copy in review says which share of the last good copy it would remove', () => {
  expect(describeReview({ removed: 1200, unchanged: 2485 })).toBe(
    'This copy would remove 1,200 of 3,685 domains (33%). Nothing was changed.',
  );
});

test('the result of a run is one sentence', () => {
  const run = {
    id: 1,
    startedAt: '2026-11-03T12:00:00Z',
    finishedAt: null,
    status: 'updated' as const,
    added: 1,
    removed: 0,
    unchanged: 0,
    held: 0,
    rejected: {},
    isReplaced: false,
    bytes: null,
    error: null,
    progress: 100,
    message: '',
  };
  expect(describeResult(run)).toBe('Added 1 domain, removed 0.');
  expect(describeResult({ ...run, status: 'failed', error: 'The list is empty.' })).toBe('The list is empty.');
  expect(describeResult({ ...run, status: 'review', removed: 40 })).toBe('The new copy would remove 40 domains.');
});

test('an interval that is not offered is kept and described', () => {
  expect(listIntervals(24)).toEqual([24, 72, 168, 336, 744]);
  expect(listIntervals(48)).toEqual([24, 48, 72, 168, 336, 744]);
  expect([168, 48, 30].map(describeInterval)).toEqual(['Every week', 'Every 2 days', 'Every 30 hours']);
});

test('a run that is due starts soon', () => {
  const now = Date.parse('2026-11-03T12:00:00Z');
  expect(formatNext('2026-11-03T11:00:00Z', now)).toBe('soon');
  expect(formatNext('2026-11-03T18:00:00Z', now)).toBe('in 6 hours');
});

test('rejected lines are listed by reason, without reasons that did not occur', () => {
  const rejected = listRejected({ invalid: 2, path: 204, ip: 0 });
  expect(rejected.map(({ name, count }) => [name, count])).toEqual([
    ['Single pages', 204],
    ['Invalid lines', 2],
  ]);
});
