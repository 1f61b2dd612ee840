import { maxSourceLength, maxSources } from '#shared/blacklist/domains.ts';
import type { Listing, SourceKind } from '#shared/blacklist/sources.ts';
import { communitySource } from '#shared/blacklist/submissions.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict } from '../../platform/http/errors.ts';
import {
  findSources,
  insertSources,
  refreshDomains,
  type Source,
  updateLastSeen,
  withdrawListings,
} from './queries.ts';
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
 * @param listed the sources of the domain; none if it is not listed
 * @returns `reason` if there are too many sources or one is too long
 */
export function addCommunitySources(
  listed: readonly string[],
  given: string,
): { sources: string[] } | { reason: string } {
  return readSources([...listed, toSingleSource(given), communitySource].join(','));
}

/** Invisible characters that change the direction of the following text, or make two different names look the same. */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Printable ASCII with single spaces: one line already, as most texts of a file are. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/**
 * Converts a text to one line: runs of white space and control characters become one space, invisible characters are
 * removed, and halves of characters are replaced as the database would do it.
 */
export function toSingleLine(text: string): string {
  if (text === '' || plainLine.test(text)) return text;
  return text
    .toWellFormed()
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
    proof: toProof(row),
  };
}

function toProof({ proofStatus: status, proofCheckedAt, proofQuote: quote, proofIsGone }: store.ListingRow) {
  if (!status || !proofCheckedAt) return null;
  return { status, checkedAt: proofCheckedAt.toISOString(), quote, isGone: proofIsGone ?? false };
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

/**
 * Finds sources by their names, ignoring case, and creates those that do not exist. Two names of one source are one
 * source.
 * @param kind of sources that do not exist yet
 */
export async function findOrCreateSources(
  db: Db,
  names: readonly string[],
  kind?: SourceKind,
): Promise<readonly Source[]> {
  const found = await findSources(db, names);
  const missing = names.filter((name) => !found.has(name));
  if (missing.length === 0) return uniqueSources(names, found);
  await insertSources(
    db,
    missing.map((name) => ({ name, kind: kind ?? defaultKind(name) })),
  );
  return uniqueSources(names, await findSources(db, names));
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

export const noEvidence: store.Evidence = { price: null, evidenceUrl: null, note: null };

/**
 * Makes the listings of a listed name exactly these, and updates what its domain stores about them. Write the domain
 * first, because every writer locks domains before their listings.
 * @throws 409 if one of the sources was merged into another one meanwhile
 */
export async function saveListings(
  trx: Db,
  name: string,
  listings: readonly (store.Evidence & { sourceId: number })[],
  now: Date,
): Promise<void> {
  const ids = listings.map(({ sourceId }) => sourceId);
  await store.upsertListings(trx, name, listings, now);
  await withdrawListings(trx, [name], now, ids);
  if ((await store.lockSourcesForListing(trx, ids)) < ids.length) {
    throw conflict('A source of this domain was merged into another one in the meantime. Please try again.');
  }
  await refreshDomains(trx, [name], now, { isEdit: true });
  await updateLastSeen(trx, ids, now);
}

/** Returns the evidence of the active listings of names, by name, in the order in which their sources listed it. */
export async function listEvidence(
  db: Db,
  names: readonly string[],
): Promise<Map<string, (store.Evidence & { sourceId: number })[]>> {
  return Map.groupBy(await store.listActiveEvidence(db, names), ({ name }) => name);
}
