import { registrableDomain } from '../../hostnames/coverage/coverage.ts';
import type { PageContent, PageLink } from './page-content.ts';
import { detectLanguage, foldText, hasPhrase, hasPhraseOfAny, type Language, type PhraseKind } from './phrases.ts';
import { findPrice, type Price } from './price.ts';

/** A page on which a site offers links for money. */
export interface Offer {
  /** A sentence of the page's text, at most `maxQuote` characters. */
  quote: string;
  price: number | null;
  /** ISO 4217; null without a price. */
  currency: string | null;
  /** Where the offer is. */
  url: string;
  /** The contact page or an address for email; null if the page links to neither. */
  contactUrl: string | null;
  /** The share of links to other sites with `rel=sponsored`, 0 to 1; null without such links. */
  sponsoredShare: number | null;
}

/** In characters. */
export const maxQuote = 300;
/** What follows in a longer sentence is not examined. */
const maxSentence = 1000;
const maxSentences = 2000;
/** A block with at most as many characters can be a line of a price list. */
const maxRow = 110;
/** The same for a cell with nothing but a price. */
const maxPriceRow = 25;
/** What can follow the price in a line of a price list, such as "per post". */
const maxPriceUnit = 15;
/** Sentences after an offer in which its price can be. */
const maxDistance = 3;
/** Sentences about other sites, or with words of news, from which on a page is an article. */
const minReports = 2;

/**
 * Returns the sentence by which a page offers links for money, with its price if there is one; undefined if the page
 * makes no such offer. An offer says that this site sells, publishes or places links or paid posts, invites the reader
 * to order them, or names their price. What the site refuses, gives away, pays for or reports about others is none.
 */
export function recognizeOffer(page: PageContent): Offer | undefined {
  const language = detectLanguage(foldText(page.blocks.join(' ')), page.language);
  const sentences = splitSentences(page.blocks, language);
  const reports = sentences.filter(({ says }) => says('reports')).length;
  const pasts = sentences.filter(({ says }) => says('pasts')).length;
  const isArticle = reports >= minReports || (reports > 0 && pasts >= minReports);
  const namesGoods = sentences.some(({ says }) => says('links') || says('posts'));
  // The home page has prices of links if it mentions prices, or has several lines of what it sells.
  const rows = sentences.filter(({ isRow, says }) => isRow && (says('links') || says('posts') || says('bares')));
  const hasPrices =
    new URL(page.url).pathname !== '/' || rows.length > 1 || sentences.some(({ says }) => says('money'));
  // A site that refuses is believed, unless it also names a price.
  const refuses = sentences.some(({ says }) => says('nots') && says('links') && (says('offers') || says('orders')));
  const offers = sentences.flatMap((sentence, index) => {
    const following = sentences.slice(index + 1, index + 1 + maxDistance);
    if (!isOffer(sentence, following, { isArticle, hasPrices, namesGoods })) return [];
    const price = sentence.price ?? findFollowingPrice(following);
    return price || !(refuses || isArticle) ? [{ sentence, price }] : [];
  });
  const best = offers.find(({ price }) => price) ?? offers[0];
  if (!best) return undefined;
  return {
    quote: cutQuote(best.sentence),
    price: best.price?.amount ?? null,
    currency: best.price?.currency ?? null,
    url: page.url,
    contactUrl: findContact(page),
    sponsoredShare: getSponsoredShare(page),
  };
}

interface Sentence {
  /** As on the page. */
  text: string;
  price: Price | undefined;
  isQuestion: boolean;
  /** Whether it is a whole short block, such as a row of a table. */
  isRow: boolean;
  /** Whether it contains such a phrase, outside quoted speech. */
  says(kind: PhraseKind): boolean;
  /** Whether it says that the site does not do something. */
  isNegated: boolean;
}

function isOffer(
  { says, ...sentence }: Sentence,
  following: readonly Sentence[],
  { isArticle, hasPrices, namesGoods }: { isArticle: boolean; hasPrices: boolean; namesGoods: boolean },
): boolean {
  const hasLinks = says('links');
  const isBare = says('bares') && (namesGoods || ((says('offers') || says('ours')) && says('money')));
  if (!hasLinks && !says('posts') && !isBare) return false;
  if (sentence.isNegated || (['asks', 'others', 'reports', 'pasts'] as const).some(says)) return false;
  const { text, price, isQuestion, isRow } = sentence;
  const [next] = following;
  const nextPrice = next && !next.isNegated ? next.price : undefined;
  const isFree = says('frees') || following.slice(0, 2).some((later) => later.says('frees') && !later.price);
  if (isFree && !price) return false;
  const isPaid = price !== undefined || says('money') || nextPrice !== undefined;
  if (says('offers') && !isQuestion) return hasLinks || isPaid;
  if (isArticle) return false;
  const isAnswered = following.slice(0, 2).some((later) => later.says('replies') && !later.isNegated);
  if (says('orders') && (hasLinks || isPaid) && (price ?? nextPrice ?? isAnswered)) return true;
  // "Sponsored posts? Yes, please send us your text."
  if (isQuestion) return (hasLinks || nextPrice !== undefined) && next?.says('agrees') === true && !next.isNegated;
  // "Sponsored post: save $50 on a laptop" is the title of a post, not a line of a price list.
  const isTitle =
    isRow && price && (!hasPrices || text.length - price.end > maxPriceUnit) && !says('money') && !says('ours');
  if (price) return !isTitle;
  if (isRow && nextPrice && next && next.text.length <= maxPriceRow) return true;
  return hasLinks && says('ours') && (isAnswered || says('replies'));
}

