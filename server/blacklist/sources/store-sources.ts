import { sql } from 'kysely';
import type { Source, SourceKind } from '#shared/blacklist/sources.ts';
import { countRows, type Db, toLikePattern } from '../../platform/db/database.ts';
import { unfinished } from '../../platform/jobs/runs.ts';
import { domainCount } from './queries.ts';

// The number of domains of a source is the stored count of the facet `source`. While a source is being renamed, the
// domains that still have the old name are counted too.

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
  const [rows, total] = await Promise.all([
    sourceRows(db)
      .where(where)
      .orderBy('domains', 'desc')
      .orderBy(sql`lower(sources.name collate "default")`)
      .limit(limit)
      .offset(offset)
      .execute(),
    countRows(db.selectFrom('sources').where(where)),
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

/** @throws the database's unique violation for a taken name */
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

/** Whether a feed updates the source, or its listings are being withdrawn because the feed was deleted. */
export async function hasFeed(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from feeds where source_id = ${id} and (
      deleted_at is null or exists (select from feed_runs where feed_id = feeds.id and status in (${sql.join(unfinished)}))
    ) limit 1
  `.execute(db);
  return rows.length > 0;
}

/** Locks a source with its held listings. Decisions on held listings lock in the same order. */
export async function lockMergedSource(trx: Db, id: number): Promise<void> {
  const held = trx.selectFrom('held_listings').select('id').where('source_id', '=', id);
  await held.orderBy('domain').orderBy('id').forUpdate().execute();
  await lockSources(trx, [id]);
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
