import type { Domain, DomainInput, RiskCounts } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import { listableName } from '../hosts/hosts.ts';
import { conflict, invalidField, notFound } from '../http/errors.ts';
import type { Audit, Identity } from '../http/scope.ts';
import { getRiskForSourceCount, readSources, toSingleLine, toStoredCost } from '../sources/sources.ts';
import { countFacet } from './counts/store-counts.ts';
import { countByRisk, mapLockError } from './domains.ts';
import {
  type DomainCells,
  type DomainRow,
  deleteRows,
  findRow,
  findRowForUpdate,
  insertRow,
  lockDomains,
  recomputeRisk,
  setLockTimeout,
  toDomain,
  toRiskNumber,
  truncateDomains,
  updateRow,
} from './store.ts';

/**
 * Adds a domain to the blacklist. Throws 400 for a name that cannot be listed, 409 with `existingId` if it is already
 * listed.
 */
export async function createDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  input: DomainInput,
  user: Pick<Identity, 'username'>,
  audit: Audit,
): Promise<Domain> {
  const required = parseRequiredCells(input);
  const row = await db.transaction().execute(async (trx) => {
    const added = await insertRow(trx, toDomainCells(required, input), user.username, now());
    if (added) await audit(trx, { id: added.id, domain: added.domain });
    return added;
  });
  if (!row) throw await alreadyListedError(db, required.name);
  return toDomain(row, true);
}

const uniqueViolation = '23505';

/**
 * Changes a domain. Absent fields keep their value, null clears them. Throws 404, 400, and 409 with `existingId` for a
 * taken name.
 */
export async function updateDomain(
  { db, now }: Pick<Context, 'db' | 'now'>,
  id: number,
  input: DomainInput,
  audit: Audit,
): Promise<Domain> {
  const required = parseRequiredCells(input);
  try {
    return await db.transaction().execute(async (trx) => {
      const before = await findRowForUpdate(trx, id);
      if (!before) throw notFound('domain', id);
      const row = await updateRow(trx, id, toDomainCells(required, input, before), now());
      await audit(trx, { domain: row.domain, changed: changesBetween(before, row) });
      return toDomain(row, true);
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error;
    throw await alreadyListedError(db, required.name);
  }
}

async function alreadyListedError(db: Context['db'], name: string) {
  const existing = await findRow(db, name);
  return conflict(`${name} is already on the blacklist.`, existing ? { existingId: existing.id } : {});
}

type RequiredCells = Pick<DomainCells, 'name' | 'tld' | 'source'>;

/** Returns the name and the sources as they are stored. Throws 400 for the field that is invalid. */
function parseRequiredCells(input: DomainInput): RequiredCells {
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const read = readSources(input.source);
  if ('reason' in read) throw invalidField('source', read.reason);
  return { ...listable, source: read.sources.join(', ') };
}

/** Returns the values to store for an input. Fields that the input does not have are taken from `before`. */
export function toDomainCells(required: RequiredCells, input: DomainInput, before?: DomainRow): DomainCells {
  const text = (given: string | null | undefined, old: string | null | undefined) =>
    (given === undefined ? old : given) || null;
  const number = (given: number | null | undefined, old: number | null | undefined) =>
    (given === undefined ? old : given) ?? null;
  return {
    ...required,
    ...toRisk(input, before, required.source.split(', ').length),
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
  sources: number,
): Pick<DomainCells, 'riskLevel' | 'riskGiven'> {
  const wanted = riskLevel ? toRiskNumber(riskLevel) : undefined;
  if (wanted !== undefined && wanted !== before?.riskLevel) return { riskLevel: wanted, riskGiven: true };
  if (before?.riskGiven && riskLevel !== null) return { riskLevel: before.riskLevel, riskGiven: true };
  return { riskLevel: getRiskForSourceCount(sources), riskGiven: false };
}

/** Longest text in an audit event, in characters. */
const maxAuditText = 200;

type Value = Domain[keyof Domain];

/** Returns the fields in which two states of a domain differ. Long texts are cut. */
function changesBetween(before: DomainRow, after: DomainRow): Record<string, { from: Value; to: Value }> {
  const [old, now] = [toDomain(before, true), toDomain(after, true)];
  const fields = (Object.keys(now) as (keyof Domain)[]).filter(
    (field) => field !== 'lastUpdated' && old[field] !== now[field],
  );
  return Object.fromEntries(fields.map((field) => [field, { from: cut(old[field]), to: cut(now[field]) }]));
}

function cut(value: Value): Value {
  if (typeof value !== 'string' || value.length <= maxAuditText) return value;
  return `${value.slice(0, maxAuditText)}…`;
}

/** Deletes a domain. Throws 404. */
export async function deleteDomain({ db }: Pick<Context, 'db'>, id: number, audit: Audit): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [domain] = await deleteRows(trx, [id]);
    if (domain === undefined) throw notFound('domain', id);
    await audit(trx, { domain });
  });
}

/** Names of deleted domains that one audit event lists. */
const maxAuditNames = 100;

/** Deletes domains by id. @returns how many of them existed */
export async function deleteDomains(
  { db }: Pick<Context, 'db'>,
  ids: readonly number[],
  audit: Audit,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const names = await deleteRows(trx, ids);
    await audit(trx, { count: names.length, domains: names.slice(0, maxAuditNames) });
    return names.length;
  });
}

/**
 * Deletes all domains and their counts. Throws 503 while another transaction changes domains. @returns the number of
 * deleted domains
 */
export async function deleteAllDomains(
  { db, log }: Pick<Context, 'db' | 'log'>,
  username: string,
  audit: Audit,
): Promise<number> {
  const count = await mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockTimeout(trx, 5);
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
 * Sets every risk level by the number of sources, including levels set by hand or by a file. Throws 503 while an import
 * has rows locked.
 * @returns the seconds it took, and the new counts
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
