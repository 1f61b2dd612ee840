import type { Language } from './phrases.ts';

/** A price in a text. The lower end of a range. */
export interface Price {
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** Where it is in the text. */
  index: number;
  end: number;
}

/** How currencies are written, longer before shorter ones that they contain. */
const currencies: readonly (readonly [string, string])[] = [
  ['USD', String.raw`us\s?\$|usd|us dollars?|dollars?|dólares|dollari|долл(?:аров|ара|\.)?|美元|米ドル|ドル`],
  ['CAD', String.raw`c(?:a|dn)?\s?\$|cad`],
  ['AUD', String.raw`au?\s?\$|aud`],
  ['BRL', String.raw`r\$|reais|brl`],
  ['USD', String.raw`\$`],
  ['EUR', '€|euros?|eur'],
  ['GBP', '£|pounds?|gbp'],
  ['CHF', String.raw`chf|sfr\.?|fr\.`],
  ['PLN', 'zł(?:otych|ote)?|pln'],
  ['RUB', String.raw`₽|руб(?:лей|ля|\.)?|rub`],
  ['TRY', '₺|tl|lira|try'],
  ['JPY', '円|jpy'],
  ['CNY', '元|人民币|cny|rmb|块'],
  ['INR', String.raw`₹|inr|rs\.?`],
  ['¥', '[¥￥]'],
];
const sign = `(?:${currencies.map(([, pattern]) => pattern).join('|')})`;
/** Groups of three digits can be separated by a comma, a point, an apostrophe or a space. */
const amount = String.raw`\d{1,3}(?:[ .,'’\u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d{2}(?!\d))?|\d{1,7}(?:[.,]\d{1,2}(?!\d))?`;
const thousands = '[k万]?';
const range = String.raw`(?:\s?(?:-|–|—|to|bis|à|a|до|～|~)\s?(?:${sign})?\s?(?:${amount})${thousands})?`;
const prices = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?<before>${sign})\s?(?<first>${amount})(?<firstUnit>${thousands})` +
    String.raw`|(?<![\p{N}.,])(?<second>${amount})(?<secondUnit>${thousands})${range}(?:,-|\.-|,–)?\s?(?<after>${sign})(?!\p{L})`,
  'giu',
);
/** The same for Japanese and Chinese, where a price needs no space around it. */
const unspacedPrices = new RegExp(
  prices.source.replace(String.raw`(?<![\p{L}\p{N}])`, '').replace(String.raw`(?!\p{L})`, ''),
  'giu',
);
const exactSigns = currencies.map(([code, pattern]) => [code, new RegExp(`^(?:${pattern})$`, 'iu')] as const);

/** A larger number is no price of a link. */
const maxAmount = 10_000_000;

/** Returns the first price with a currency, or undefined. */
export function findPrice(text: string, language: Language): Price | undefined {
  const isUnspaced = language === 'ja' || language === 'zh';
  for (const {
    0: { length },
    groups = {},
    index,
  } of text.matchAll(isUnspaced ? unspacedPrices : prices)) {
    const code = exactSigns.find(([, pattern]) => pattern.test((groups.before ?? groups.after ?? '').trim()))?.[0];
    const value = toAmount(groups.first ?? groups.second ?? '', groups.firstUnit ?? groups.secondUnit ?? '');
    if (code === undefined || value === 0 || value > maxAmount) continue;
    return {
      amount: value,
      currency: code === '¥' ? (language === 'zh' ? 'CNY' : 'JPY') : code,
      index,
      end: index + length,
    };
  }
  return undefined;
}

/** Reads a number in which a comma or a point separates either groups of three digits or decimals. */
function toAmount(text: string, unit: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(text)?.[1] ?? '';
  const whole = decimals === '' ? text : text.slice(0, -decimals.length - 1);
  const factor = unit === '万' ? 10_000 : unit.toLowerCase() === 'k' ? 1000 : 1;
  return Number(`${whole.replaceAll(/\D/g, '')}.${decimals || 0}`) * factor;
}
