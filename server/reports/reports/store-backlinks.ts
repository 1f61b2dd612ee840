import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { cellSeparator, linkSeparator } from './link-blocks.ts';
import { ownReports } from './store.ts';

/** A link of a block. */
interface LinkColumns {
  position: number;
  domain: number;
  page: string;
  nofollow: boolean;
  anchor: string | null;
  target_page: string | null;
  /** YYYY-MM-DD, or the date as the export writes it. */
  first_seen: string | null;
}

/** What the sources of a listed domain prove. `confidence` is 1 to 3. */
export const evidence = [
  'listed.copies',
  sql<number>`domain_confidence(listed.source_count, listed.copies, listed.proof)`.as('confidence'),
] as const;

/** Returns the harmful backlinks from position `from` up to, but not including, `to`. */
export function listBacklinks(
  db: Db,
  { userId, reportId }: { userId: number; reportId: number },
  { from, to }: { from: number; to: number },
) {
  const firstBlock = sql<number>`(
    select coalesce(max(position), 0) from report_links where report_id = ${reportId} and position <= ${from}
  )`;
  const links = sql<LinkColumns>`(
    select block.position + row.number::integer - 1 as position, row.link[1]::integer as domain,
      row.link[2] as page, coalesce(row.link[3], '') = 't' as nofollow, nullif(row.link[4], '') as anchor,
      nullif(row.link[5], '') as target_page, nullif(row.link[6], '') as first_seen
    from report_links as block
    cross join lateral (
      select number, string_to_array(link, ${cellSeparator}) as link
      from string_to_table(block.links, ${linkSeparator}) with ordinality as rows (link, number)
    ) as row
    where block.report_id = ${reportId} and block.position >= ${firstBlock} and block.position < ${to}
  )`.as<'link'>('link');
  return ownReports(db, userId)
    .innerJoin(links, (join) => join.onTrue())
    .innerJoin('report_domains as listed', (join) =>
      join.onRef('listed.report_id', '=', 'reports.id').onRef('listed.position', '=', 'link.domain'),
    )
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.website_id', '=', 'reports.website_id').onRef('decisions.domain', '=', 'listed.domain'),
    )
    .select([
      'listed.domain',
      'link.page as referringPage',
      'listed.risk_level as risk',
      'listed.source',
      'listed.source_count as sourceCount',
      ...evidence,
      'listed.listed_at as listedAt',
      'link.position',
      'link.nofollow',
      'decisions.decision',
      'link.anchor',
      'link.target_page as targetPage',
      'link.first_seen as firstSeen',
    ])
    .where('reports.id', '=', reportId)
    .where('link.position', '>=', from)
    .where('link.position', '<', to)
    .orderBy('link.position')
    .execute();
}

/**
 * Returns the numbers of a listed domain's links, and those of all domains before it; undefined if it is not listed.
 */
export function findDomainLinks(db: Db, userId: number, reportId: number, domain: string) {
  const before = (links: RawBuilder<number>) => sql<number>`(
    select coalesce(sum(${links}), 0) from report_domains
    where report_id = listed.report_id and position < listed.position
  )`;
  return ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .select([
      'listed.backlinks',
      'listed.lost_backlinks as lostBacklinks',
      before(sql`backlinks`).as('before'),
      before(sql`lost_backlinks`).as('lostBefore'),
    ])
    .where('reports.id', '=', reportId)
    .where('listed.domain', '=', domain)
    .executeTakeFirst();
}

/** Returns the number of links of listed domains, and those of all domains before each. Lost links are not counted. */
export function listLinkRanges(db: Db, userId: number, reportId: number, domains: readonly string[]) {
  const ranges = sql<{ domain: string; backlinks: number; before: number }>`(
    select domain, backlinks, sum(backlinks) over (order by position) - backlinks as before
    from report_domains where report_id = ${reportId}
  )`.as<'range'>('range');
  return ownReports(db, userId)
    .innerJoin(ranges, (join) => join.onTrue())
    .select(['range.domain', 'range.backlinks', 'range.before'])
    .where('reports.id', '=', reportId)
    .where(sql<boolean>`range.domain = any(${domains}::text[])`)
    .execute();
}

/** Returns the ids of the names that are listed now, by name. */
export async function findDomainIds(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('domains')
    .select(['id', 'name'])
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export type BacklinkRow = Awaited<ReturnType<typeof listBacklinks>>[number];
