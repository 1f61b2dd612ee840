import { expect, test } from 'vitest';
import { describeUsage } from './describe-usage.ts';

test('lists what an account stores, with the limits that it has', () => {
  const usage = [
    { kind: 'websites', count: 1, bytes: 500, limit: 500 },
    { kind: 'decisions', count: 1200, bytes: 500, limit: null },
    { kind: 'analyses', count: 1, bytes: 500, limit: null },
  ] as const;
  expect(describeUsage([...usage])).toBe('1 of 500 websites, 1,200 decisions, 1 analysis');
});
