import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { mostSources, type RiskCounts, type RiskLevel } from '#shared/domains.ts';
import type { BlacklistSize } from '#shared/pages.ts';
import type { ListingOutcome } from '#shared/submissions.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { listedNameOf, lookupNames } from '../hosts/hosts.ts';
import { conflict, invalid, unavailable } from '../http/errors.ts';
import { costCell, plainLine, uniteSources } from '../sources/sources.ts';
import { requiredCells } from './domain-cells.ts';
import { riskWord } from './domain-of.ts';
import { findLastUpdate, findRowForUpdate, insertRow, setLockPatience, updateRow } from './store.ts';
import { listFacet } from './store-counts.ts';
import { selectListedNames, selectListings } from './store-match.ts';
import { type DomainRow, findRowByName, listRows } from './store-rows.ts';

/** What anybody may know of a listed name. Dates are ISO 8601. */
export interface Listing {
  id: number;
  domain: string;
  riskLevel: RiskLevel;
  sourceCount: number;
  niche: string | null;
  dateAdded: string;
  lastUpdated: string;
}

/**
 * The listing that covers each normalised host, its own or that of a domain above it; a host without one is missing. One
 * question to the database.
 */
export async function findListings(pool: pg.Pool, hosts: readonly string[]): Promise<Map<string, Listing>> {
  const names = [...new Set(hosts.flatMap(lookupNames))];
  if (names.length === 0) return new Map();
  const rows = await selectListings(pool, names);
  const listed = new Map(rows.map((row) => [row.domain, row]));
  const found = new Map<string, Listing>();
  for (const host of hosts) {
    const row = listed.get(listedNameOf(host, listed) ?? '');
    if (!row) continue;
    found.set(host, {
      ...row,
      riskLevel: riskWord(row.riskLevel),
      dateAdded: row.dateAdded.toISOString(),
      lastUpdated: row.lastUpdated.toISOString(),
    });
  }
  return found;
}

/** Those of many names that stand in the blacklist, asked exactly, in no order. Takes and gives text with a name on each line. */
export function findListedNames(db: Db, lines: string): Promise<string> {
  return selectListedNames(db, lines);
}

/** What the blacklist would say of a suggested site. */
export interface ListingPreview {
  sources: string[];
  riskLevel: RiskLevel;
}

/** What approving each of the sites would make of its domain now, by their order; undefined where it cannot be listed. */
export async function previewListings(
  db: Db,
  sites: readonly { domain: string; source: string }[],
): Promise<(ListingPreview | undefined)[]> {
  if (sites.length === 0) return [];
  const rows = await listRows(db, [...new Set(sites.map(({ domain }) => domain))]);
  const listed = new Map(rows.map((row) => [row.domain, row]));
  return sites.map(({ domain, source }) => {
    const after = uniteSources(listed.get(domain), source);
    if ('reason' in after) return undefined;
    return { sources: after.source.split(', '), riskLevel: riskWord(after.riskLevel) };
  });
}

/** A site that a user suggested and an admin has approved. */
interface CommunityDomain {
  domain: string;
  /** Where it is offered: one source, whatever stands in it. */
  source: string;
  niche: string;
  cost: string;
  /** Null when unknown. */
  domainRating: number | null;
}

/**
 * Lists a suggested site in the caller's transaction, under the named source and `community`. A domain that is listed already
 * gets these two too, and its cells only where they are empty; its risk follows the number of sources unless it was given.
 * Throws 400 for a name that cannot be listed, 409 when the sources become too many; while an import holds the row, the database's
 * lock timeout, for `mapLockError`.
 */
