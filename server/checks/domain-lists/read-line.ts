import { readRule } from '../../hostnames/links/list-lines.ts';
import { bullet, splitComment } from '../../hostnames/links/list-marks.ts';
import type { EntryCollector } from './collect-entries.ts';
import { findCurrency, pricePattern } from './prices.ts';

const gapBefore = /[\s,;|"'<(]*/y;
const hardSeparator = /[,;|\t]/;
const wholePrice = `${pricePattern}(?=[\\s,;|"')]|$)`;
const price = new RegExp(wholePrice, 'y');
const host = /(?:\w+:\/\/)?[^\s,;|"'<>()/?#]+/y;
/** The rest of a URL. A comma or semicolon ends it only before a price, another URL or a space. */
const path = new RegExp(`[/?#](?:[^\\s,;|"<>]|[,;](?!\\s|$|\\w+:\\/\\/|${wholePrice}))*`, 'y');
const cell = /[^,;|\t]+/y;
const word = /[^\s,;|]+/y;

interface NameWithPrices {
  name: string;
  prices: { text: string; hasCurrency: boolean }[];
  /** Whether other words follow the name. */
  hasNote: boolean;
}

/**
 * Adds the entries of one line of a list: names between commas, semicolons, vertical bars, tabs or spaces, each with
 * its price after it. A cell without a name is one entry, which is not a domain. Words after a name are ignored.
 * @param currency the currency of prices that name none
 */
export function addLine(line: string, collector: EntryCollector, currency?: string): void {
  const entry = splitComment(line, { onlyHash: true }).text;
  const rule = readRule(entry);
  if (rule) {
    if (rule.length === 0) collector.add(entry);
    for (const one of rule) collector.add('text' in one ? one.text : entry);
    return;
  }
  addNames(entry.replace(bullet, ''), collector, currency);
}

function addNames(text: string, collector: EntryCollector, currency: string | undefined): void {
  let entry: NameWithPrices | undefined;
  const finish = () => {
    if (entry) collector.add(entry.name, choosePrice(entry), currency);
    entry = undefined;
  };
  for (let at = 0; ; ) {
    const gap = match(gapBefore, text, at);
    at += gap.length;
    if (at >= text.length) break;
    const asked = entry ? match(price, text, at) : '';
    if (entry && asked !== '') {
      const hasCurrency = findCurrency(asked) !== undefined;
      const found = { text: asked, hasCurrency };
      if (hasCurrency || !entry.hasNote) entry.prices.push(found);
      // Between commas, 55,120 can be two numbers.
      if (!hasCurrency && asked.includes(',') && gap.includes(',')) entry.prices.push(found);
      at += asked.length;
      continue;
    }
    const name = match(host, text, at);
    if (name.includes('://') || /[^.]\.[^.]/.test(name)) {
      finish();
      entry = { name: name + match(path, text, at + name.length), prices: [], hasNote: false };
      at += entry.name.length;
    } else if (entry && !hardSeparator.test(gap)) {
      entry.hasNote = true;
      at += Math.max(1, match(word, text, at).length);
    } else {
      finish();
      const rest = match(cell, text, at);
      collector.add(rest);
      at += Math.max(1, rest.length);
    }
  }
  finish();
}

/**
 * Returns the first price with a currency. A number without one is a price only if it is the only number and directly
 * after the name: another one can be a rating.
 */
function choosePrice({ prices }: NameWithPrices): string | undefined {
  const priced = prices.find(({ hasCurrency }) => hasCurrency);
  return priced?.text ?? (prices.length === 1 ? prices[0]?.text : undefined);
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
