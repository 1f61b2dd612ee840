import type { DomainInput } from '#shared/blacklist/domain-changes.ts';
import { type Domain, type RiskCounts, toRiskNumber } from '#shared/blacklist/domains.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { requireConfirmation } from '../guard/guard.ts';
import { refreshDomains, type Source, withdrawListings } from '../sources/queries.ts';
import {
  findOrCreateSources,
  listEvidence,
  noEvidence,
  readSources,
  saveListings,
  toSingleLine,
  toStoredCost,
} from '../sources/sources.ts';
import { countFacet } from './counts/store-counts.ts';
import { countByRisk, delistDomains, mapLockError } from './domains.ts';
import { setLockTimeout } from './queries.ts';
import {
  type DomainCells,
  type DomainRow,
  findRow,
  findRowForUpdate,
  getRow,
  insertRow,
  lockDomains,
  recomputeRisk,
  toDomain,
  truncateDomains,
  updateRow,
} from './store.ts';
import { keepRows, restoreRows } from './store-deleted.ts';

/**
 * Adds a domain to the blacklist. If it has one source, its cost is the price of that source's listing.
 * @throws 400 for a name that cannot be listed, 409 with `existingId` if it is already listed, 409 if the guard
 *   protects it and the admin has not confirmed it, and 503 after a deadlock with an import
 */
export async function createDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  input: DomainInput,
  user: Pick<Identity, 'id' | 'username'>,
  audit: Audit,
): Promise<Domain> {
  const required = parseRequiredCells(input);
  const created = db.transaction().execute(async (trx) => {
    if (await findRow(trx, required.name)) throw await alreadyListedError(trx, required.name);
    const confirmation = { isConfirmed: input.confirmed === true, admin: user, now: now() };
    const overruled = await requireConfirmation(trx, required.name, confirmation);
    const price = required.sources.length === 1 ? toStoredCost(input.cost ?? '') || null : null;
    const sources = await findOrCreateSources(trx, required.sources);
    const id = await insertRow(trx, toDomainCells(required, sources, input), user.username, now());
    if (id === undefined) throw await alreadyListedError(trx, required.name);
    const listings = sources.map((source) => ({ ...noEvidence, price, sourceId: source.id }));
    await saveListings(trx, required.name, listings, now());
    await audit(trx, { id, domain: required.name, ...(overruled && { overruled }) });
    return getRow(trx, id);
  });
  return toDomain(await mapLockError(created), true);
}

/**
 * Changes a domain and its listings. If it has one source, a new cost is the price of that source's listing. A renamed
 * domain takes the evidence of its listings along. Absent fields keep their value, null clears them.
 * @throws 404, 400, 409 with `existingId` for a taken name, 409 for a new name that the guard protects and the admin
 *   has not confirmed, and 503 after a deadlock with an import
 */
export async function updateDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  input: DomainInput,
  { user, audit }: { user: Pick<Identity, 'id'>; audit: Audit },
): Promise<Domain> {
  const required = parseRequiredCells(input);
  try {
    const updated = db.transaction().execute(async (trx) => {
      const before = await findRowForUpdate(trx, id);
      if (!before) throw notFound('domain', id);
      let overruled: string | undefined;
      if (required.name !== before.domain) {
        if (await findRow(trx, required.name)) throw await alreadyListedError(trx, required.name);
        const confirmation = { isConfirmed: input.confirmed === true, admin: user, now: now() };
        overruled = await requireConfirmation(trx, required.name, confirmation);
      }
      const cost = input.cost === undefined ? before.cost : toStoredCost(input.cost ?? '') || null;
      const isNewPrice = required.sources.length === 1 && cost !== before.cost;
      const sources = await findOrCreateSources(trx, required.sources);
      const evidence = (await listEvidence(trx, [before.domain])).get(before.domain) ?? [];
      const listings = sources.map((source) => {
        const { price, evidenceUrl, note } = evidence.find(({ sourceId }) => sourceId === source.id) ?? noEvidence;
        return { sourceId: source.id, price: isNewPrice ? cost : price, evidenceUrl, note };
      });
      await updateRow(trx, id, toDomainCells(required, sources, input, before), now());
      if (required.name !== before.domain) await withdrawListings(trx, [before.domain], now());
      await saveListings(trx, required.name, listings, now());
      const row = await getRow(trx, id);
      await audit(trx, { domain: row.domain, changed: changesBetween(before, row), ...(overruled && { overruled }) });
      return toDomain(row, true);
    });
    return await mapLockError(updated);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw await alreadyListedError(db, required.name);
  }
}

