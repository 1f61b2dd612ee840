import { expect, test } from 'vitest';
import { formatBacklinks, formatSkippedRows, formatSkippedTotal } from './upload-details.tsx';

test('skipped rows are described by count, reason and first line numbers', () => {
  expect(formatSkippedRows({ reason: 'empty', count: 1, lines: [295] })).toBe('1 empty row (line 295)');
  expect(formatSkippedRows({ reason: 'malformed row', count: 2, lines: [4, 1200] })).toBe(
    '2 malformed rows (lines 4 and 1,200)',
  );
  expect(formatSkippedRows({ reason: 'own site', count: 1204, lines: [3, 8, 9] })).toBe(
    '1,204 links from your own website (lines 3, 8, 9 and more)',
  );
  expect(formatSkippedRows({ reason: 'not an address', count: 5, lines: [] })).toBe('5 rows without a URL or domain');
});

test('links that another file has too are counted apart', () => {
  expect(formatBacklinks(1200, 0)).toBe('1,200');
  expect(formatBacklinks(1200, 30)).toBe('1,200, and 30 that are in another file');
  expect(formatBacklinks(0, 1)).toBe('0, and 1 that is in another file');
});

test('the total includes skipped rows of every reason', () => {
  expect(formatSkippedTotal([])).toBe('No rows were skipped');
  expect(formatSkippedTotal([{ reason: 'empty', count: 1, lines: [2] }])).toBe('1 row was skipped');
  expect(
    formatSkippedTotal([
      { reason: 'empty', count: 1000, lines: [] },
      { reason: 'own site', count: 207, lines: [] },
    ]),
  ).toBe('1,207 rows were skipped');
});
