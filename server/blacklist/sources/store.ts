import { sql } from 'kysely';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';

/** A source, as far as its listings need it. */
export interface Source {
  id: number;
  name: string;
  kind: SourceKind;
  familyId: number | null;
}

/**
 * Returns the sources with these names, ignoring case, by the given names. An earlier name of a source counts if no
 * source has it now. Names without a source are absent.
 */
export async function findSources(db: Db, names: readonly string[]): Promise<Map<string, Source>> {
  const { rows } = await sql<Source & { given: string }>`
    with named as materialized (
      select given, sources.id as source_id from unnest(${names}::text[]) as given
      join sources on lower(name collate "default") = lower(given collate "default")
    ),
    found as (
      select * from named
      union all
      select given, source_id from unnest(${names}::text[]) as given
      join source_aliases on lower(name collate "default") = lower(given collate "default")
      where given not in (select given from named)
    )
    select given, id, name, kind, family_id as "familyId" from found join sources on id = source_id
  `.execute(db);
  return new Map(rows.map(({ given, ...source }) => [given, source]));
}

/**
 * Returns the current state of sources by their ids. Until the transaction ends, nobody can change or merge them, but
 * others can list by them. Waits for a change that has started. Deleted sources are absent.
 */
export async function lockSourcesForListing(trx: Db, ids: readonly number[]): Promise<Map<number, Source>> {
  const { rows } = await sql<Source>`
    select id, name, kind, family_id as "familyId" from sources
    where id = any(${ids}::integer[]) order by id for key share
  `.execute(trx);
  return new Map(rows.map((source) => [source.id, source]));
}

/**
 * Inserts sources. Names that exist, ignoring case, are left unchanged. Of several spellings, the first is inserted. Always
 * inserts in the same order, so that two transactions cannot deadlock.
 * @returns the number of new sources
 */
