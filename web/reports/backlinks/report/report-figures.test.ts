import { expect, test } from 'vitest';
import { compareCounts } from './report-figures.tsx';

test('a number says how it changed since the previous report', () => {
  const date = 'Oct 3, 2026';
  expect(compareCounts(1212, 12, date)).toEqual({
    text: '+1,200',
    sentence: '1,200 more than in the report of Oct 3, 2026',
  });
  expect(compareCounts(0, 3, date)).toEqual({ text: '−3', sentence: '3 fewer than in the report of Oct 3, 2026' });
  expect(compareCounts(3, 3, date)).toEqual({ text: '±0', sentence: 'the same as in the report of Oct 3, 2026' });
});
