import { expect, test } from 'vitest';
import { formatShare } from './risk-bar.tsx';

test('a share is a whole percentage, and 0% and 100% are exact', () => {
  expect([0, 0.001, 0.005, 0.123, 0.5, 0.994, 0.996, 1].map(formatShare)).toEqual([
    '0%',
    '<1%',
    '1%',
    '12%',
    '50%',
    '99%',
    '>99%',
    '100%',
  ]);
});
