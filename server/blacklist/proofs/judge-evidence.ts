import type { ProofStatus } from '#shared/blacklist/sources.ts';
import { lookupNames } from '../../hostnames/coverage/coverage.ts';
import { normalizeHost } from '../../hostnames/hosts/hosts.ts';
import type { Visit } from '../crawl/crawler.ts';
import { maxSentence, readPage } from '../crawl/read-page.ts';

/** A listing whose evidence is the visited page. */
export interface Evidence {
  name: string;
  price: string | null;
  /** The hash of the text at the visit before; null at the first one. */
  textHash: Buffer | null;
}

export interface ProofFacts {
  status: ProofStatus;
  /** What the page says about the listing, up to 300 characters. */
  quote: string | null;
  textHash: Buffer | null;
}

/** Names in a text. */
const namePattern = /[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d-]+)+/giu;

/** Reads the response of a visit, and decides for each listing by the rules of docs/live-pages.md. */
export async function judgeEvidence(visit: Visit, listings: readonly Evidence[]): Promise<ProofFacts[]> {
  const same = (status: ProofStatus) => listings.map(() => ({ status, quote: null, textHash: null }));
  if (visit.kind !== 'page') return same('unreachable');
  if (visit.status < 200 || visit.status > 299) {
    visit.close();
    return same(visit.status === 404 || visit.status === 410 ? 'gone' : 'unreachable');
  }
  const wanted = new Set(listings.map(({ name }) => name));
  const prices = new Set(listings.flatMap(({ price }) => toNumber(price) ?? []));
  /** What is found on the page, with the text around it. */
  const names = new Map<string, string>();
  const numbers = new Map<string, string>();
  const addName = (host: string, text: string) => {
    for (const name of lookupNames(host)) if (wanted.has(name) && !names.has(name)) names.set(name, cut(text, name));
  };
  const page = await readPage(visit, {
    wantsLink(url) {
      const host = normalizeHost(url.hostname);
      if (host !== undefined) addName(host, url.href);
      return false;
    },
    onText(text) {
      for (const [word] of text.matchAll(namePattern)) {
        const host = normalizeHost(word);
        if (host !== undefined) addName(host, text);
      }
      for (const [word] of text.matchAll(/\d[\d.,]*/g)) {
        const number = toNumber(word);
        if (number !== undefined && prices.has(number) && !numbers.has(number)) numbers.set(number, cut(text, word));
      }
    },
  });
  const pageHost = normalizeHost(new URL(visit.url).hostname);
  const own = new Set(pageHost === undefined ? [] : lookupNames(pageHost));
  return listings.map(({ name, price, textHash }) => {
    const number = toNumber(price);
    // A page of the domain itself proves the listing with the price, or as long as it says the same.
    const isOwn = own.has(name);
    const quote = isOwn ? number && numbers.get(number) : names.get(name);
    const isSame = isOwn && (textHash === null ? number === undefined : textHash.equals(page.textHash));
    const isSeen = quote !== undefined || isSame;
    const status = isSeen ? 'seen' : page.isComplete ? 'changed' : 'unreachable';
    return { status, quote: quote || null, textHash: page.textHash };
  });
}

/** The digits of the first number of a price, without decimals: '$1,200.00' is 1200. */
function toNumber(price: string | null): string | undefined {
  const [text] = /\d[\d.,' ]*/.exec(price ?? '') ?? [];
  return text?.replace(/[.,]\d{1,2}$/, '').replace(/\D/g, '');
}

/** Up to 300 characters of a text, around a part of it. */
function cut(text: string, part: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(part.toLowerCase()));
  return text.slice(Math.max(0, at - maxSentence / 2)).slice(0, maxSentence);
}
