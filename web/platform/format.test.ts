import { expect, test } from 'vitest';
import { formatBytes, plural } from './format.ts';

test('counts have thousands separators and the right plural', () => {
  expect(plural(10_000_000, 'domain')).toBe('10,000,000 domains');
  expect(plural(1, 'match', 'matches')).toBe('1 match');
});

test('file sizes use the largest unit that fits', () => {
  expect([1, 1023, 1024, 1536, 10 * 1024 * 1024, 1_073_741_824].map(formatBytes)).toEqual([
    '1 byte',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '10 MB',
    '1 GB',
  ]);
});
