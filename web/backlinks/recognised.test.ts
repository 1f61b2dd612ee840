import { expect, test } from 'vitest';
import { skippedTotalWords, skippedWords } from './recognised.tsx';

test('skipped rows are named by reason, count and first lines', () => {
  expect(skippedWords({ reason: 'empty', count: 1, lines: [295] })).toBe('1 empty row (line 295)');
  expect(skippedWords({ reason: 'malformed row', count: 2, lines: [4, 1200] })).toBe(
    '2 damaged rows (lines 4 and 1,200)',
  );
  expect(skippedWords({ reason: 'own site', count: 1204, lines: [3, 8, 9] })).toBe(
    '1,204 links from your own website (lines 3, 8, 9 and more)',
  );
  expect(skippedWords({ reason: 'not a domain', count: 5, lines: [] })).toBe('5 rows without a website address');
});

test('the total counts every reason', () => {
  expect(skippedTotalWords([])).toBe('No rows were skipped');
  expect(skippedTotalWords([{ reason: 'empty', count: 1, lines: [2] }])).toBe('1 row was skipped');
  expect(
    skippedTotalWords([
      { reason: 'empty', count: 1000, lines: [] },
      { reason: 'own site', count: 207, lines: [] },
    ]),
  ).toBe('1,207 rows were skipped');
});
