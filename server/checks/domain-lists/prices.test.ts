import { expect, test } from 'vitest';
import { comparePrices, findCurrency, parsePrice, rangeOf } from './prices.ts';

const usd = (min: number, max = min) => ({ min, max, currency: 'USD' });

test.each([
  ['$1,200', usd(1200)],
  ['US$ 35.50', usd(35.5)],
  ['120 usd', usd(120)],
  ['USD 120 / post', usd(120)],
  ['from $35 to $60', usd(35, 60)],
  ['$35-$60', usd(35, 60)],
  ['DR 50, $120', usd(120)],
  ['1.200,50 €', { min: 1200.5, max: 1200.5, currency: 'EUR' }],
  ['A$80', { min: 80, max: 80, currency: 'AUD' }],
  ['£1,200.50', { min: 1200.5, max: 1200.5, currency: 'GBP' }],
  ['1 200 PLN', { min: 1200, max: 1200, currency: 'PLN' }],
  ['1.234.567', { min: 1_234_567, max: 1_234_567, currency: null }],
  ['35,50', { min: 35.5, max: 35.5, currency: null }],
  ['60–35', { min: 35, max: 60, currency: null }],
  ['120 all in', { min: 120, max: 120, currency: null }],
  ['0', { min: 0, max: 0, currency: null }],
  ['free', undefined],
  ['', undefined],
])('the price %j is read as %j', (text, price) => {
  expect(parsePrice(text)).toEqual(price);
});

test.each([
  ['Price (EUR)', 'EUR'],
  ['Price, $', 'USD'],
  ['cost_usd', 'USD'],
  ['Price', undefined],
  ['Top price', undefined],
])('the header %j names the currency %s', (header, currency) => {
  expect(findCurrency(header)).toBe(currency);
});

test('the range of known prices is in the currency of the quoted price, or else in the most frequent one', () => {
  const prices = ['$60', '$35–40', '80 EUR', 'on request'];
  expect(rangeOf(prices, 'EUR')).toEqual({ min: 80, max: 80, currency: 'EUR' });
  expect(rangeOf(prices, 'GBP')).toEqual(usd(35, 60));
  expect(rangeOf(prices, null)).toEqual(usd(35, 60));
  expect(rangeOf(['on request'], 'USD')).toBeUndefined();
});

test('a quoted price is below, within or above the known ones, unless the currencies differ', () => {
  const known = usd(35, 60);
  expect(comparePrices(usd(120), known)).toBe('above');
  expect(comparePrices(usd(20), known)).toBe('below');
  expect(comparePrices(usd(60), known)).toBe('within');
  expect(comparePrices(usd(20, 40), known)).toBe('within');
  expect(comparePrices({ min: 120, max: 120, currency: null }, known)).toBe('above');
  expect(comparePrices({ min: 120, max: 120, currency: 'EUR' }, known)).toBeNull();
  expect(comparePrices(undefined, known)).toBeNull();
  expect(comparePrices(usd(1), undefined)).toBeNull();
});
