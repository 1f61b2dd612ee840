import { isDeepStrictEqual } from 'node:util';
import type * as contract from '#shared/blacklist/domains.ts';
import {
  type Domain,
  maxSources,
  type RiskCounts,
  type RiskLevel,
  sumRiskCounts,
  toConfidence,
  toRiskCounts,
  toRiskLevel,
  toRiskNumber,
} from '#shared/blacklist/domains.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { ListingOutcome } from '#shared/blacklist/submissions.ts';
import type { BlacklistSize } from '#shared/pages.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import type { Pagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { findCoveringName, lookupNames } from '../../hostnames/coverage/coverage.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ReadPool } from '../../platform/db/read-replica.ts';
import { cachedRead } from '../../platform/http/cached-read.ts';
import { conflict, invalidField, notFound, unavailable } from '../../platform/http/errors.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { deleteListDecisions } from '../guard/queries.ts';
import {
  countIndependent,
  findSources,
  lockDomains,
  refreshDomains,
  withdrawListings,
  withdrawListingsOf,
} from '../sources/queries.ts';
import {
  addCommunitySources,
  findOrCreateSources,
  listEvidence,
  noEvidence,
  readSources,
  saveListings,
  toSingleLine,
  toStoredCost,
} from '../sources/sources.ts';
import { type RebuildContext, rebuildGramsIn } from './counts/rebuild.ts';
import * as storedCounts from './counts/store-counts.ts';
import { inOneSnapshot, replaceCounts, vacuumCounts } from './counts/store-rebuild.ts';
import { setLockTimeout } from './queries.ts';
import { readStoredFilter } from './search/filter.ts';
import { countByRiskLevel } from './search/risk-counts.ts';
import { listDomains } from './search/search.ts';
import * as store from './store.ts';

/** The public fields of a listed domain. Dates are ISO 8601. */
export type ListedDomain = Pick<
  Domain,
  | 'id'
  | 'domain'
  | 'riskLevel'
  | 'sourceCount'
  | 'independentSourceCount'
  | 'confidence'
  | 'niche'
  | 'dateAdded'
  | 'lastUpdated'
>;

/**
 * Returns the listed domain that decides about each normalized host: of the host and its parent domains, the one with
 * the highest risk. Hosts that no listed domain covers, or that an allow rule protects, are absent. One query.
 */
export async function findListedDomains(pool: ReadPool, hosts: readonly string[]): Promise<Map<string, ListedDomain>> {
  const names = [...new Set(hosts.flatMap(lookupNames))];
  if (names.length === 0) return new Map();
  const rows = await store.findListedDomainRows(pool, names);
  const listed = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.domain, row] as const])));
  const risks = new Map(rows.map((row) => [row.domain, row.id === null ? 0 : row.riskLevel]));
  const found = new Map<string, ListedDomain>();
  for (const host of hosts) {
    const row = listed.get(findCoveringName(host, risks) ?? '');
    if (!row) continue;
    const { copies, ...open } = row;
    found.set(host, {
      ...open,
      independentSourceCount: row.sourceCount - copies,
      confidence: toConfidence(row.confidence),
      riskLevel: toRiskLevel(row.riskLevel),
      dateAdded: row.dateAdded.toISOString(),
      lastUpdated: row.lastUpdated.toISOString(),
    });
  }
  return found;
}

/**
 * Returns a page of those of the given names that are listed and match a query, and the number of all of them by risk
 * level, whatever level the query has.
 */
export async function listNamedDomains(
  { db, now }: Pick<Context, 'db' | 'now'>,
  names: readonly string[],
  query: QueryOf<typeof contract.listDomains>,
  user: Pick<Identity, 'isAdmin'>,
): Promise<{ domains: Domain[]; pagination: Pagination; counts: RiskCounts }> {
  const filter = await readStoredFilter(db, query, user.isAdmin, now());
  const named = filter && { ...filter, names };
  return { ...(await listDomains(db, named, query, user.isAdmin)), counts: await countByRiskLevel(db, named) };
}

/** Finds a listed domain by its name, with the fields that everyone may see. */
export async function findDomain(db: Db, name: string): Promise<Domain | undefined> {
  const row = await store.findRow(db, name);
  return row && store.toDomain(row, false);
}

