import { type RawBuilder, sql } from 'kysely';
import { type Confidence, confidences, type Domain, toConfidence, toRiskLevel } from '#shared/blacklist/domains.ts';
import { type Db, toLikePattern } from '../../platform/db/database.ts';
import type { ReadPool } from '../../platform/db/read-replica.ts';

export const rowColumns = [
  'id',
  'name as domain',
  'description',
  'risk_level as riskLevel',
  'risk_given as riskGiven',
  'source_count as sourceCount',
  'niche',
  'domain_rating as domainRating',
  'outbound_links as outboundLinks',
  'cost',
  'added_at as dateAdded',
  'updated_at as lastUpdated',
  'source',
  'source_details as sourceDetails',
  'notes',
  'added_by as addedBy',
  'copies',
  'proof',
  sql<number>`domain_confidence(source_count, copies, proof)`.as('confidence'),
  sql<Date>`coalesce(
    (select min(first_seen_at) from listings where listings.name = domains.name), domains.added_at
  )`.as('firstListedAt'),
] as const;

/**
 * A stored domain with all its fields. `toDomain` removes those that only admins may see. `riskGiven` is true for a
 * risk level that was set by hand or by an imported file, and therefore does not follow the number of sources.
 */
export type DomainRow = Awaited<ReturnType<typeof listRows>>[number];

/** Converts a row for the API. Only admins get `source`, `sourceDetails`, `notes` and `addedBy`. */
export function toDomain(row: DomainRow, isAdmin: boolean): Domain {
  const { source, sourceDetails, notes, addedBy, riskGiven, copies, proof, ...open } = row;
  const { riskLevel, confidence, dateAdded, firstListedAt, lastUpdated } = open;
  return {
    ...open,
    riskLevel: toRiskLevel(riskLevel),
    independentSourceCount: row.sourceCount - copies,
    confidence: toConfidence(confidence),
    dateAdded: dateAdded.toISOString(),
    firstListedAt: firstListedAt.toISOString(),
    lastUpdated: lastUpdated.toISOString(),
    ...(isAdmin && { source: source.join(', '), sourceDetails, notes, addedBy }),
  };
}

/** Returns the stored number of a confidence, 1 to 3. */
export function toConfidenceNumber(confidence: Confidence): number {
  return confidences.indexOf(confidence) + 1;
}

/** Returns rows by their ids or names, in the given order. Ids or names that do not exist are skipped. */
export async function listRows(db: Db, handles: readonly (number | string)[]) {
  const byName = typeof handles[0] === 'string';
  const rows = await db
    .selectFrom('domains')
    .select(rowColumns)
    .where(byName ? sql<boolean>`name = any(${handles}::text[])` : sql<boolean>`id = any(${handles}::bigint[])`)
    .execute();
  const found = new Map(rows.map((row) => [byName ? row.domain : row.id, row]));
  return handles.map((handle) => found.get(handle)).filter((row) => row !== undefined);
}

/** Finds a row by its id or name. */
export function findRow(db: Db, key: number | string) {
  return rowQuery(db, key).executeTakeFirst();
}

/** Returns a row of this transaction. */
export function getRow(trx: Db, id: number): Promise<DomainRow> {
  return rowQuery(trx, id).executeTakeFirstOrThrow();
}

/** Finds a row by its id or name and locks it until the transaction ends. */
export function findRowForUpdate(trx: Db, key: number | string) {
  return rowQuery(trx, key).forUpdate().executeTakeFirst();
}

/** Returns the row of a name and those of its subdomains, and locks them until the transaction ends. */
export function listRowsBelowForUpdate(trx: Db, name: string) {
  const pattern = toLikePattern(`.${name}`).slice(0, -1);
  return listForUpdate(trx, sql<boolean>`(name = ${name} or name like ${pattern})`);
}

export function listForUpdate(trx: Db, condition: RawBuilder<boolean>) {
  return trx.selectFrom('domains').select(rowColumns).where(condition).orderBy('name').forUpdate().execute();
}