export async function listCommunityDomain(
  trx: Db,
  site: CommunityDomain,
  addedBy: string,
  now: Date,
): Promise<{ id: number; domain: string; outcome: ListingOutcome }> {
  const fresh = uniteSources(undefined, site.source);
  if ('reason' in fresh) throw invalid(fresh.reason, { source: fresh.reason });
  const required = requiredCells({ domain: site.domain, source: fresh.source });
  const cells = {
    niche: plainLine(site.niche) || null,
    cost: costCell(site.cost) || null,
    domainRating: site.domainRating,
  };
  await setLockPatience(trx, 10);
  const added = await insertRow(
    trx,
    {
      ...required,
      ...cells,
      riskLevel: fresh.riskLevel,
      riskGiven: false,
      description: null,
      sourceDetails: null,
      notes: null,
      outboundLinks: null,
    },
    addedBy,
    now,
  );
  if (added) return { id: added.id, domain: added.domain, outcome: 'added' };
  const before = await lockListed(trx, required.name);
  const united = uniteSources(before, site.source);
  if ('reason' in united) throw conflict(`${required.name} has ${mostSources} sources already: ${united.reason}`);
  const after = {
    ...united,
    niche: before.niche ?? cells.niche,
    cost: before.cost ?? cells.cost,
    domainRating: before.domainRating ?? cells.domainRating,
  };
  const { id, domain, ...kept } = before;
  const isSame = (Object.keys(after) as (keyof typeof after)[]).every((cell) => after[cell] === before[cell]);
  if (!isSame) await updateRow(trx, id, { ...kept, ...after, name: required.name, tld: required.tld }, now);
  return { id, domain, outcome: isSame ? 'unchanged' : 'updated' };
}

/** The listed row, held until the transaction ends. */
async function lockListed(trx: Db, name: string): Promise<DomainRow> {
  const found = await findRowByName(trx, name);
  const row = found && (await findRowForUpdate(trx, found.id));
  if (!row) throw conflict(`${name} was deleted from the blacklist at this very moment. Please try again.`);
  return row;
}

/** Lock timeout, deadlock. */
const busy = new Set(['55P03', '40P01']);

/** Turns the database's word that others hold what is wanted into a sentence for people (503). */
export async function mapLockError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && busy.has(String(error.code)))) throw error;
    throw unavailable(
      'An import or another change of many domains is under way. Please try again when it is done.',
      30,
    );
  }
}

export const tidyCountsQueue = { name: 'tidy-domain-counts', policy: 'stately' } as const;

/** Sends the job that tidies the counts. Call it after a change of many domains has been committed. */
export async function tidyCountsSoon({ jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await jobs.send(tidyCountsQueue.name, {});
}

/** Numbers of domains by level, and when something last changed. Cheap at any size. */
export async function countStats(db: Db): Promise<RiskCounts & { total: number; lastUpdated: string | null }> {
  const counts = await riskCounts(db);
  const total = counts.low + counts.medium + counts.high + counts.veryHigh;
  return { ...counts, total, lastUpdated: (await findLastUpdate(db))?.toISOString() ?? null };
}

export async function riskCounts(db: Db): Promise<RiskCounts> {
  const counts = new Map((await listFacet(db, 'risk')).map(({ key, count }) => [key, count]));
  const [low = 0, medium = 0, high = 0, veryHigh = 0] = ['1', '2', '3', '4'].map((level) => counts.get(level));
  return { low, medium, high, veryHigh };
}

/** Milliseconds for which an answer is repeated. */
const freshFor = 60_000;
/** Milliseconds that a page waits for its numbers. */
const patience = 1000;

/**
 * Gives the size of the blacklist to pages, which are read far more often than it changes: counted once a minute for all readers.
 * Where the database is slow or away the last known answer, or null, so that the page still comes.
 */
export function cachedBlacklistSize({
  db,
  now,
  log,
}: Pick<Context, 'db' | 'now' | 'log'>): () => Promise<BlacklistSize | null> {
  let known: BlacklistSize | null = null;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  async function count(): Promise<void> {
    try {
      const { total, lastUpdated } = await countStats(db);
      known = { total, lastUpdated };
      // An empty list is about to be filled by somebody who looks whether it worked.
      if (total > 0) countedAt = now().getTime();
    } catch (error) {
      log.warn({ err: error }, 'a page goes without the size of the blacklist');
    } finally {
      counting = undefined;
    }
  }

  return async () => {
    if (now().getTime() - countedAt < freshFor) return known;
    counting ??= count();
    await Promise.race([counting, setTimeout(patience, undefined, { ref: false })]);
    return known;
  };
}