async function alreadyListedError(db: Context['db'], name: string) {
  const existing = await findRow(db, name);
  return conflict(`${name} is already on the blacklist.`, existing ? { existingId: existing.id } : {});
}

type RequiredCells = Pick<DomainCells, 'name' | 'tld'> & { sources: readonly string[] };

/** Returns the name as it is stored, and the sources. @throws 400 for the field that is invalid */
function parseRequiredCells(input: DomainInput): RequiredCells {
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const read = readSources(input.source);
  if ('reason' in read) throw invalidField('source', read.reason);
  return { ...listable, sources: read.sources };
}

/**
 * Returns the values to store for an input. Fields that the input does not have are taken from `before`. `saveListings`
 * sets a level that is not set by hand.
 */
export function toDomainCells(
  { name, tld }: Pick<DomainCells, 'name' | 'tld'>,
  sources: readonly Pick<Source, 'name'>[],
  input: DomainInput,
  before?: DomainRow,
): DomainCells {
  const text = (given: string | null | undefined, old: string | null | undefined) =>
    (given === undefined ? old : given) || null;
  const number = (given: number | null | undefined, old: number | null | undefined) =>
    (given === undefined ? old : given) ?? null;
  return {
    name,
    tld,
    source: sources.map((source) => source.name),
    ...toRisk(input, before),
    description: text(input.description, before?.description),
    sourceDetails: text(input.sourceDetails, before?.sourceDetails),
    notes: text(input.notes, before?.notes),
    niche: text(input.niche && toSingleLine(input.niche), before?.niche),
    cost: text(input.cost && toStoredCost(input.cost), before?.cost),
    domainRating: number(input.domainRating, before?.domainRating),
    outboundLinks: number(input.outboundLinks, before?.outboundLinks),
  };
}

/**
 * A level counts as set by hand only if it differs from the stored one, because the edit form always sends the level it
 * was opened with.
 */
function toRisk(
  { riskLevel }: DomainInput,
  before: DomainRow | undefined,
): Pick<DomainCells, 'riskLevel' | 'riskGiven'> {
  const wanted = riskLevel ? toRiskNumber(riskLevel) : undefined;
  if (wanted !== undefined && wanted !== before?.riskLevel) return { riskLevel: wanted, riskGiven: true };
  return { riskLevel: before?.riskLevel ?? 1, riskGiven: before?.riskGiven === true && riskLevel !== null };
}

/** Longest text in an audit event, in characters. */
const maxAuditText = 200;

type Value = Domain[keyof Domain];

/** Dates that follow from other changes, such as a new name. */
const derivedDates: ReadonlySet<keyof Domain> = new Set(['lastUpdated', 'firstListedAt']);

/** Returns the fields in which two states of a domain differ. Long texts are cut. */
function changesBetween(before: DomainRow, after: DomainRow): Record<string, { from: Value; to: Value }> {
  const [old, now] = [toDomain(before, true), toDomain(after, true)];
  const fields = (Object.keys(now) as (keyof Domain)[]).filter(
    (field) => !derivedDates.has(field) && old[field] !== now[field],
  );
  return Object.fromEntries(fields.map((field) => [field, { from: cut(old[field]), to: cut(now[field]) }]));
}

