import { expect, test } from 'vitest';
import { datesIn } from '../../ui/date-text.tsx';
import { buildReport } from './report.fixtures.ts';
import { describeTrend } from './trend-chart.tsx';
import { hasSameDayReport } from './website-reports.tsx';

const dates = datesIn();
const older = buildReport({ id: 1, toxicityPercentage: 12.5, dateCreated: '2026-01-05T12:00:00.000Z' });
const newer = buildReport({ id: 2, toxicityPercentage: 4, dateCreated: '2026-11-03T12:00:00.000Z' });

test('the trend is described in a sentence for screen readers', () => {
  expect(describeTrend([newer, older], dates)).toBe(
    'It fell from 12.5% on Jan 5, 2026 to 4% on Nov 3, 2026, over 2 reports.',
  );
  expect(
    describeTrend(
      [
        { ...older, dateCreated: newer.dateCreated },
        { ...newer, dateCreated: older.dateCreated },
      ],
      dates,
    ),
  ).toContain('It rose from 4%');
  expect(describeTrend([older], dates)).toBe('The only report shows 12.5% on Jan 5, 2026.');
  expect(describeTrend([], dates)).toBe('There are no reports yet.');
});

test('reports on the same day are detected', () => {
  const sameDay = buildReport({ id: 3, dateCreated: '2026-11-03T13:00:00.000Z' });
  expect(hasSameDayReport([newer, older, sameDay], newer, dates)).toBe(true);
  expect(hasSameDayReport([newer, older], newer, dates)).toBe(false);
});
