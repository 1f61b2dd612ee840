import { expect, test } from 'vitest';
import { domainSorts } from '#shared/domains.ts';
import { columnSortOf, sortOf, sortOptions } from './sorts.ts';

test('every sort leads to a column and back to one that the select offers', () => {
  const offered = sortOptions(true).map(({ value }) => value);
  for (const sort of domainSorts) {
    const back = sortOf(columnSortOf(sort));
    expect(offered).toContain(back);
    expect(columnSortOf(back)).toEqual(columnSortOf(sort));
  }
});

test('the short names of sorts mean newest, highest and A to Z', () => {
  expect(columnSortOf('date-added')).toEqual({ column: 'date', descending: true });
  expect(columnSortOf('risk-level')).toEqual({ column: 'risk', descending: true });
  expect(columnSortOf('source')).toEqual({ column: 'source', descending: false });
});

test('only admins are offered sources', () => {
  expect(sortOptions(false).some(({ value }) => value.startsWith('source'))).toBe(false);
});
