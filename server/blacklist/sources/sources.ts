import { isDeepStrictEqual } from 'node:util';
import { maxSourceLength, maxSources } from '#shared/blacklist/domains.ts';
import type { Listing, SourceKind } from '#shared/blacklist/sources.ts';
import { communitySource } from '#shared/blacklist/submissions.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict } from '../../platform/http/errors.ts';
import type { Source } from './queries.ts';
import { findSources, insertSources, updateLastSeen } from './queries.ts';
import * as store from './store.ts';

/**
 * Splits a comma-separated cell into its sources, in the order of their first mention and without duplicates (ignoring
 * case). Returns a sentence that says what to correct if there is none or a limit is exceeded. The limits keep every
 * source short enough for an index.
 */
export function readSources(cell: string): { sources: string[] } | { reason: string } {
  const names = new Map<string, string>();
  for (const part of toSingleLine(cell).split(',')) {
    const name = stripQuotes(part);
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  }
  const sources = [...names.values()];
  if (sources.length === 0) return { reason: 'The source is missing: enter at least one.' };
  if (sources.length > maxSources) return { reason: `There are more than ${maxSources} sources: remove some.` };
  if (sources.some((name) => name.length > maxSourceLength)) {
    return { reason: `A source name is longer than ${maxSourceLength} characters: shorten it.` };
  }
  return { sources };
}

/**
 * Converts the text that a user entered as the source of a site to one source. Commas would split it into several
 * sources, so they become semicolons. Returns '' if nothing visible was entered.
 */
export function toSingleSource(given: string): string {
  const parts = toSingleLine(given)
    .split(',')
    .map(stripQuotes)
    .filter((part) => part !== '');
  const spaced = parts.join('; ');
  return spaced.length <= maxSourceLength ? spaced : parts.join(';');
}

/**
 * Adds the source of a user's submission and the source `community` to the sources of a domain.
 * @param listed the sources of the domain, joined by ', '; undefined if it is not listed
 * @returns `reason` if there are too many sources or one is too long
 */
export function addCommunitySources(
  listed: string | undefined,
  given: string,
): { sources: string[] } | { reason: string } {
  return readSources([listed ?? '', toSingleSource(given), communitySource].join(','));
}

/** Invisible characters that change the direction of the following text, or make two different names look the same. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Printable ASCII with single spaces: one line already, as most texts of a file are. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Converts a text to one line: runs of white space and control characters become one space, and invisible characters
 * are removed.
 */