function cut(value: Value): Value {
  if (typeof value !== 'string' || value.length <= maxAuditText) return value;
  return `${value.slice(0, maxAuditText)}…`;
}

/** @returns the names of those that were listed */
async function deleteRestorably(trx: Db, ids: readonly number[], now: Date): Promise<string[]> {
  await setLockTimeout(trx, 10);
  await keepRows(trx, ids, now);
  return await delistDomains(trx, ids, now);
}

/** Deletes a domain and withdraws its listings. @throws 404, and 503 while an import has the domain locked */
export async function deleteDomain({ db, now }: Pick<Context, 'db' | 'now'>, id: number, audit: Audit): Promise<void> {
  const deleted = db.transaction().execute(async (trx) => {
    const [domain] = await deleteRestorably(trx, [id], now());
    if (domain === undefined) throw notFound('domain', id);
    await audit(trx, { domain });
  });
  await mapLockError(deleted);
}

/** Names of domains that one audit event lists. */
const maxAuditNames = 100;

/**
 * Deletes domains by id and withdraws their listings.
 * @returns how many of them existed
 * @throws 503 while an import has one of them locked
 */
export async function deleteDomains(
  { db, now }: Pick<Context, 'db' | 'now'>,
  ids: readonly number[],
  audit: Audit,
): Promise<number> {
  const deleted = db.transaction().execute(async (trx) => {
    const names = await deleteRestorably(trx, ids, now());
    await audit(trx, { count: names.length, domains: names.slice(0, maxAuditNames) });
    return names.length;
  });
  return await mapLockError(deleted);
}

/**
 * Undoes the deletion of domains, with their sources and evidence. Those that were deleted too long ago are skipped.
 * @returns how many were restored
 * @throws 503 while an import has one of them locked
 */
export async function restoreDomains(
  { db, now }: Pick<Context, 'db' | 'now'>,
  ids: readonly number[],
  audit: Audit,
): Promise<number> {
  const restored = db.transaction().execute(async (trx) => {
    await setLockTimeout(trx, 10);
    const rows = await restoreRows(trx, ids, now());
    const names = rows.map(({ name }) => name);
    const listedAgain = rows.flatMap(({ name, isNew }) => (isNew ? [name] : []));
    if (listedAgain.length > 0) await refreshDomains(trx, listedAgain, now());
    await audit(trx, { count: names.length, domains: names.slice(0, maxAuditNames) });
    return names.length;
  });
  return await mapLockError(restored);
}

/**
 * Deletes all domains with their listings and counts.
 * @returns the number of deleted domains
 * @throws 503 while another transaction changes domains or rebuilds the counts
 */
export async function deleteAllDomains(
  { db, log }: Pick<Context, 'db' | 'log'>,
  username: string,
  audit: Audit,
): Promise<number> {
  const count = await mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockTimeout(trx, 5);
      // Before the tables, in the same order as merges and rebuilds of the counts, so that this cannot deadlock with
      // them.
      await takeLock(trx, locks.merge);
      await takeLock(trx, locks.counts);
      await lockDomains(trx);
      const total = await countFacet(trx, 'all', '');
      await truncateDomains(trx);
      await audit(trx, { count: total });
      return total;
    }),
  );
  log.warn({ username, count }, 'all domains were deleted');
  return count;
}

/**
 * Sets every risk level by the number of independent sources, including levels set by hand or by a file.
 * @returns the seconds it took, and the new counts
 * @throws 503 while an import has rows locked
 */
export async function updateRiskLevels(
  { db, now }: Pick<Context, 'db' | 'now'>,
  audit: Audit,
): Promise<{ timeTaken: number; stats: RiskCounts }> {
  const start = performance.now();
  const stats = await mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockTimeout(trx, 30);
      await recomputeRisk(trx, now());
      const counts = await countByRisk(trx);
      await audit(trx, { stats: counts });
      return counts;
    }),
  );
  return { timeTaken: Math.round(performance.now() - start) / 1000, stats };
}
