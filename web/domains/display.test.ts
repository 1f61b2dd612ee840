import { expect, test } from 'vitest';
import { formatCost, plural } from './display.ts';

test.each([
  ['"$120"', '$120'],
  ["'$50-100'", '$50-100'],
  ['$1,000 "incl. text"', '$1,000 "incl. text"'],
  ['""', 'N/A'],
  ['  ', 'N/A'],
  [null, 'N/A'],
])('the cost %s reads %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text);
});

test('ten million are counted with commas', () => {
  expect(plural(10_000_000, 'domain')).toBe('10,000,000 domains');
  expect(plural(1, 'match', 'matches')).toBe('1 match');
});
