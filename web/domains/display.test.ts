import { expect, test } from 'vitest';
import { formatCost } from './display.ts';

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
