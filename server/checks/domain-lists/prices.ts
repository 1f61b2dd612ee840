import type { ListedDomain, PriceRange } from '#shared/checks/domain-lists.ts';

/** Longer before shorter ones that they contain. */
const currencyBySymbol: Record<string, string> = {
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  AU$: 'AUD',
  A$: 'AUD',
  $: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₽': 'RUB',
  '¥': 'JPY',
  '₺': 'TRY',
  '₴': 'UAH',
};
/** ISO 4217. Rarer ones are left out, because some are English words. */
const codes =
  'USD|EUR|GBP|AED|AUD|BDT|BGN|BRL|CAD|CHF|CNY|CZK|DKK|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|MYR|NGN|NOK|NZD|PHP|PKR|PLN|RON|RUB|SEK|SGD|THB|TRY|UAH|VND|ZAR';

const symbol = Object.keys(currencyBySymbol)
  .map((text) => text.replace('$', '\\$'))
  .join('|');
const currency = `(?:${symbol}|(?:${codes}|usd|eur|gbp)(?![A-Za-z]))`;
/** Groups of three digits can be separated by a comma, a point, an apostrophe or a space. */
const amount = String.raw`(?:\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d{1,9}(?:[.,]\d{1,2}(?!\d))?)`;
const between = String.raw`\s?(?:-|–|—|to)\s?`;
/** With the names of its groups, or without them inside other patterns. */
const buildPattern = (group: (name: string, pattern: string) => string) =>
  `(?:${group('before', currency)}\\s?${group('from', amount)}(?:${between}(?:${symbol})?${group('to', amount)})?` +
  `|${group('min', amount)}(?:${between}${group('max', amount)})?)(?:\\s?${group('after', currency)})?`;

/** A price as people write it: '$1,200', '35.50 EUR', '£35–60'. */
export const pricePattern = buildPattern((_, pattern) => pattern);

const pricesInText = new RegExp(
  buildPattern((name, pattern) => `(?<${name}>${pattern})`),
  'g',
);

/** In characters. Prices are stored up to this length. */
export const maxPriceLength = 100;

/**
 * Returns the amounts and the currency of a price. In a text with several numbers, the first one with a currency
 * counts, otherwise the first one. Undefined without a number.
 */
export function parsePrice(text: string): PriceRange | undefined {
  let first: PriceRange | undefined;
  for (const { groups = {} } of text.slice(0, maxPriceLength).matchAll(pricesInText)) {
    const { from, to, min: lower = from ?? '', max: upper = to ?? lower } = groups;
    const [min, max] = [toAmount(lower), toAmount(upper)];
    const price = {
      min: Math.min(min, max),
      max: Math.max(min, max),
      currency: toCode(groups.before) ?? toCode(groups.after) ?? null,
    };
    if (price.currency !== null) return price;
    first ??= price;
  }
  return first;
}

/** Returns the ISO 4217 code of the first currency that a text names, such as the header 'Price (EUR)'. */
export function findCurrency(text: string): string | undefined {
  return toCode(currencyInText.exec(text)?.[0]);
}

const currencyInText = new RegExp(`(?<![A-Za-z])${currency}`);

const toCode = (text: string | undefined): string | undefined =>
  text && (currencyBySymbol[text.toUpperCase()] ?? text.toUpperCase());

/** Reads a number in which a comma or point separates either groups of three digits or decimals. */
function toAmount(text: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(text)?.[1] ?? '';
  const whole = decimals === '' ? text : text.slice(0, -decimals.length - 1);
  return Number(`${whole.replaceAll(/\D/g, '')}.${decimals || 0}`);
}

/**
 * Returns the lowest and highest of prices in one currency: the preferred one if any price has it, otherwise the most
 * frequent one. Undefined without any amount.
 */
export function rangeOf(prices: readonly string[], preferred: string | null): PriceRange | undefined {
  const byCurrency = Map.groupBy(
    prices.flatMap((price) => parsePrice(price) ?? []),
    ({ currency }) => currency,
  );
  const [most] = [...byCurrency.values()].sort((a, b) => b.length - a.length);
  const chosen = byCurrency.get(preferred) ?? most;
  if (!chosen) return undefined;
  return {
    min: Math.min(...chosen.map(({ min }) => min)),
    max: Math.max(...chosen.map(({ max }) => max)),
    currency: chosen[0]?.currency ?? null,
  };
}

/**
 * Compares a quoted price with the range of known ones. A price without a currency is compared as if it had the same.
 */
export function comparePrices(
  asked: PriceRange | undefined,
  known: PriceRange | undefined,
): ListedDomain['priceComparison'] {
  if (!asked || !known) return null;
  if (asked.currency !== null && known.currency !== null && asked.currency !== known.currency) return null;
  if (asked.min > known.max) return 'above';
  return asked.max < known.min ? 'below' : 'within';
}
