import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { riskOfCount } from './store-risk.ts';
import { rowColumns } from './store-rows.ts';

/** The cells of a domain that people write. Texts are null when unknown, never empty. */
export interface DomainCells {
  name: string;
  tld: string;
  /** Joined by ', '. */
  source: string;
  riskLevel: number;
  riskGiven: boolean;
  description: string | null;
  sourceDetails: string | null;
  notes: string | null;
  niche: string | null;
  cost: string | null;
  domainRating: number | null;
  outboundLinks: number | null;
}

/** @returns the new row, or undefined when the name is listed already */
export function insertRow(db: Db, cells: DomainCells, addedBy: string, now: Date) {
  return db
    .insertInto('domains')
    .values({ ...columnsOf(cells), added_by: addedBy, added_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(rowColumns)
    .executeTakeFirst();
}

/** Holds the row until the transaction ends. */
export function findRowForUpdate(db: Db, id: number) {
  return db.selectFrom('domains').select(rowColumns).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Throws the database's unique violation when the new name is listed already. */
export function updateRow(db: Db, id: number, cells: DomainCells, now: Date) {
  return db
    .updateTable('domains')
    .set({ ...columnsOf(cells), updated_at: now })
    .where('id', '=', id)
    .returning(rowColumns)
    .executeTakeFirstOrThrow();
}

/** @returns the names of those that there were */
export async function deleteRows(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('domains')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Waits at most some seconds for whoever is at work on domains, then throws the database's lock timeout. */
export async function setLockPatience(trx: Db, seconds: number): Promise<void> {
  await sql`select set_config('lock_timeout', ${`${seconds}s`}, true)`.execute(trx);
}

/** Nobody else reads or writes domains from here to the end of the transaction. */
export async function lockDomains(trx: Db): Promise<void> {
  await sql`lock table domains in access exclusive mode`.execute(trx);
}

export async function truncateDomains(trx: Db): Promise<void> {
  await sql`truncate domains`.execute(trx);
}

/** Sets every level by the number of sources. Rows that have theirs are not touched; only a new level is an update to show. */
export async function recomputeRisk(trx: Db, now: Date): Promise<void> {
  const level = riskOfCount(sql`source_count`);
  await sql`
    update domains set
      risk_level = ${level}, risk_given = false,
      updated_at = case when risk_level = ${level} then updated_at else ${now} end
    where risk_level <> ${level} or risk_given
  `.execute(trx);
}

export async function findLastUpdate(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('domains')
    .select('updated_at as at')
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

function columnsOf(cells: DomainCells) {
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
