import { expect, test } from 'vitest';
import type { Domain } from '#shared/domains.ts';
import { formatCost, getPageSelection } from './domain-cells.tsx';

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

const domains = [{ id: 1 }, { id: 2 }] as Domain[];
const [first, second] = domains as [Domain, Domain];

test('toggles single rows and the whole page', () => {
  const one = getPageSelection(domains, {}).toggle(first);
  expect(one).toEqual({ 1: true });
  expect(getPageSelection(domains, one)).toMatchObject({ some: true, all: false });
  const both = getPageSelection(domains, one).toggle(second);
  expect(getPageSelection(domains, both)).toMatchObject({ some: false, all: true });
  expect(getPageSelection(domains, one).toggleAll()).toEqual(both);
  expect(getPageSelection(domains, both).toggleAll()).toEqual({});
  expect(getPageSelection(domains, both).toggle(first)).toEqual({ 2: true });
});
