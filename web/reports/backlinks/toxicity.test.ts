import { expect, test } from 'vitest';
import { buildReport } from './report.fixtures.ts';
import { compareToxicity, formatPercentage, formatToxicity, getTone } from './toxicity.tsx';

test('a percentage has one decimal, or none if it is an integer', () => {
  expect([0, 12, 12.5, 33.333, 99.96, 100].map(formatPercentage)).toEqual([
    '0%',
    '12%',
    '12.5%',
    '33.3%',
    '100%',
    '100%',
  ]);
});

test('a percentage above 0 is never shown as 0%', () => {
  expect(formatPercentage(0.001)).toBe('<0.1%');
  expect(formatPercentage(0.05)).toBe('0.1%');
});

test('the bar is red from 10%, orange from 5% and green below 5%', () => {
  expect([10, 9.99, 5, 4.99, 0].map(getTone)).toEqual(['red', 'orange', 'orange', 'green', 'green']);
});

test('a change is shown in percentage points with its sign', () => {
  const before = buildReport({ toxicityPercentage: 5 });
  expect(compareToxicity(buildReport({ toxicityPercentage: 7.5 }), before)).toEqual({
    direction: 'up',
    text: '+2.5 points',
  });
  expect(compareToxicity(buildReport({ toxicityPercentage: 4 }), before)).toEqual({
    direction: 'down',
    text: '−1 point',
  });
  expect(compareToxicity(buildReport({ toxicityPercentage: 5.04 }), before)).toEqual({
    direction: 'same',
    text: 'No change',
  });
  expect(compareToxicity(before, undefined)).toBeUndefined();
});

test('with fewer than 20 referring domains, counts replace percentages', () => {
  const few = buildReport({ toxicDomains: 2, uniqueDomains: 19, toxicityPercentage: 100 / 9.5 });
  expect(formatToxicity(few)).toBe('2 of 19');
  expect(formatToxicity({ ...few, toxicDomains: 2, uniqueDomains: 20, toxicityPercentage: 10 })).toBe('10%');
  expect(compareToxicity(few, buildReport({ toxicDomains: 5 }))).toEqual({
    direction: 'down',
    text: '−3 toxic domains',
  });
  expect(compareToxicity(buildReport({ toxicDomains: 3 }), few)).toEqual({ direction: 'up', text: '+1 toxic domain' });
  expect(compareToxicity(few, few)).toEqual({ direction: 'same', text: 'No change' });
  // A trend has null for a percentage that would mislead.
  expect(compareToxicity({ ...few, toxicityPercentage: null }, { ...few, toxicDomains: 1 })).toEqual({
    direction: 'up',
    text: '+1 toxic domain',
  });
});
