import { sql } from 'kysely';
import type { Family } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';
import { domainCount } from './queries.ts';

/** Returns families with their sources, by name. */
export async function listFamilies(db: Db, id?: number): Promise<Family[]> {
  let query = db.selectFrom('families').select(['id', 'name']);
  if (id !== undefined) query = query.where('id', '=', id);
  const families = await query.orderBy(sql`lower(name collate "default")`).execute();
  const sources = await db
    .selectFrom('sources')
    .select(['id', 'name', 'family_id as familyId', domainCount.as('domains')])
    .where('family_id', 'in', families.length > 0 ? families.map(({ id }) => id) : [0])
    .orderBy('domains', 'desc')
    .orderBy(sql`lower(name collate "default")`)
    .execute();
  return families.map((family) => ({
    ...family,
    sources: sources.filter(({ familyId }) => familyId === family.id).map(({ familyId: _, ...source }) => source),
  }));
}

/** Finds a family and keeps it until the transaction ends. */
export function findFamily(trx: Db, id: number) {
  return trx.selectFrom('families').select(['id', 'name']).where('id', '=', id).forKeyShare().executeTakeFirst();
}

/** @returns the id, or undefined if the name is taken */
export async function insertFamily(trx: Db, name: string): Promise<number | undefined> {
  const row = await trx
    .insertInto('families')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Returns the id of the family with a name, ignoring case. Creates it if it does not exist. */
export async function findOrInsertFamily(trx: Db, name: string): Promise<number> {
  const found = await trx
    .selectFrom('families')
    .select('id')
    .where(sql<boolean>`lower(name collate "default") = lower(${name}::text collate "default")`)
    .forKeyShare()
    .executeTakeFirst();
  return found?.id ?? (await insertFamily(trx, name)) ?? (await findOrInsertFamily(trx, name));
}

export async function updateFamilyOf(trx: Db, sourceIds: readonly number[], familyId: number): Promise<void> {
  await trx
    .updateTable('sources')
    .set({ family_id: familyId })
    .where('id', 'in', [...sourceIds])
    .execute();
}

/**
 * Deletes a family, which removes its sources from it.
 * @returns its name and the ids of its sources, undefined if there is none
 */
export async function deleteFamilyRow(trx: Db, id: number): Promise<{ name: string; sourceIds: number[] } | undefined> {
  const sources = await trx
    .selectFrom('sources')
    .select('id')
    .where('family_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute();
  const row = await trx.deleteFrom('families').where('id', '=', id).returning('name').executeTakeFirst();
  return row && { name: row.name, sourceIds: sources.map(({ id }) => id) };
}

/**
 * Returns every list of several sources with the exact number of its domains. The stored counts of the facet `start`
 * contain all lists whose text has up to 63 characters, the length of the column `source_start` less one. Only domains
 * with longer ones are read.
 */
export async function countSharedLists(db: Db): Promise<{ names: string[]; count: number }[]> {
  const { rows } = await sql<{ names: string[]; count: number }>`
    with starts as materialized (
      select key, sum(delta)::bigint as count from domain_counts
      where facet = 'start' group by key having sum(delta) > 0
    )
    select string_to_array(key, ', ') as names, count from starts where length(key) < 64 and key like '%, %'
    union all
    select source, count(*) from domains
    where source_count > 1 and source_start in (select key from starts where length(key) = 64) group by source
  `.execute(db);
  return rows;
}

/** Returns all sources with their exact numbers of domains. */
export function listSourceSizes(db: Db) {
  return db
    .selectFrom('sources')
    .leftJoin('families', 'families.id', 'sources.family_id')
    .select([
      'sources.id',
      'sources.name',
      'sources.family_id as familyId',
      'families.name as familyName',
      domainCount.as('domains'),
    ])
    .execute();
}