/** Returns those of the names that are listed, with the fields that everyone may see. One query. */
export async function listDomainsByName(db: Db, names: readonly string[]): Promise<Domain[]> {
  if (names.length === 0) return [];
  return (await store.listRows(db, names)).map((row) => store.toDomain(row, false));
}

/**
 * Returns those of the given names that are in the blacklist, with their risk, 1 to 4, and those with an allow rule,
 * with 0, as `findCoveringName` needs them.
 * @param lines one name per line
 */
export async function findListedNames(db: Db, lines: string): Promise<Map<string, number>> {
  const listed = await store.findNames(db, lines);
  if (listed === '') return new Map();
  return new Map(listed.split('\n').map((line) => [line.slice(1), Number(line.charAt(0))]));
}

/** How the blacklist would list a submitted site. */
export interface ListingPreview {
  sources: string[];
  independentSourceCount: number;
  riskLevel: RiskLevel;
}

/**
 * Previews how each site would be listed if it were approved now, in the given order; undefined for a site that cannot
 * be listed.
 */
export async function previewListings(
  db: Db,
  sites: readonly { domain: string; source: string }[],
): Promise<(ListingPreview | undefined)[]> {
  if (sites.length === 0) return [];
  const rows = await store.listRows(db, [...new Set(sites.map(({ domain }) => domain))]);
  const listed = new Map(rows.map((row) => [row.domain, row]));
  const merged = sites.map(({ domain, source }) => {
    const read = addCommunitySources(listed.get(domain)?.source ?? [], source);
    return { row: listed.get(domain), names: 'sources' in read ? read.sources : [] };
  });
  const found = await findSources(db, [...new Set(merged.flatMap(({ names }) => names))]);
  const lists = merged.map(({ names }) => [...new Set(names.map((name) => found.get(name)?.name ?? name))]);
  const counts = (await countIndependent(db, lists)).values();
  return merged.map(({ row }, at) => {
    const sources = lists[at] ?? [];
    const counted = sources.length > 0 ? counts.next().value : undefined;
    return (
      counted && {
        sources,
        independentSourceCount: counted.independent,
        riskLevel: toRiskLevel(row?.riskGiven ? row.riskLevel : counted.risk),
      }
    );
  });
}

/** A domain to list, or to merge into its entry on the blacklist. Absent and null fields are unknown. */
export interface NewListing {
  domain: string;
  /** The names of the sources that list it, without commas. */
  sources: readonly string[];
  /** Kind of those sources that do not exist yet. */
  kind?: SourceKind;
  /** The evidence of each of these sources. */
  price?: string | null;
  evidenceUrl?: string | null;
  note?: string | null;
  /** A level set by a file. Without it, the level follows from the sources. */
  riskLevel?: RiskLevel;
  cost?: string | null;
  description?: string | null;
  sourceDetails?: string | null;
  notes?: string | null;
  niche?: string | null;
  /** 0 to 100. */
  domainRating?: number | null;
  outboundLinks?: number | null;
}

/**
 * Lists a domain in the caller's transaction. If it is already listed, it gets the new sources and only its empty
 * fields are filled in; its risk level follows the number of independent sources unless the level was set by hand.
 * @throws 400 for a name or sources that cannot be stored, 409 for too many sources, and the database's lock timeout
 *   while an import has the row locked (wrap the call in `mapLockError`)
 */
