import { expect, test } from 'vitest';
import { formatCost } from './domain-cells.tsx';

test.each([
  ['"$120"', '$120'],
  ["'$50-100'", '$50-100'],
  ['$1,000 "incl. text"', '$1,000 "incl. text"'],
  ['""', 'N/A'],
  ['  ', 'N/A'],
  [null, 'N/A'],
])('formats the cost %s as %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text);
});