export function toSingleLine(text: string): string {
  if (text === '' || plainLine.test(text)) return text;
  return text
    .replace(invisible, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

const pairs: ReadonlySet<string> = new Set(['""', "''", '“”', '„“', '‘’']);

/** Removes the white space and the pairs of quotation marks around a text. */
function stripQuotes(text: string): string {
  let inner = text.trim();
  while (inner.length > 1 && pairs.has(inner.charAt(0) + inner.charAt(inner.length - 1))) {
    inner = inner.slice(1, -1).trim();
  }
  return inner;
}

/** Converts a price to the stored form: one line without quotation marks around it. */
export function toStoredCost(text: string): string {
  return stripQuotes(toSingleLine(text));
}

/** Returns the listings of a name, the active ones first. Only admins get all fields; see `Listing`. */
export async function listListings(db: Db, name: string, isAdmin: boolean): Promise<Listing[]> {
  return (await store.listListingRows(db, name)).map((row) => toListing(row, isAdmin));
}

function toListing(row: store.ListingRow, isAdmin: boolean): Listing {
  const isOpen = isAdmin || row.isPublic;
  return {
    source: isOpen ? row.source : null,
    kind: row.kind,
    family: toOpenFamily(row, isAdmin),
    firstSeen: row.firstSeen.toISOString(),
    lastSeen: row.lastSeen.toISOString(),
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    evidenceUrl: row.evidenceUrl,
    price: row.price,
    note: isOpen ? row.note : null,
  };
}

/** An active listing, as far as a caller may see it. */
export interface ActiveListing {
  name: string;
  price: string | null;
  evidenceUrl: string | null;
  sourceId: number;
  kind: SourceKind;
  /** Null for a private source. */
  source: string | null;
  /** The name is null for a family with a private source. */
  family: { id: number; name: string | null } | null;
}

/** Returns the active listings of names, in no particular order. Admins see all names of sources. One query. */
export async function listActiveListings(db: Db, names: readonly string[], isAdmin: boolean): Promise<ActiveListing[]> {
  if (names.length === 0) return [];
  return (await store.listActiveListingRows(db, names)).map((row) => ({
    name: row.name,
    price: row.price,
    evidenceUrl: row.evidenceUrl,
    sourceId: row.sourceId,
    kind: row.kind,
    source: isAdmin || row.isPublic ? row.source : null,
    family: toOpenFamily(row, isAdmin),
  }));
}

/** A family is often called like one of its sources, so its name is as secret as theirs. */
function toOpenFamily(
  { familyId, familyName, isFamilyPublic }: Pick<store.ListingRow, 'familyId' | 'familyName' | 'isFamilyPublic'>,
  isAdmin: boolean,
): Listing['family'] {
  if (familyId === null) return null;
  return { id: familyId, name: isAdmin || isFamilyPublic === true ? familyName : null };
}

/** The kind of a source that nobody has chosen a kind for. */
export const defaultKind = (name: string): SourceKind =>
  name.toLowerCase() === communitySource ? 'submission' : 'manual';

/** Finds sources by their names, ignoring case, and creates those that do not exist. */
export async function findOrCreateSources(
  db: Db,
  names: readonly string[],
  kind?: SourceKind,
): Promise<Map<string, Source>> {
  const found = await findSources(db, names);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return found;
  await insertSources(
    db,
    missing.map((name) => ({ name, kind: kind ?? defaultKind(name) })),
  );
  return await findSources(db, names);
}

/** The listings that a domain is going to have, and what `domains` stores about them. */
export interface ListingPlan {
  /** The names of the sources, joined by ', '. */
  source: string;
  copies: number;
  proof: number;
  listings: readonly (store.Evidence & { sourceId: number })[];
  /** What the plan was made from. */
  sources: readonly Source[];
}

export const noEvidence: store.Evidence = { price: null, evidenceUrl: null, note: null };

/**
 * Plans the listings of a domain by exactly these sources. Listings of other sources will be withdrawn. Write the
 * domain first and then call `saveListings`, because every writer locks domains before their listings.
 * @param current the listed name with the stored listings; undefined for a domain that is not listed
 * @param names at least one, without duplicates ignoring case
 * @param toEvidence returns the evidence of a source, given its id and the stored evidence of its active listing
 * @param kind of sources that do not exist yet
 */
export async function planListings(
  trx: Db,
  current: string | undefined,
  names: readonly string[],
  {
    toEvidence,
    kind,
  }: { toEvidence: (sourceId: number, stored?: store.Evidence) => store.Evidence; kind?: SourceKind },
): Promise<ListingPlan> {
  const found = await findOrCreateSources(trx, names, kind);
  const sources = uniqueSources(names, found);
  const rows = current === undefined ? [] : await store.listListingRows(trx, current);
  const stored = new Map(rows.filter(({ withdrawnAt }) => withdrawnAt === null).map((row) => [row.sourceId, row]));
  const listings = sources.map(({ id, kind }) => {
    const { price, evidenceUrl, note } = toEvidence(id, stored.get(id));
    return { sourceId: id, kind, price, evidenceUrl, note };
  });
  return {
    source: sources.map(({ name }) => name).join(', '),
    copies: countCopies(sources),
    proof: Math.max(...listings.map((listing) => getProof(listing.kind, listing))),
    listings,
    sources,
  };
}

/** Returns the sources with these names, each once. */
export function uniqueSources(names: readonly string[], found: ReadonlyMap<string, Source>): Source[] {
  const byId = new Map<number, Source>();
  for (const name of names) {
    const source = found.get(name);
    if (source) byId.set(source.id, source);
  }
  return [...byId.values()];
}

/**
 * Makes the listings of a name exactly those of a plan.
 * @throws 409 if one of its sources was changed or merged since the plan was made
 */
export async function saveListings(trx: Db, name: string, plan: ListingPlan, now: Date): Promise<void> {
  const ids = plan.sources.map(({ id }) => id);
  await store.upsertListings(trx, name, plan.listings, now);
  await store.withdrawListings(trx, [name], now, ids);
  const current = await store.lockSourcesForListing(trx, ids);
  for (const source of plan.sources) {
    if (!isDeepStrictEqual(source, current.get(source.id))) {
      throw conflict(`The source ${source.name} was changed or merged in the meantime. Please try again.`);
    }
  }
  await updateLastSeen(trx, ids, now);
}

/**
 * Returns how many sources are not independent: those that repeat another source of their family, and `community`
 * beside others, because a user's submission is listed by the place that it names and by `community`.
 */
export function countCopies(sources: readonly { name: string; familyId: number | null }[]): number {
  const others = sources.filter(({ name }) => name.toLowerCase() !== communitySource);
  const independent = new Set(others.map(({ name, familyId }) => familyId ?? name)).size;
  return sources.length - Math.max(Math.min(sources.length, 1), independent);
}

/** Returns `domains.proof` for one listing: see migrations/0001_baseline.sql. */
export function getProof(
  kind: SourceKind,
  { price, evidenceUrl }: { price?: string | null | undefined; evidenceUrl?: string | null | undefined },
): number {
  if (kind !== 'inventory' && kind !== 'submission') return 0;
  return price || evidenceUrl ? 2 : 1;
}

/**
 * Returns the evidence of the active listings of names, each by the name and the id of its source with a space between.
 */
export async function listEvidence(db: Db, names: readonly string[]): Promise<Map<string, store.Evidence>> {
  const rows = await store.listActiveEvidence(db, names);
  return new Map(rows.map(({ name, sourceId, ...evidence }) => [`${name} ${sourceId}`, evidence]));
}

/** Withdraws all active listings of names. They remain as history. */
export const withdrawAllListings = (trx: Db, names: readonly string[], now: Date): Promise<void> =>
  store.withdrawListings(trx, names, now);
