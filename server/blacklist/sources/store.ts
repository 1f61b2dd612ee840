import { sql } from 'kysely';
import { sourceKinds } from '#shared/blacklist/choices.ts';
import type { SourceKind } from '#shared/blacklist/sources.ts';
import type { Db } from '../../platform/db/database.ts';

/**
 * Until the transaction ends, nobody can change or merge these sources, but others can list by them. Waits for a change
 * that has started.
 * @returns how many of them exist
 */
export async function lockSourcesForListing(trx: Db, ids: readonly number[]): Promise<number> {
  const { rows } = await sql`select from sources where id = any(${ids}::integer[]) order by id for key share`.execute(
    trx,
  );
  return rows.length;
}

/** Returns the listings of a name with their sources: active ones first, then newest, then strongest. */
export function listListingRows(db: Db, name: string) {
  return db
    .selectFrom('listings')
    .innerJoin('sources', 'sources.id', 'listings.source_id')
    .leftJoin('families', 'families.id', 'sources.family_id')
    .leftJoin('evidence_proofs as proof', (join) =>
      join
        .onRef('proof.name', '=', 'listings.name')
        .onRef('proof.source_id', '=', 'listings.source_id')
        .onRef('proof.url', '=', 'listings.evidence_url'),
    )
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
      'proof.status as proofStatus',
      'proof.checked_at as proofCheckedAt',
      'proof.quote as proofQuote',
      'proof.is_gone as proofIsGone',
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
    .orderBy('first_seen_at')
    .orderBy('source_id')
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
