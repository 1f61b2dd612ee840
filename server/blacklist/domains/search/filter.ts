import { domainToASCII } from 'node:url';
import { type DomainFilter, type DomainQuery, isFiltered, toRiskNumber } from '#shared/blacklist/domains.ts';
import { normalizeHost } from '../../../hostnames/hosts/hosts.ts';
import type { Db } from '../../../platform/db/database.ts';
import { forbidden } from '../../../platform/http/errors.ts';
import { findSources } from '../../sources/queries.ts';
import { maxShortGramLength } from '../counts/grams.ts';
import { countCombination, countFacet, countSince, getGramCounts } from '../counts/store-counts.ts';
import { toConfidenceNumber } from '../store.ts';

const recentDays = 30;
const dayMs = 86_400_000;

/** The filter that the store expects. `names` are the only ones to find. */
export type StoredFilter = DomainFilter & { names?: readonly string[] };

/** Like `readFilter`, with the source in its stored spelling, because names of sources ignore case. */
export async function readStoredFilter(
  db: Db,
  query: DomainQuery,
  isAdmin: boolean,
  now: Date,
): Promise<StoredFilter | undefined> {
  const filter = readFilter(query, isAdmin, now);
  if (!filter?.source) return filter;
  const { source } = filter;
  return { ...filter, source: (await findSources(db, [source])).get(source)?.name ?? source };
}

/**
 * Converts a query to the filter that the store expects: `search` contains only characters that occur in names, `tld`
 * has no leading dot, and the filter 'recent' becomes `dateAdded`. Returns undefined if nothing can match.
 * @throws 403 if a non-admin filters or sorts by source
 */
export function readFilter(query: DomainQuery, isAdmin: boolean, now: Date): DomainFilter | undefined {
  if (!isAdmin && (query.source || query.sort?.startsWith('source'))) {
    throw forbidden('Only admins can filter or sort by source.');
  }
  const search = normalizeSearch(query.search);
  if (search === null) return undefined;
  const recentDay = new Date(now.getTime() - recentDays * dayMs).toISOString().slice(0, 10);
  const isRecent = query.filter === 'recent' && recentDay > (query.dateAdded ?? '');
  return {
    search,
    tld: query.tld?.replace(/^\.+/, '').toLowerCase() || undefined,
    niche: query.niche || undefined,
    riskLevel: query.riskLevel,
    confidence: query.confidence,
    source: query.source || undefined,
    dateAdded: isRecent ? recentDay : query.dateAdded,
  };
}

/**
 * Returns the text that names must contain: undefined without a search, null if no name can contain it. A pasted URL
 * becomes its host, and names in other scripts become punycode.
 */
function normalizeSearch(search: string | undefined): string | null | undefined {
  const text = search?.trim().toLowerCase();
  if (!text) return undefined;
  const isUrl = /[/:@?#]/.test(text) || text.startsWith('www.');
  const part = isUrl ? hostPart(normalizeHost(text) ?? text) : text;
  const ascii = /\P{ASCII}/u.test(part) ? domainToASCII(part) : part;
  return /^[a-z0-9._-]{1,253}$/.test(ascii) ? ascii : null;
}

/** Returns the host of a URL, even if it is not a full domain, as in `https://shop`. */
function hostPart(text: string): string {
  return text
    .replace(/^[a-z]*:?\/\//, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/^www\./, '');
}

/** What the stored counts tell about the matches of a filter. */
export interface FilterCount {
  /** The number of matches, if the stored counts contain it. */
  exact: number | undefined;
  /** An upper bound of the number of matches. */
  max: number;
  /**
   * The part of the search to look up in the index; undefined if it is faster to find the rows by the other filters and
   * test the search on them.
   */
  part: string | undefined;
  /**
   * The search text is not counted, because it was rare when the long grams were chosen, or is longer than any of them.
   * `max` is then far too high.
   */
  isRare: boolean;
}

/** Counts the matches of a filter from the stored counts alone, as of the snapshot of `db`. */
export async function countFilter(db: Db, filter: StoredFilter): Promise<FilterCount> {
  const { search, tld, niche, riskLevel, confidence, source, dateAdded, names } = filter;
  const counts: number[] = names ? [names.length] : [];
  const found = search === undefined ? undefined : await countSearchMatches(db, search);
  if (found) counts.push(found.max);
  if (source !== undefined) counts.push(await countFacet(db, 'source', source));
  if (dateAdded !== undefined) counts.push(await countSince(db, dateAdded));
  const combinedFilters = [riskLevel, confidence, tld, niche].filter((value) => value !== undefined).length;
  if (combinedFilters > 1) counts.push(await countCombination(db, filter));
  else if (riskLevel !== undefined) counts.push(await countFacet(db, 'risk', String(toRiskNumber(riskLevel))));
  else if (confidence !== undefined) {
    counts.push(await countFacet(db, 'confidence', String(toConfidenceNumber(confidence))));
  } else if (tld !== undefined) counts.push(await countFacet(db, 'tld', tld));
  else if (niche !== undefined) counts.push(await countFacet(db, 'niche', niche));
  if (!isFiltered(filter) && !names) counts.push(await countFacet(db, 'all', ''));
  const max = Math.min(...counts);
  const isExact = counts.length === 1 && !found?.isRare && !names;
  return {
    exact: isExact || max === 0 ? max : undefined,
    max,
    part: found && isWorthLookup(found, max) ? found.part : undefined,
    isRare: found?.isRare ?? false,
  };
}

/**
 * Whether looking up a search takes less time than testing it on `max` rows that other filters find. Two characters
 * have no trigram of their own: the index reads all names that contain them.
 */
function isWorthLookup({ max: found, part }: SearchCount, max: number): boolean {
  return part !== undefined && found <= max * (part.length > 2 ? 20 : 1);
}

type SearchCount = Pick<FilterCount, 'max' | 'part' | 'isRare'>;

async function countSearchMatches(db: Db, text: string): Promise<SearchCount> {
  const grams = listGrams(text, maxShortGramLength);
  const trigrams = listGrams(text, 3);
  const { counted, counts, change, added } = await getGramCounts(db, text, [...grams, ...trigrams]);
  const known = counted ?? (text.length <= maxShortGramLength ? 0 : undefined);
  const max = known === undefined ? Math.min(...counts) + added : known + change;
  return { max, part: findPart(text, counts.slice(grams.length)), isRare: known === undefined };
}

/** Returns all pieces of a text with this length, or the text if it is shorter. */
function listGrams(text: string, length: number): string[] {
  return Array.from({ length: Math.max(1, text.length - length + 1) }, (_, i) => text.slice(i, i + length));
}

/** A trigram in more than this many times as many names as the rarest one takes longer to look up than it saves. */
const maxTrigramRatio = 16;
/** Trigrams to look up on each side of the rarest one. */
const maxNeighbors = 2;

/**
 * Returns the rarest trigram of a text, extended by those beside it that are not much more frequent. Returns a text of
 * two characters unchanged, and undefined for a single character.
 * @param counts the number of names with each trigram of the text
 */
function findPart(text: string, counts: number[]): string | undefined {
  if (text.length < 3) return text.length === 2 ? text : undefined;
  const min = Math.min(...counts);
  const rarest = counts.indexOf(min);
  const isUseful = (i: number) =>
    Math.abs(i - rarest) <= maxNeighbors && (counts[i] ?? Infinity) <= min * maxTrigramRatio;
  let [first, last] = [rarest, rarest];
  while (isUseful(first - 1)) first -= 1;
  while (isUseful(last + 1)) last += 1;
  return text.slice(first, last + 3);
}