export async function addListing(
  trx: Db,
  { sources, kind, price, evidenceUrl, note, riskLevel, ...site }: NewListing,
  addedBy: string,
  now: Date,
): Promise<{ id: number; domain: string; outcome: ListingOutcome }> {
  const listable = listableName(site.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const read = readSources(sources.join(','));
  if ('reason' in read) throw invalidField('source', read.reason);
  const cells = {
    description: site.description || null,
    sourceDetails: site.sourceDetails || null,
    notes: site.notes || null,
    niche: toSingleLine(site.niche ?? '') || null,
    cost: toStoredCost(site.cost ?? '') || null,
    domainRating: site.domainRating ?? null,
    outboundLinks: site.outboundLinks ?? null,
  };
  const proof = {
    price: toStoredCost(price ?? '') || null,
    evidenceUrl: evidenceUrl || null,
    note: note || null,
  };
  await setLockTimeout(trx, 10);
  const found = await findOrCreateSources(trx, read.sources, kind);
  const source = found.map(({ name }) => name);
  const risk = { riskLevel: riskLevel ? toRiskNumber(riskLevel) : 1, riskGiven: riskLevel !== undefined };
  const addedId = await store.insertRow(trx, { ...listable, ...cells, source, ...risk }, addedBy, now);
  if (addedId !== undefined) {
    const listings = found.map((source) => ({ sourceId: source.id, ...proof }));
    await saveListings(trx, listable.name, listings, now);
    return { id: addedId, domain: listable.name, outcome: 'added' };
  }

  const before = await store.findRowForUpdate(trx, listable.name);
  if (!before) throw conflict(`${listable.name} was just deleted from the blacklist. Please try again.`);
  const united = readSources([...before.source, ...source].join(','));
  if ('reason' in united) {
    throw conflict(`${listable.name} cannot have more than ${maxSources} sources: remove one before you add another.`);
  }
  const evidence = (await listEvidence(trx, [listable.name])).get(listable.name) ?? [];
  const given = new Set(found.map((source) => source.id));
  const all = await findOrCreateSources(trx, united.sources);
  const listings = all.map(({ id: sourceId }) => {
    const stored = evidence.find((listing) => listing.sourceId === sourceId) ?? noEvidence;
    const added = given.has(sourceId) ? proof : noEvidence;
    return {
      sourceId,
      price: stored.price ?? added.price,
      evidenceUrl: stored.evidenceUrl ?? added.evidenceUrl,
      note: stored.note ?? added.note,
    };
  });
  const after = {
    ...before,
    source: all.map(({ name }) => name),
    ...(riskLevel && risk),
    description: before.description ?? cells.description,
    sourceDetails: before.sourceDetails ?? cells.sourceDetails,
    notes: before.notes ?? cells.notes,
    niche: before.niche ?? cells.niche,
    cost: before.cost ?? cells.cost,
    domainRating: before.domainRating ?? cells.domainRating,
    outboundLinks: before.outboundLinks ?? cells.outboundLinks,
  };
  if (!isDeepStrictEqual(after, before)) await store.updateRow(trx, before.id, { ...after, ...listable }, now);
  await saveListings(trx, listable.name, listings, now);
  const isSame = isDeepStrictEqual(await store.getRow(trx, before.id), before);
  return { id: before.id, domain: listable.name, outcome: isSame ? 'unchanged' : 'updated' };
}

/**
 * Removes domains from the blacklist, by their ids or names, and withdraws all their listings, which stay as history.
 * An earlier decision to list a protected one is forgotten.
 * @returns the names of those that were listed
 * @throws the database's lock timeout while an import has a row locked (wrap the call in `mapLockError`)
 */
export async function delistDomains(trx: Db, keys: readonly (number | string)[], now: Date): Promise<string[]> {
  await setLockTimeout(trx, 10);
  const names = await store.deleteRows(trx, keys);
  if (names.length === 0) return names;
  await withdrawListings(trx, names, now);
  await deleteListDecisions(trx, names);
  return names;
}

/**
 * Withdraws the listings of names by one source. Names that no other source lists are removed from the blacklist. An
 * earlier decision to list a protected one stays.
 * @returns how many listings were withdrawn, and how many names were removed from the blacklist
 */
export async function withdrawFromSource(
  trx: Db,
  sourceId: number,
  names: readonly string[],
  now: Date,
): Promise<{ withdrawn: number; delisted: number }> {
  await lockDomains(trx, names);
  const withdrawn = await withdrawListingsOf(trx, sourceId, names, now);
  const delisted = await store.deleteUnlisted(trx, withdrawn);
  if (delisted < withdrawn.length) await refreshDomains(trx, withdrawn, now);
  return { withdrawn: withdrawn.length, delisted };
}

/** A listing that was removed from the blacklist, with the fields to list the domain again. */
export interface RemovedListing {
  domain: string;
  sourceId: number;
  cells: Omit<NewListing, 'domain' | 'sources' | 'kind'>;
}

/**
 * Removes a domain and all its subdomains from the blacklist, and withdraws their listings.
 * @returns what each source listed
 * @throws the database's lock timeout while an import has a row locked (wrap the call in `mapLockError`)
 */
export async function delistWithSubdomains(trx: Db, name: string, now: Date): Promise<RemovedListing[]> {
  await setLockTimeout(trx, 10);
  return await delistRows(trx, await store.listRowsBelowForUpdate(trx, name), now);
}

/**
 * Removes locked rows from the blacklist, and withdraws their listings.
 * @returns what each source listed
 */
export async function delistRows(trx: Db, rows: readonly store.DomainRow[], now: Date): Promise<RemovedListing[]> {
  if (rows.length === 0) return [];
  const names = rows.map(({ domain }) => domain);
  const evidence = await listEvidence(trx, names);
  await delistDomains(trx, names, now);
  return rows.flatMap((row) =>
    (evidence.get(row.domain) ?? []).map(({ sourceId, price, evidenceUrl, note }) => {
      const riskLevel = row.riskGiven ? { riskLevel: toRiskLevel(row.riskLevel) } : {};
      const { domain, description, sourceDetails, notes, niche, cost, domainRating, outboundLinks } = row;
      const cells = { description, sourceDetails, notes, niche, domainRating, outboundLinks, cost };
      return { domain, sourceId, cells: { ...cells, ...riskLevel, price, evidenceUrl, note } };
    }),
  );
}

/** SQLSTATE codes of a lock timeout and a deadlock. */
const lockErrors = new Set(['55P03', '40P01']);

/**
 * Turns a lock timeout or deadlock into a 503 that tells the user to retry. Other errors pass through.
 */
export async function mapLockError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && lockErrors.has(String(error.code)))) throw error;
    throw unavailable('An import or another bulk change is in progress. Please try again when it has finished.', 30);
  }
}

