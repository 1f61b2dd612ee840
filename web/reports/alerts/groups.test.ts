import { expect, it } from 'vitest';
import type { Alert } from '#shared/reports/alerts.ts';
import { countEvents, groupAlerts } from './groups.ts';

const buildAlert = (id: number, change: Partial<Alert>): Alert => ({
  id,
  runId: 7,
  profileId: 1,
  website: 'shop.example',
  domain: `seller-${id}.example`,
  event: 'listed',
  from: null,
  to: 'high',
  backlinks: 1,
  confidence: 'probable',
  sourceCount: 2,
  independentSourceCount: 2,
  at: '2026-11-25T12:00:00.000Z',
  readAt: null,
  decision: null,
  reportId: null,
  ...change,
});

const alerts = [
  buildAlert(1, {}),
  buildAlert(2, { event: 'raised' }),
  buildAlert(3, { profileId: 2 }),
  buildAlert(4, { profileId: 2, runId: 6 }),
  buildAlert(5, { runId: 6 }),
];

it('alerts are grouped by website and run, in the order of the page', () => {
  const groups = groupAlerts(alerts, { page: 0, totalPages: 1 });
  expect(groups.map((group) => group.alerts.map(({ id }) => id))).toEqual([[1, 2], [3], [4], [5]]);
  expect(new Set(groups.map(({ key }) => key)).size).toBe(4);
});

it('the first and the last group of a page may continue on other pages', () => {
  const listPartial = (page: number, totalPages: number) =>
    groupAlerts(alerts, { page, totalPages }).map(({ isPartial }) => isPartial);
  expect(listPartial(0, 1)).toEqual([false, false, false, false]);
  expect(listPartial(0, 2)).toEqual([false, false, false, true]);
  expect(listPartial(1, 3)).toEqual([true, false, false, true]);
  expect(listPartial(2, 3)).toEqual([true, false, false, false]);
});

it('the alerts of each event are counted', () => {
  expect(countEvents(alerts)).toEqual({ listed: 4, raised: 1, lowered: 0, delisted: 0 });
});
