import { expect, test } from 'vitest';
import { fileNameOf } from './download.ts';
import { formatBytes } from './format-bytes.ts';

test('the name of a download comes from the header', () => {
  expect(fileNameOf('attachment; filename="harmful-backlinks.csv"')).toBe('harmful-backlinks.csv');
  expect(fileNameOf('attachment; filename="x.csv"; filename*=UTF-8\'\'m%C3%BCller.csv')).toBe('müller.csv');
  expect(fileNameOf('attachment; filename=plain.txt')).toBe('plain.txt');
  expect(fileNameOf(null)).toBeUndefined();
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
