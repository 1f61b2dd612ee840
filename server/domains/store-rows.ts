import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

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
] as const;

/** A domain as it is stored, for eyes inside the house: `domainOf` takes away what the asker may not see. */
export type DomainRow = Awaited<ReturnType<typeof listRows>>[number];

/** Rows by their ids or names, in the order of these. */
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

export function findRow(db: Db, id: number) {
  return db.selectFrom('domains').select(rowColumns).where('id', '=', id).executeTakeFirst();
}

export function findRowByName(db: Db, name: string) {
  return db.selectFrom('domains').select(rowColumns).where('name', '=', name).executeTakeFirst();
}