/** Deletes those of the names without an active listing. @returns how many were deleted */
export async function deleteUnlisted(trx: Db, names: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from domains
    where name = any(${names}::text[])
      and not exists (select from listings where listings.name = domains.name and withdrawn_at is null)
  `.execute(trx);
  return Number(numAffectedRows);
}

function rowQuery(db: Db, key: number | string) {
  const isRow = typeof key === 'number' ? sql<boolean>`id = ${key}` : sql<boolean>`name = ${key}`;
  return db.selectFrom('domains').select(rowColumns).where(isRow);
}

/** The editable fields of a domain. Unknown texts are null, never empty. */
export type DomainCells = Pick<
  DomainRow,
  | 'source'
  | 'riskLevel'
  | 'riskGiven'
  | 'description'
  | 'sourceDetails'
  | 'notes'
  | 'niche'
  | 'cost'
  | 'domainRating'
  | 'outboundLinks'
> & {
  name: string;
  tld: string;
};

/** @returns the id of the new row, or undefined when the name is already listed */
export async function insertRow(trx: Db, cells: DomainCells, addedBy: string, now: Date): Promise<number | undefined> {
  const row = await trx
    .insertInto('domains')
    .values({ ...toColumns(cells), added_by: addedBy, added_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** @throws the database's unique violation when another row has the new name */
export async function updateRow(trx: Db, id: number, cells: DomainCells, now: Date): Promise<void> {
  await trx
    .updateTable('domains')
    .set({ ...toColumns(cells), updated_at: now })
    .where('id', '=', id)
    .execute();
}

function toColumns(cells: DomainCells) {
  return {
    name: cells.name,
    tld: cells.tld,
    source: cells.source,
    risk_level: cells.riskLevel,
    risk_given: cells.riskGiven,
    description: cells.description,
    source_details: cells.sourceDetails,
    notes: cells.notes,
    niche: cells.niche,
    cost: cells.cost,
    domain_rating: cells.domainRating,
    outbound_links: cells.outboundLinks,
  };
}

/** Deletes rows by their ids or names. @returns the names of the deleted rows */
export async function deleteRows(db: Db, keys: readonly (number | string)[]): Promise<string[]> {
  const byName = typeof keys[0] === 'string';
  const rows = await db
    .deleteFrom('domains')
    .where(byName ? sql<boolean>`name = any(${keys}::text[])` : sql<boolean>`id = any(${keys}::bigint[])`)
    .returning('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Blocks all other reads and writes of domains until the transaction ends. */
export async function lockDomains(trx: Db): Promise<void> {
  await sql`lock table domains in access exclusive mode`.execute(trx);
}

/** Deletes all domains with their listings, also the withdrawn ones. */
export async function truncateDomains(trx: Db): Promise<void> {
  await sql`truncate domains, listings`.execute(trx);
}

/**
 * Sets every level by the number of independent sources. Rows that already have it are not written; `updated_at`
 * changes only with the level.
 */
export async function recomputeRisk(trx: Db, now: Date): Promise<void> {
  const level = sql`counted_risk((source_count - copies)::smallint)`;
  await sql`
    update domains set
      risk_level = ${level}, risk_given = false,
      updated_at = case when risk_level = ${level} then updated_at else ${now} end
    where risk_level <> ${level} or risk_given
  `.execute(trx);
}

/** Returns when a domain last changed, or a list was last downloaded, whichever is later. */
export async function findLastUpdate(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select greatest(
      (select updated_at from domains order by updated_at desc limit 1),
      (select max(last_success_at) from feeds where kind = 'block' and deleted_at is null)
    ) as at
  `.execute(db);
  return rows[0]?.at ?? undefined;
}

// The next two functions wrap the array in a sub-select. For a plain array parameter the planner estimates the
// selectivity of each of its thousands of names, which takes several times as long as looking them up in the index.

/**
 * Returns the given names that are listed, in no order, each after the digit of its risk, and those with an allow rule
 * after a 0. One name per line, so that thousands travel as one parameter and one value.
 */
export async function findNames(db: Db, lines: string): Promise<string> {
  const { rows } = await sql<{ names: string | null }>`
    with given as materialized (select string_to_array(${lines}, E'\n') as names)
    select string_agg(line, E'\n') as names from (
      select risk_level || name as line from domains where name = any ((select names from given)::text[])
      union all
      select '0' || domain from site_rules
      where decision = 'allow' and domain = any ((select names from given)::text[])
    ) as lines
  `.execute(db);
  return rows[0]?.names ?? '';
}

/** The public fields of a listed name, or a name with an allow rule. */
type ListedDomainRow =
  | Pick<
      DomainRow,
      'id' | 'domain' | 'riskLevel' | 'sourceCount' | 'copies' | 'confidence' | 'niche' | 'dateAdded' | 'lastUpdated'
    >
  | { id: null; domain: string };

/**
 * Returns those of the names that are listed or have an allow rule. The statement is named so that each connection
 * plans it only once, because planning takes longer than running it.
 */
export async function findListedDomainRows(pool: ReadPool, names: readonly string[]): Promise<ListedDomainRow[]> {
  const { rows } = await pool.query<ListedDomainRow>({
    name: 'select-listed-domains',
    text: `select id, name as domain, risk_level as "riskLevel", source_count as "sourceCount", copies,
        domain_confidence(source_count, copies, proof) as confidence, niche, added_at as "dateAdded",
        updated_at as "lastUpdated"
      from domains where name = any ((select $1::text[])::text[])
      union all
      select null, domain, null, null, null, null, null, null, null
      from site_rules where decision = 'allow' and domain = any ((select $1::text[])::text[])`,
    values: [names],
  });
  return rows;
}
