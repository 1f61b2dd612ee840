import { expect, test } from 'vitest';
import { riskUpdateText } from './database-tab.tsx';

test('shows the time and counts of a risk level update', () => {
  const stats = { veryHigh: 3, high: 12, medium: 40, low: 9945 };
  expect(riskUpdateText({ timeTaken: 1.23, stats })).toBe(
    'Done in 1.2s. Very high: 3, high: 12, medium: 40, low: 9,945.',
  );
  expect(riskUpdateText({ timeTaken: 0.02, stats })).toMatch(/^Done in less than 0.1s/);
});
