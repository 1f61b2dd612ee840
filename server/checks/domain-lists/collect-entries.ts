import { maxQueryLength } from '#shared/checks/checks.ts';
import { emptyListMessage, maxListNames } from '#shared/checks/domain-lists.ts';
import { readLinkHost } from '../../hostnames/links/links.ts';
import { findCurrency, maxPriceLength, parsePrice } from './prices.ts';

/** One line of a list. */
export interface ListEntry {
  /** A normalized domain, or the text of an entry that is not one. */
  domain: string;
  /** The quoted price as it was given. */
  price: string | null;
}

export interface NameList {
  /** In the order of the list. */
  entries: ListEntry[];
  /** How many entries repeat another one. */
  duplicates: number;
  /** How many of the entries are domains. */
  valid: number;
}

/** A list that cannot be checked. `message` tells the user why. */
export class UnusableList extends Error {}

const maxTextLength = 100;
const maxKnownSpellings = 2 * maxListNames;

/**
 * Creates a collector that merges entries with the same domain: the first one keeps its place, and its price if it has
 * one. `add` throws UnusableList for too many different entries, `finish` for an empty list.
 */
export function createEntryCollector() {
  const entries = new Map<string, ListEntry>();
  /** The keys of entries by spellings, because a list can repeat one hundreds of thousands of times. */
  const keys = new Map<string, string>();
  let duplicates = 0;
  let valid = 0;

  function insert(text: string): ListEntry | undefined {
    const line = toLine(text, maxQueryLength);
    const host = readLinkHost(line);
    const domain = typeof host === 'string' ? host : toLine(line, maxTextLength);
    if (domain === '') return undefined;
    const key = domain.toLowerCase();
    if (keys.size < maxKnownSpellings) keys.set(text, key);
    const known = entries.get(key);
    if (known) {
      duplicates += 1;
      return known;
    }
    if (entries.size === maxListNames) {
      throw new UnusableList(
        `This list has more than ${maxListNames.toLocaleString('en-US')} different names. Split it and check the parts.`,
      );
    }
    if (domain === host) valid += 1;
    const entry = { domain, price: null };
    entries.set(key, entry);
    return entry;
  }

  return {
    /** @param currency the currency of a price that names none */
    add(text: string, price?: string, currency?: string): void {
      const known = entries.get(keys.get(text) ?? '');
      if (known) duplicates += 1;
      const entry = known ?? insert(text);
      if (entry && price !== undefined) entry.price ??= readPrice(price, currency);
    },
    isEmpty: () => entries.size === 0,
    finish(): NameList {
      if (entries.size === 0) throw new UnusableList(emptyListMessage);
      return { entries: [...entries.values()], duplicates, valid };
    },
  };
}

export type EntryCollector = ReturnType<typeof createEntryCollector>;

/** Returns a price on one line, with the currency of its column if it names none; null for an empty one. */
function readPrice(text: string, currency: string | undefined): string | null {
  const price = toLine(text, maxPriceLength);
  if (price === '') return null;
  return currency !== undefined && parsePrice(price) && findCurrency(price) === undefined
    ? `${price} ${currency}`
    : price;
}

/** Converts a text to one line without control characters. A longer one is cut and ends with an ellipsis. */
function toLine(text: string, maxLength: number): string {
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).toWellFormed()}…` : line;
}
