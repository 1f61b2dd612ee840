import { expect, test } from 'vitest';
import { domainSorts, isFiltered, toDomainOrder } from '#shared/blacklist/domains.ts';
import { domainsSearch, sortOptions, toDomainSort, toListQuery } from './search.ts';

test('ignores unknown values in the URL', () => {
  const search = domainsSearch.parse({
    search: ['a'],
    filter: 'newest',
    sort: 'price',
    dateAdded: '2026-13-40',
    riskLevel: 'extreme',
    page: 'two',
    pageSize: 26,
    domain: -3,
    dialog: 'burn',
    other: 1,
  });
  expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
});

test('treats the placeholder values of the selects as no filter', () => {
  const search = domainsSearch.parse({ tld: 'all-tlds', source: 'all-sources', niche: 'all-niches' });
  expect(isFiltered(search)).toBe(false);
});

test('reads a numeric search as text', () => {
  expect(domainsSearch.parse({ search: 123 }).search).toBe('123');
});

test('converts the one-based page of the URL to the zero-based page of the request', () => {
  expect(toListQuery(domainsSearch.parse({ page: '3', pageSize: '50' }), false)).toMatchObject({
    page: 2,
    pageSize: 50,
  });
  expect(toListQuery(domainsSearch.parse({}), false)).toMatchObject({ page: 0, pageSize: 25, sort: 'domain-asc' });
});

test('sorts recently added domains newest first unless a sort is given', () => {
  expect(toListQuery(domainsSearch.parse({ filter: 'recent' }), false).sort).toBe('date-added');
  expect(toListQuery(domainsSearch.parse({ filter: 'recent', sort: 'domain-desc' }), false).sort).toBe('domain-desc');
});

test('only admins filter and sort by source', () => {
  const search = domainsSearch.parse({ source: 'fiverr', sort: 'source-desc' });
  expect(toListQuery(search, false)).toMatchObject({ source: undefined, sort: 'domain-asc' });
  expect(toListQuery(search, true)).toMatchObject({ source: 'fiverr', sort: 'source-desc' });
});

test('every sort converts to a column and back to an option of the select', () => {
  const offered = sortOptions(true).map(({ value }) => value);
  for (const sort of domainSorts) {
    const back = toDomainSort(toDomainOrder(sort));
    expect(offered).toContain(back);
    expect(toDomainOrder(back)).toEqual(toDomainOrder(sort));
  }
});

test('only admins can choose to sort by source', () => {
  expect(sortOptions(false).some(({ value }) => value.startsWith('source'))).toBe(false);
});