export const compactCountsQueue = { name: 'tidy-domain-counts', policy: 'stately' } as const;

/** Queues the job that compacts the counts. Call it after a change of many domains is committed. */
export async function queueCompactCounts({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.send(compactCountsQueue.name, {});
}

/** @throws 404 */
export async function getDomain(db: Db, id: number, isAdmin: boolean): Promise<Domain> {
  const row = await store.findRow(db, id);
  if (!row) throw notFound('domain', id);
  return store.toDomain(row, isAdmin);
}

/**
 * Returns the number of domains by risk level, and when the blacklist was last updated: when a domain last changed, or
 * when a list was last compared with it. Reads only stored counts, so it is fast at any size.
 */
export async function getBlacklistStats(db: Db): Promise<RiskCounts & { total: number; lastUpdated: string | null }> {
  const counts = await countByRisk(db);
  return {
    ...counts,
    total: sumRiskCounts(counts),
    lastUpdated: (await store.findLastUpdate(db))?.toISOString() ?? null,
  };
}

export async function countByRisk(db: Db): Promise<RiskCounts> {
  const counts = new Map((await storedCounts.listFacet(db, 'risk')).map(({ key, count }) => [key, count]));
  return toRiskCounts((level) => counts.get(String(toRiskNumber(level))));
}

/**
 * Returns a function that reads the size of the blacklist at most once a minute. While the database is slow or down it
 * returns the last known size, or null.
 */
export function cachedBlacklistSize({
  db,
  pageWaitMs,
  now,
  log,
}: Pick<Context, 'db' | 'pageWaitMs' | 'now' | 'log'>): () => Promise<BlacklistSize | null> {
  return cachedRead({
    async read() {
      const { total, lastUpdated } = await getBlacklistStats(db);
      return { total, lastUpdated };
    },
    // An empty blacklist is not cached: right after the first import, admins check whether it worked.
    isKept: ({ total }) => total > 0,
    what: 'the size of the blacklist',
    pageWaitMs,
    now,
    log,
  });
}

/** The counts by facet take about this share of a rebuild. */
const facetsShare = 0.25;

/**
 * Rebuilds all stored counts from one snapshot of the domains, which may change meanwhile. Needed for maintenance, and
 * after a bulk load with the triggers disabled. Ten million domains take about two minutes, mostly of CPU time, so a
 * server runs it in a process of its own.
 */
export async function rebuildCounts({ pool, onProgress }: RebuildContext): Promise<void> {
  await inOneSnapshot(pool, async (client) => {
    await replaceCounts(client);
    onProgress(facetsShare);
    await rebuildGramsIn(client, (share) => onProgress(facetsShare + share * (1 - facetsShare)));
  });
  await vacuumCounts(pool);
}
