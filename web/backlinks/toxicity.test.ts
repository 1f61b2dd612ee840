import { expect, test } from 'vitest';
import { reportOf } from './report.fixtures.ts';
import { deltaOf, formatPercentage, reportBefore, toneOf } from './toxicity.tsx';

test('a percentage has one decimal, or none when it is whole', () => {
  expect([0, 12, 12.5, 33.333, 99.96, 100].map(formatPercentage)).toEqual([
    '0%',
    '12%',
    '12.5%',
    '33.3%',
    '100%',
    '100%',
  ]);
});

test('a share that is there never reads as nothing', () => {
  expect(formatPercentage(0.001)).toBe('<0.1%');
  expect(formatPercentage(0.05)).toBe('0.1%');
});

test('the bar is red from 10 %, orange from 5 %, green below', () => {
  expect([10, 9.99, 5, 4.99, 0].map(toneOf)).toEqual(['red', 'orange', 'orange', 'green', 'green']);
});

test('a change is told in percentage points with its sign', () => {
  const before = reportOf({ toxicityPercentage: 5 });
  expect(deltaOf(reportOf({ toxicityPercentage: 7.5 }), before)).toEqual({ direction: 'up', text: '+2.5 points' });
  expect(deltaOf(reportOf({ toxicityPercentage: 4 }), before)).toEqual({ direction: 'down', text: '−1 point' });
  expect(deltaOf(reportOf({ toxicityPercentage: 5.04 }), before)).toEqual({ direction: 'same', text: 'No change' });
  expect(deltaOf(before, undefined)).toBeUndefined();
});

test('the report before is the next older one', () => {
  const reports = [reportOf({ id: 9 }), reportOf({ id: 4 }), reportOf({ id: 2 })];
  expect(reportBefore(reports, 9)?.id).toBe(4);
  expect(reportBefore(reports, 2)).toBeUndefined();
  expect(reportBefore(reports, 7)).toBeUndefined();
});
