import { expect, test } from 'vitest';
import { sharesDay } from './profile-reports.tsx';
import { reportOf } from './report.fixtures.ts';
import { trendCeiling, trendWords } from './trend-chart.tsx';

const older = reportOf({ id: 1, toxicityPercentage: 12.5, dateCreated: '2026-01-05T12:00:00.000Z' });
const newer = reportOf({ id: 2, toxicityPercentage: 4, dateCreated: '2026-11-03T12:00:00.000Z' });

test('the scale always shows the 10 % line and every value', () => {
  expect(trendCeiling([])).toBe(15);
  expect(trendCeiling([1, 2])).toBe(15);
  expect(trendCeiling([18.9])).toBe(20);
  expect(trendCeiling([47])).toBe(60);
  expect(trendCeiling([99.9])).toBe(100);
});

test('the trend is a sentence for those who do not see the chart', () => {
  expect(trendWords([newer, older])).toBe('It fell from 12.5% on Jan 5, 2026 to 4% on Nov 3, 2026, over 2 reports.');
  expect(
    trendWords([
      { ...older, dateCreated: newer.dateCreated },
      { ...newer, dateCreated: older.dateCreated },
    ]),
  ).toContain('It rose from 4%');
  expect(trendWords([older])).toBe('The only report says 12.5% on Jan 5, 2026.');
  expect(trendWords([])).toBe('There are no reports yet.');
});

test('reports of one day are told apart', () => {
  const sameDay = reportOf({ id: 3, dateCreated: '2026-11-03T13:00:00.000Z' });
  expect(sharesDay([newer, older, sameDay], newer)).toBe(true);
  expect(sharesDay([newer, older], newer)).toBe(false);
});
