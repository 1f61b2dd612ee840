import { sql } from 'kysely';
import { publishedListUrl } from '#shared/blacklist/published-list.ts';
import type { Db } from '../../platform/db/database.ts';

/** A source whose listings are published. */
export interface PublishedSource {
  id: number;
  name: string;
}

/**
 * Returns the public sources. Those that another installation publishes are absent: two installations that subscribe to
 * each other would keep each other's names listed forever.
 */
export async function listPublishedSources(db: Db): Promise<PublishedSource[]> {
  const { rows } = await sql<PublishedSource>`
    select id, name from sources
    where is_public
      and not exists (select from feeds where source_id = sources.id and url ~ ${publishedListUrl.source})
    order by id
  `.execute(db);
  return rows;
}

/**
 * Domains with an active listing by one of the sources. The names of a page are searched in both indexes from `after`
 * on.
 */
export const published = (sourceIds: readonly number[], after: string) => sql`
  domains.name > ${after}
  and exists (
    select from listings
    where listings.name = domains.name and listings.name > ${after}
      and withdrawn_at is null and source_id = any(${sourceIds}::integer[])
  )
  and not exists (select from site_rules where decision = 'allow' and domain = domains.name)
`;

/** Returns the number of published domains. Reads all listings: ten million take some seconds. */
export async function countPublished(db: Db, sourceIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from domains where ${published(sourceIds, '')}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns up to `limit` published names after a name, in the order of the index. */
export async function listPublishedNames(
  db: Db,
  sourceIds: readonly number[],
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from domains where ${published(sourceIds, after)} order by name limit ${limit}
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** A published domain. `riskLevel` is 1 to 4, `confidence` 1 to 3. */
export interface PublishedDomain {
  name: string;
  riskLevel: number;
  confidence: number;
  independentSourceCount: number;
  firstListedAt: Date;
}

/** Returns up to `limit` published domains after a name, in the order of the index. */
export async function listPublishedDomains(
  db: Db,
  sourceIds: readonly number[],
  after: string,
  limit: number,
): Promise<PublishedDomain[]> {
  const { rows } = await sql<PublishedDomain>`
    select name, risk_level as "riskLevel", domain_confidence(source_count, copies, proof) as confidence,
      source_count - copies as "independentSourceCount",
      coalesce((select min(first_seen_at) from listings where listings.name = domains.name), added_at) as "firstListedAt"
    from domains where ${published(sourceIds, after)} order by name limit ${limit}
  `.execute(db);
  return rows;
}
