import { expect, test } from 'vitest';
import { formatBytes, plural } from './format.ts';

test('ten million are counted with commas', () => {
  expect(plural(10_000_000, 'domain')).toBe('10,000,000 domains');
  expect(plural(1, 'match', 'matches')).toBe('1 match');
});

test('a size is told in the unit that suits it', () => {
  expect([1, 1023, 1024, 1536, 10 * 1024 * 1024, 1_073_741_824].map(formatBytes)).toEqual([
    '1 byte',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '10 MB',
    '1 GB',
  ]);
});
