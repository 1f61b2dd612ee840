import { sql } from 'kysely';
import type { Family, Source, SourceKind } from '#shared/sources.ts';
import { type Db, toLikePattern } from '../db/database.ts';
import { unfinished } from '../jobs/runs.ts';

// The number of domains of a source is the stored count of the facet `source`. While a source is being renamed, the domains
// that still have the old name are counted too.

const domainCount = sql<number>`(
  select coalesce(sum(delta), 0)::bigint from domain_counts
  where facet = 'source' and key in (
    select sources.name
    union select old_name from source_runs
    where status in (${sql.join(unfinished)}) and into_id is null and source_ids = array[sources.id]
  )
)`;

export interface SourceRow extends Omit<Source, 'firstSeen' | 'lastSeen'> {
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
}

const sourceRows = (db: Db) =>
  db
    .selectFrom('sources')
    .leftJoin('families', 'families.id', 'sources.family_id')
    .select([
      'sources.id',
      'sources.name',
      'sources.kind',
      'sources.is_public as isPublic',
      'sources.first_seen_at as firstSeenAt',
      'sources.last_seen_at as lastSeenAt',
      sql<
        Source['family']
      >`case when families.id is not null then jsonb_build_object('id', families.id, 'name', families.name) end`.as(
        'family',
      ),
      domainCount.as('domains'),
    ]);

/** Returns a page of the sources, those with the most domains first, and their total. `search` is part of the name. */
export async function listSourceRows(
  db: Db,
  { search, kind }: { search?: string | undefined; kind?: SourceKind | undefined },
  offset: number,
  limit: number,
): Promise<{ rows: SourceRow[]; total: number }> {
  const conditions = [
    search ? sql<boolean>`sources.name collate "default" ilike ${toLikePattern(search)}` : sql<boolean>`true`,
    kind ? sql<boolean>`kind = ${kind}` : sql<boolean>`true`,
  ];
  const where = sql<boolean>`${sql.join(conditions, sql` and `)}`;
  const [rows, { total }] = await Promise.all([
    sourceRows(db)
      .where(where)
      .orderBy('domains', 'desc')
      .orderBy(sql`lower(sources.name collate "default")`)
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom('sources')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where(where)
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

export function findSourceRow(db: Db, id: number): Promise<SourceRow | undefined> {
  return sourceRows(db).where('sources.id', '=', id).executeTakeFirst();
}

/** Locks the sources until the transaction ends, and returns those that exist. */
export function lockSources(trx: Db, ids: readonly number[]) {
  return trx
    .selectFrom('sources')
    .select(['id', 'name', 'kind', 'family_id as familyId', 'is_public as isPublic'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Throws the database's unique violation for a taken name. */
export async function updateSourceRow(
  trx: Db,
  id: number,
  change: { name?: string; kind?: SourceKind; family_id?: number | null; is_public?: boolean },
): Promise<void> {
  if (Object.keys(change).length > 0) await trx.updateTable('sources').set(change).where('id', '=', id).execute();
}

/** Lets the earlier name of a source lead to it, and its current name to no other source. */
export async function replaceAlias(trx: Db, earlierName: string, currentName: string, sourceId: number): Promise<void> {
  await sql`
    delete from source_aliases where lower(name collate "default") = lower(${currentName}::text collate "default")
  `.execute(trx);
  if (earlierName.toLowerCase() === currentName.toLowerCase()) return;
  await sql`
    insert into source_aliases (name, source_id) values (${earlierName}, ${sourceId})
    on conflict (lower(name collate "default")) do update set source_id = excluded.source_id
  `.execute(trx);
}

/**
 * Deletes a merged source. The other source gets the earliest and latest date of both, the held listings, and the names
 * of the deleted one as earlier names.
 */
export async function deleteMergedSource(trx: Db, id: number, intoId: number): Promise<void> {
  const [from] = await lockSources(trx, [id]);
  if (!from) return;
  await sql`
    update sources set
      first_seen_at = least(sources.first_seen_at, merged.first_seen_at),
      last_seen_at = greatest(sources.last_seen_at, merged.last_seen_at)
    from sources as merged where sources.id = ${intoId} and merged.id = ${id}
  `.execute(trx);
  // Deleting the source would delete its held listings.
  await sql`
    update held_listings set source_id = ${intoId}
    where source_id = ${id} and not exists (
      select from held_listings as kept where kept.domain = held_listings.domain and kept.source_id = ${intoId}
    )
  `.execute(trx);
  await trx.updateTable('source_aliases').set({ source_id: intoId }).where('source_id', '=', id).execute();
  await trx.deleteFrom('sources').where('id', '=', id).execute();
  const into = await trx.selectFrom('sources').select('name').where('id', '=', intoId).executeTakeFirst();
  if (into) await replaceAlias(trx, from.name, into.name, intoId);
}

/** Returns the names of those of the sources that exist. */
export async function listSourceNames(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('sources')
    .select('name')
    .where('id', 'in', [...ids])
    .execute();
  return rows.map(({ name }) => name);
}

export async function countDomainsOf(db: Db, name: string): Promise<number> {
  const { count } = await db
    .selectFrom('domain_counts')
    .select(sql<number>`coalesce(sum(delta), 0)::bigint`.as('count'))
    .where('facet', '=', 'source')
    .where('key', '=', name)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns families with their sources, by name. */
export async function listFamilyRows(db: Db, id?: number): Promise<Family[]> {
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

export function findFamily(db: Db, id: number) {
  return db.selectFrom('families').select(['id', 'name']).where('id', '=', id).executeTakeFirst();
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

export async function updateFamilyOf(trx: Db, sourceIds: readonly number[], familyId: number): Promise<void> {
  await trx
    .updateTable('sources')
    .set({ family_id: familyId })
    .where('id', 'in', [...sourceIds])
    .execute();
}

/** Deletes a family, which removes its sources from it. @returns its name and the ids of its sources, undefined if there is none */
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

/** Length of the column `source_start`. */
const startLength = 64;

/**
 * Returns every text of several sources with the exact number of its domains. The stored counts of the facet `start`
 * contain all texts of up to 63 characters, so only domains with longer texts are read: by their index, or in a scan of
 * the table if there are more than `maxLookups`. A scan of ten million domains takes about four seconds.
 */
export async function countSharedTexts(db: Db, maxLookups = 50_000): Promise<{ source: string; count: number }[]> {
  const { rows: starts } = await sql<{ source: string; count: number }>`
    select key as source, sum(delta)::bigint as count from domain_counts
    where facet = 'start' group by key having sum(delta) > 0
  `.execute(db);
  const short = starts.filter(({ source }) => [...source].length < startLength && source.includes(', '));
  const long = starts.filter(({ source }) => [...source].length === startLength);
  if (long.length === 0) return short;
  const isFew = long.reduce((sum, { count }) => sum + count, 0) <= maxLookups;
  const found = isFew ? sql`and source_start = any(${long.map(({ source }) => source)}::text[])` : sql``;
  const { rows } = await sql<{ source: string; count: number }>`
    select source, count(*) as count from domains where source_count > 1 ${found} group by source
  `.execute(db);
  return isFew ? [...short, ...rows] : rows;
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