export async function insertSources(db: Db, sources: readonly { name: string; kind: SourceKind }[]): Promise<number> {
  if (sources.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into sources (name, kind)
    select distinct on (lower(name collate "default")) name, kind
    from unnest(${sources.map(({ name }) => name)}::text[], ${sources.map(({ kind }) => kind)}::text[])
      with ordinality as given (name, kind, place)
    order by lower(name collate "default"), place
    on conflict do nothing
  `.execute(db);
  return Number(numAffectedRows);
}

/** Sets the kind of sources that have the default kind, `manual`. @returns the ids of those that changed */
export async function updateManualKinds(db: Db, kinds: readonly { id: number; kind: SourceKind }[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with given as (
      select * from unnest(${kinds.map(({ id }) => id)}::integer[], ${kinds.map(({ kind }) => kind)}::text[]) as given (id, kind)
      where kind <> 'manual'
    ),
    changed as materialized (
      -- A form that lists by one of them has to end first: see lockSourcesForListing.
      select id, given.kind from sources join given using (id) where sources.kind = 'manual' order by id for update of sources
    )
    update sources set kind = changed.kind from changed where sources.id = changed.id returning sources.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Records that sources were seen listing a domain. Leaves out those that another transaction has locked, which is doing
 * the same: waiting for it could deadlock.
 */
export async function updateLastSeen(db: Db, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update sources set
      first_seen_at = least(first_seen_at, ${now}::timestamptz),
      last_seen_at = greatest(last_seen_at, ${now}::timestamptz)
    where id in (select id from sources where id = any(${ids}::integer[]) for no key update skip locked)
  `.execute(db);
}

/** Returns the listings of a name with their sources: active ones first, then newest, then strongest. */
export function listListingRows(db: Db, name: string) {
  return db
    .selectFrom('listings')
    .innerJoin('sources', 'sources.id', 'listings.source_id')
    .leftJoin('families', 'families.id', 'sources.family_id')
    .select([
      'sources.id as sourceId',
      'sources.name as source',
      'kind',
      'is_public as isPublic',
      'families.id as familyId',
      'families.name as familyName',
      sql<boolean | null>`(
        select bool_and(members.is_public) from sources as members where members.family_id = sources.family_id
      )`.as('isFamilyPublic'),
      'listings.first_seen_at as firstSeen',
      'listings.last_seen_at as lastSeen',
      'withdrawn_at as withdrawnAt',
      'evidence_url as evidenceUrl',
      'price',
      'note',
    ])
    .where('listings.name', '=', name)
    .orderBy(sql`withdrawn_at is not null`)
    .orderBy('listings.first_seen_at', 'desc')
    .orderBy(sql`array_position(${sourceKinds}::text[], kind)`)
    .orderBy('sources.id')
    .execute();
}

export type ListingRow = Awaited<ReturnType<typeof listListingRows>>[number];

export interface ActiveListingRow {
  name: string;
  price: string | null;
  evidenceUrl: string | null;
  sourceId: number;
  source: string;
  kind: SourceKind;
  isPublic: boolean;
  familyId: number | null;
  familyName: string | null;
  isFamilyPublic: boolean | null;
}

/** Returns the active listings of names with their sources, in no particular order. */
export async function listActiveListingRows(db: Db, names: readonly string[]): Promise<ActiveListingRow[]> {
  const { rows } = await sql<ActiveListingRow>`
    select listings.name, price, evidence_url as "evidenceUrl", sources.id as "sourceId", sources.name as source,
      sources.kind, is_public as "isPublic",
      families.id as "familyId", families.name as "familyName", members.is_open as "isFamilyPublic"
    from listings
    join sources on sources.id = source_id
    left join families on families.id = sources.family_id
    left join (
      select family_id, bool_and(is_public) as is_open from sources where family_id is not null group by family_id
    ) as members on members.family_id = families.id
    where listings.name = any(${names}::text[]) and withdrawn_at is null
  `.execute(db);
  return rows;
}

/** What a source offers as evidence. */
export interface Evidence {
  price: string | null;
  evidenceUrl: string | null;
  note: string | null;
}

export function listActiveEvidence(db: Db, names: readonly string[]) {
  return db
    .selectFrom('listings')
    .select(['name', 'source_id as sourceId', 'price', 'evidence_url as evidenceUrl', 'note'])
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where('withdrawn_at', 'is', null)
    .execute();
}

/** Makes the listings of a name active and stores their evidence. Their first dates stay. */
export async function upsertListings(
  db: Db,
  name: string,
  listings: readonly (Evidence & { sourceId: number })[],
  now: Date,
): Promise<void> {
  await db
    .insertInto('listings')
    .values(
      listings.map(({ sourceId, price, evidenceUrl, note }) => ({
        name,
        source_id: sourceId,
        first_seen_at: now,
        last_seen_at: now,
        price,
        evidence_url: evidenceUrl,
        note,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['name', 'source_id']).doUpdateSet({
        last_seen_at: now,
        withdrawn_at: null,
        price: sql`excluded.price`,
        evidence_url: sql`excluded.evidence_url`,
        note: sql`excluded.note`,
      }),
    )
    .execute();
}

/** Withdraws the active listings of names, except those by the sources to keep. They remain as history. */
export async function withdrawListings(
  db: Db,
  names: readonly string[],
  now: Date,
  keep: readonly number[] = [],
): Promise<void> {
  await sql`
    update listings set withdrawn_at = ${now}
    where name = any(${names}::text[]) and withdrawn_at is null and source_id <> all(${keep}::integer[])
  `.execute(db);
}

/** Withdraws the active listings of names by one source. They remain as history. @returns the names of these listings */
export async function withdrawListingsOf(
  db: Db,
  sourceId: number,
  names: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update listings set withdrawn_at = ${now}
    where name = any(${names}::text[]) and source_id = ${sourceId} and withdrawn_at is null
    returning name
  `.execute(db);
  return rows.map(({ name }) => name);
}