function findFollowingPrice(following: readonly Sentence[]): Price | undefined {
  return following.find(({ price, isNegated, says }) => price && !isNegated && !says('others'))?.price;
}

/** Speech between quotation marks, of at least three words or ten characters. */
const speech = /["“„«「『]([^"“”„«»「」『』]{10,}?)["”“»」』]/gu;

function splitSentences(blocks: readonly string[], language: Language): Sentence[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const sentences: Sentence[] = [];
  for (const block of blocks) {
    const texts = [...segmenter.segment(block)]
      .map(({ segment }) => segment.trim().slice(0, maxSentence))
      .filter((text) => text !== '')
      .slice(0, maxSentences - sentences.length);
    const isRow = texts.length === 1 && block.length <= maxRow;
    sentences.push(...texts.map((text) => toSentence(text, isRow, language)));
  }
  return sentences;
}

function toSentence(text: string, isRow: boolean, language: Language): Sentence {
  const spoken = text.replace(speech, ' ');
  // "Without nofollow" is not a refusal.
  const folded = foldText(spoken).replace(/\S{0,4} ?no ?follow/g, ' nofollow');
  const price = findPrice(spoken, language);
  const known = new Map<PhraseKind, boolean>();
  const says = (kind: PhraseKind) => {
    const found = known.get(kind) ?? hasPhrase(language, kind, folded);
    known.set(kind, found);
    return found;
  };
  return {
    text,
    price,
    isQuestion: /[?？]["”»」)]*$/u.test(text),
    isRow,
    says,
    // A sentence with a price can have a clause about what is not accepted.
    isNegated: says('nots') && (!price || splitClauses(spoken).some((clause) => isRefusal(clause, language))),
  };
}

const splitClauses = (text: string) => text.split(/[;:–—()（）]|,\s|[、，；]/u).map(foldText);

const isRefusal = (clause: string, language: Language) =>
  hasPhrase(language, 'nots', clause) &&
  (hasPhrase(language, 'offers', clause) || hasPhrase(language, 'orders', clause));

/** Shortens a sentence to the part with its price, at spaces. */
function cutQuote({ text, price }: Sentence): string {
  if (text.length <= maxQuote) return text;
  const center = price?.index ?? 0;
  const from = center < maxQuote - 20 ? 0 : text.lastIndexOf(' ', center - maxQuote / 2) + 1;
  const part = text.slice(from, from + maxQuote);
  const end = part.lastIndexOf(' ');
  return (end > maxQuote / 2 ? part.slice(0, end) : part).trim();
}

/** Number of pages of a site that are worth a visit besides its home page. */
const maxVisits = 6;
/** A longer text is the title of an article. */
const maxMenuText = 40;

/**
 * Returns the links of a home page, to the same site, that are called like a page for advertisers or authors, such as
 * "Write for us", "Werben" or "広告掲載", by their text or their address. At most six, in the order of the page.
 */
export function listPagesWorthVisiting(page: PageContent): string[] {
  const site = siteOf(page.url);
  const found = new Set<string>();
  for (const { url, text } of page.links) {
    const address = new URL(url);
    address.hash = '';
    if (siteOf(url) !== site || address.href === page.url || address.pathname === '/') continue;
    if (isCalledLikeOffer(text) || isCalledLikeOffer(toWords(address.pathname))) found.add(address.href);
    if (found.size === maxVisits) break;
  }
  return [...found];
}

const isCalledLikeOffer = (text: string) => text.length <= maxMenuText && hasPhraseOfAny('visits', foldText(text));

/** Returns the words of the last part of a path: `/info/write-for-us.html` is "write for us". */
function toWords(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  const name = last.replace(/\.\w{2,5}$/, '');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function findContact({ links, url }: PageContent): string | null {
  const isContact = (link: PageLink) =>
    siteOf(link.url) === siteOf(url) &&
    link.text.length <= maxMenuText &&
    hasPhraseOfAny('contacts', foldText(link.text));
  return (links.find(isContact) ?? links.find((link) => link.url.startsWith('mailto:')))?.url ?? null;
}

function getSponsoredShare({ links, url }: PageContent): number | null {
  const outside = links.filter((link) => /^https?:/.test(link.url) && siteOf(link.url) !== siteOf(url));
  if (outside.length === 0) return null;
  return outside.filter(({ rel }) => rel.includes('sponsored')).length / outside.length;
}

/** The registrable domain of a URL; of a host without one, such as an address of the intranet, the host. */
export function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return registrableDomain(hostname) ?? hostname;
}
