import { expect, test } from 'vitest';
import type { ListedDomain, ListResult } from '#shared/checks/domain-lists.ts';
import { formatPrice, selectResults } from './results.ts';

const valid = (domain: string, cells: Partial<ListedDomain> = {}): ListedDomain => ({
  domain,
  price: null,
  priceRange: null,
  listed: false,
  matchedDomain: null,
  domainId: null,
  riskLevel: null,
  confidence: null,
  sourceCount: null,
  independentSourceCount: null,
  firstListedAt: null,
  niche: null,
  knownPrices: [],
  knownPriceRange: null,
  priceComparison: null,
  networks: [],
  ...cells,
});
const usd = (min: number, max = min) => ({ min, max, currency: 'USD' });

const results: ListResult[] = [
  valid('b.example', { priceRange: usd(80) }),
  valid('a.example', { listed: true, riskLevel: 'low', independentSourceCount: 1, networks: [0, 1] }),
  { domain: 'not a name', price: null, priceRange: null, error: 'This is not a domain name.' },
  valid('c.example', { listed: true, riskLevel: 'high', independentSourceCount: 4, priceRange: usd(20) }),
  valid('d.example', { listed: true, riskLevel: 'low', independentSourceCount: 2, networks: [1] }),
];
const select = (search: object) => selectResults(results, { list: 'x', ...search } as never).map((one) => one.domain);

test('results are in the order of the list, by risk or by price', () => {
  expect(select({})).toEqual(['b.example', 'a.example', 'not a name', 'c.example', 'd.example']);
  expect(select({ sort: 'risk' })).toEqual(['c.example', 'd.example', 'a.example', 'b.example', 'not a name']);
  expect(select({ sort: 'price-desc' }).slice(0, 2)).toEqual(['b.example', 'c.example']);
  expect(select({ sort: 'price-asc' }).slice(0, 2)).toEqual(['c.example', 'b.example']);
});

test('results are filtered by verdict, network and name', () => {
  expect(select({ show: 'listed' })).toEqual(['a.example', 'c.example', 'd.example']);
  expect(select({ show: 'not-listed' })).toEqual(['b.example']);
  expect(select({ show: 'invalid' })).toEqual(['not a name']);
  expect(select({ network: 1 })).toEqual(['a.example']);
  expect(select({ network: 2 })).toEqual(['a.example', 'd.example']);
  expect(select({ search: 'C.EX' })).toEqual(['c.example']);
});

test('prices are shown with their currency, and decimals only where needed', () => {
  expect(formatPrice(usd(1200))).toBe('$1,200');
  expect(formatPrice(usd(35.5, 60))).toBe('$35.50–$60');
  expect(formatPrice({ min: 80, max: 80, currency: 'EUR' })).toBe('€80');
  expect(formatPrice({ min: 1200, max: 1200, currency: null })).toBe('1,200');
});
