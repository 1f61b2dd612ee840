import { expect, test } from 'vitest';
import { domainSorts, isFiltered, toDomainOrder } from '#shared/domains.ts';
import { domainsSearch, toListQuery, toDomainSort, sortOptions } from './search.ts';

test('unknown values of the address fall back to none', () => {
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

test('the words of a select for no filter are no filter', () => {
  const search = domainsSearch.parse({ tld: 'all-tlds', source: 'all-sources', niche: 'all-niches' });
  expect(isFiltered(search)).toBe(false);
});

test('a search for a number is text', () => {
  expect(domainsSearch.parse({ search: 123 }).search).toBe('123');
});

test('the page of the address counts from one, the page of the query from zero', () => {
  expect(toListQuery(domainsSearch.parse({ page: '3', pageSize: '50' }), false)).toMatchObject({ page: 2, pageSize: 50 });
  expect(toListQuery(domainsSearch.parse({}), false)).toMatchObject({ page: 0, pageSize: 25, sort: 'domain-asc' });
});

test('the recently added come newest first unless a sort is given', () => {
  expect(toListQuery(domainsSearch.parse({ filter: 'recent' }), false).sort).toBe('date-added');
  expect(toListQuery(domainsSearch.parse({ filter: 'recent', sort: 'domain-desc' }), false).sort).toBe('domain-desc');
});

test('nobody but an admin filters or sorts by source', () => {
  const search = domainsSearch.parse({ source: 'fiverr', sort: 'source-desc' });
  expect(toListQuery(search, false)).toMatchObject({ source: undefined, sort: 'domain-asc' });
  expect(toListQuery(search, true)).toMatchObject({ source: 'fiverr', sort: 'source-desc' });
});

test('every sort leads to a column and back to one that the select offers', () => {
  const offered = sortOptions(true).map(({ value }) => value);
  for (const sort of domainSorts) {
    const back = toDomainSort(toDomainOrder(sort));
    expect(offered).toContain(back);
    expect(toDomainOrder(back)).toEqual(toDomainOrder(sort));
  }
});

test('only admins are offered sources', () => {
  expect(sortOptions(false).some(({ value }) => value.startsWith('source'))).toBe(false);
});
