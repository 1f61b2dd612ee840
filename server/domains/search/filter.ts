import { domainToASCII } from 'node:url';
import { type DomainFilter, type DomainQuery, isFiltered } from '#shared/domains.ts';
import type { Db } from '../../db/database.ts';
import { normalizeHost } from '../../hosts/hosts.ts';
import { forbidden } from '../../http/errors.ts';
import { maxShortGramLength } from '../counts/grams.ts';
import { countCombination, countFacet, countSince, getGramCounts } from '../counts/store-counts.ts';
import { toRiskNumber } from '../store.ts';

const recentDays = 30;
const dayMs = 86_400_000;

/**
 * The filter of a query in the form that the store takes: `search` contains only characters of names, `tld` has no dot, and
 * `dateAdded` covers 'recent' too. Undefined when nothing can match. Throws 403 when anyone but an admin filters or sorts by source.
 */
export function readFilter(query: DomainQuery, isAdmin: boolean, now: Date): DomainFilter | undefined {
  if (!isAdmin && (query.source || query.sort?.startsWith('source'))) {
    throw forbidden('Only administrators can filter or sort by source.');
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
    source: query.source || undefined,
    dateAdded: isRecent ? recentDay : query.dateAdded,
  };
}

/**
 * What names must contain: undefined without a search, null when no name can contain it. A pasted address becomes its host, and
 * names in other scripts become punycode.
 */
function normalizeSearch(search: string | undefined): string | null | undefined {
  const text = search?.trim().toLowerCase();
  if (!text) return undefined;
  const isAddress = /[/:@?#]/.test(text) || text.startsWith('www.');
  const part = isAddress ? hostPart(normalizeHost(text) ?? text) : text;
  const ascii = /\P{ASCII}/u.test(part) ? domainToASCII(part) : part;
  return /^[a-z0-9._-]{1,253}$/.test(ascii) ? ascii : null;
}

/** The host of an address, also of one without a full domain, such as `https://shop`. */
function hostPart(text: string): string {
  return text
    .replace(/^[a-z]*:?\/\//, '')
    .replace(/[/?#:].*$/s, '')
    .replace(/^www\./, '');
}

/** What the kept counts know about the matches of a filter. */
export interface FilterCount {
  /** The number of matches, where the kept counts contain it. */
  exact: number | undefined;
  /** At least the number of matches. */
  max: number;
  /** The part of the search that the fewest names contain and that the search index finds quickly; undefined where there is none. */
  rarestPart: string | undefined;
  /** The search was rare when the counted pieces were chosen: `max` is far too high. */
  isRare: boolean;
  /** The search leaves the fewest rows of all conditions, but has no part that the search index finds quickly. */
  needsNameScan: boolean;
}

/** Counts the matches of a filter without reading domains, as of the snapshot of `db`. */
export async function countFilter(db: Db, filter: DomainFilter): Promise<FilterCount> {
  const { search, tld, niche, riskLevel, source, dateAdded } = filter;
  const counts: number[] = [];
  const found = search === undefined ? undefined : await countSearchMatches(db, search);
  if (found) counts.push(found.max);
  if (source !== undefined) counts.push(await countFacet(db, 'source', source));
  if (dateAdded !== undefined) counts.push(await countSince(db, dateAdded));
  const combined = [riskLevel, tld, niche].filter((value) => value !== undefined).length;
  if (combined > 1) counts.push(await countCombination(db, filter));
  else if (riskLevel !== undefined) counts.push(await countFacet(db, 'risk', String(toRiskNumber(riskLevel))));
  else if (tld !== undefined) counts.push(await countFacet(db, 'tld', tld));
  else if (niche !== undefined) counts.push(await countFacet(db, 'niche', niche));
  if (!isFiltered(filter)) counts.push(await countFacet(db, 'all', ''));
  const max = Math.min(...counts);
  const isExact = counts.length === 1 && !found?.isRare;
  return {
    exact: isExact || max === 0 ? max : undefined,
    max,
    rarestPart: found?.rarestPart,
    isRare: found?.isRare ?? false,
    needsNameScan: found !== undefined && found.rarestPart === undefined && found.max === max,
  };
}

async function countSearchMatches(db: Db, text: string): Promise<Pick<FilterCount, 'max' | 'rarestPart' | 'isRare'>> {
  const pieces = Array.from({ length: Math.max(1, text.length - maxShortGramLength + 1) }, (_, i) =>
    text.slice(i, i + maxShortGramLength),
  );
  const { counted, counts, change, added } = await getGramCounts(db, text, pieces);
  const known = counted ?? (text.length <= maxShortGramLength ? 0 : undefined);
  const max = known === undefined ? Math.min(...counts) + added : known + change;
  return { max, rarestPart: findRarestPart(text, pieces, counts), isRare: known === undefined };
}

/**
 * The rarest piece with up to two more characters on each side, within letters and digits: the search index has no entries across
 * dots and hyphens, and the entries for the start and end of a word match too many names.
 */
function findRarestPart(text: string, pieces: string[], counts: number[]): string | undefined {
  const words = [...text.matchAll(/[a-z0-9]{3,}/g)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  const parts = pieces.flatMap((_, i) => {
    const word = words.find(({ from, to }) => from <= i && i + maxShortGramLength <= to);
    return word
      ? [{ count: counts[i] ?? 0, from: Math.max(word.from, i - 2), to: Math.min(word.to, i + maxShortGramLength + 2) }]
      : [];
  });
  const [best] = parts.sort((a, b) => a.count - b.count);
  if (best) return text.slice(best.from, best.to);
  // Two letters beside a dot or hyphen are an entry too.
  return /[a-z0-9]{3}|[a-z0-9]{2}[._-]|[._-][a-z0-9]{2}/.test(text) ? text : undefined;
}
