import { type RawBuilder, sql } from 'kysely';
import type { ReviewState, ToxicDomainColumn } from '#shared/reports.ts';
import type { Db } from '../db/database.ts';
import { ownReports } from './store.ts';
import { evidence } from './store-backlinks.ts';

/** Which listed domains of a report. */
export interface ToxicDomainFilter {
  /** Includes domains that have only lost links. */
  lost: boolean;
  /** The report before this one, for `only`. */
  previousId: number | undefined;
  /** Only the domains at these positions. */
  positions?: readonly number[] | undefined;
  /** Risk levels, 1 to 4. Undefined for all. */
  risks?: readonly number[] | undefined;
  /** 1 to 3. */
  confidence?: number | undefined;
  /** Part of the names. */
  search?: string | undefined;
  niche?: string | undefined;
  tld?: string | undefined;
  decision?: ReviewState | undefined;
  only?: 'new' | undefined;
  /** The bit of a signal that the domains show. */
  signalBit?: number | undefined;
  /** With `decision`: includes domains that were decided after this time. */
  asOf?: Date | undefined;
}

/**
 * The order of a list: by a column, or `review`, which has new domains first, and those with most signals before others
 * of their level. Undefined for highest risk first.
 */
export type ToxicDomainOrder = { column: ToxicDomainColumn; descending: boolean } | 'review' | undefined;

const confidence = sql<number>`domain_confidence(listed.source_count, listed.copies, listed.proof)`;
const tld = sql<string>`substring(listed.domain from '[^.]+$')`;

function toxicDomains(db: Db, userId: number, reportId: number, filter: ToxicDomainFilter) {
  const { risks, search, niche, decision, asOf } = filter;
  const isNew = sql<boolean>`${filter.previousId !== undefined} and previous.domain is null`;
  let query = ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.profile_id', '=', 'reports.profile_id').onRef('decisions.domain', '=', 'listed.domain'),
    )
    .leftJoin('report_domains as previous', (join) =>
      join
        .on('previous.report_id', '=', filter.previousId ?? 0)
        .onRef('previous.domain', '=', 'listed.domain')
        .on((on) => (filter.lost ? on.lit(true) : on('previous.backlinks', '>', 0))),
    )
    .where('reports.id', '=', reportId);
  if (!filter.lost) query = query.where('listed.backlinks', '>', 0);
  if (filter.positions) query = query.where(sql<boolean>`listed.position = any(${filter.positions}::integer[])`);
  if (risks) query = query.where('listed.risk_level', 'in', risks);
  if (filter.confidence) query = query.where(confidence, '=', filter.confidence);
  if (search) query = query.where(sql<boolean>`position(${search.toLowerCase()} in listed.domain) > 0`);
  if (niche !== undefined) query = query.where('listed.niche', '=', niche);
  if (filter.tld !== undefined) query = query.where(tld, '=', filter.tld);
  if (filter.only === 'new') query = query.where(isNew);
  if (filter.signalBit) query = query.where(sql<boolean>`listed.signals & ${filter.signalBit} <> 0`);
  if (decision) {
    const matches: RawBuilder<boolean> =
      decision === 'undecided'
        ? sql<boolean>`decisions.decision is null`
        : sql<boolean>`coalesce(decisions.decision = ${decision}, false)`;
    query = query.where(asOf ? sql<boolean>`(${matches} or decisions.decided_at > ${asOf})` : matches);
  }
  return { query, isNew };
}

/** Returns the names of the listed domains, highest risk first, one per line. */
export async function joinToxicDomains(
  db: Db,
  userId: number,
  reportId: number,
  filter: { lost: boolean; risks: readonly number[] },
): Promise<string> {
  const { query } = toxicDomains(db, userId, reportId, { ...filter, previousId: undefined });
  const { names } = await query
    .select(sql<string | null>`string_agg(listed.domain, E'\n' order by listed.position)`.as('names'))
    .executeTakeFirstOrThrow();
  return names ?? '';
}

/** Returns a page of the listed domains. */
export function listToxicDomains(
  db: Db,
  userId: number,
  reportId: number,
  filter: ToxicDomainFilter,
  order: ToxicDomainOrder,
  { offset, limit }: { offset: number; limit: number },
) {
  const { query, isNew } = toxicDomains(db, userId, reportId, filter);
  return query
    .select([
      'listed.position',
      'listed.domain',
      'listed.risk_level as risk',
      'listed.source_count as sourceCount',
      ...evidence,
      'listed.niche',
      'listed.listed_at as listedAt',
      'listed.backlinks',
      'listed.lost_backlinks as lostBacklinks',
      'listed.nofollow_backlinks as nofollowBacklinks',
      sql<string | null>`listed.first_seen::text`.as('firstSeen'),
      isNew.as('isNew'),
      'listed.signals',
      'decisions.decision',
      sql<string>`coalesce(decisions.note, '')`.as('note'),
    ])
    .orderBy(toOrder(order, isNew, filter.lost))
    .offset(offset)
    .limit(limit)
    .execute();
}

export type ToxicDomainRow = Awaited<ReturnType<typeof listToxicDomains>>[number];

/** Returns the positions of all matching domains in order. */
export async function listToxicPositions(
  db: Db,
  userId: number,
  reportId: number,
  filter: ToxicDomainFilter,
  order: ToxicDomainOrder,
): Promise<number[]> {
  const { query, isNew } = toxicDomains(db, userId, reportId, filter);
  const rows = await query
    .select('listed.position')
    .orderBy(toOrder(order, isNew, filter.lost))
    .execute();
  return rows.map(({ position }) => position);
}

/** Returns the names of all matching domains in order, with the decisions about them. */
export function listToxicDomainNames(
  db: Db,
  userId: number,
  reportId: number,
  filter: ToxicDomainFilter,
  order: ToxicDomainOrder,
) {
  const { query, isNew } = toxicDomains(db, userId, reportId, filter);
  return query
    .select(['listed.domain', 'decisions.decision', sql<string>`coalesce(decisions.note, '')`.as('note')])
    .orderBy(toOrder(order, isNew, filter.lost))
    .execute();
}

/** Equal domains are in the order of their positions: highest risk first, then by name. */
function toOrder(order: ToxicDomainOrder, isNew: RawBuilder<boolean>, lost: boolean): RawBuilder<unknown> {
  if (order === undefined) return sql`listed.position`;
  if (order === 'review') {
    return sql`(${isNew}) desc, listed.risk_level desc, bit_count(listed.signals::integer::bit(16)) desc, listed.position`;
  }
  const columns: Record<ToxicDomainColumn, RawBuilder<unknown>> = {
    domain: sql`listed.domain`,
    risk: sql`listed.risk_level`,
    confidence,
    sources: sql`listed.source_count - listed.copies`,
    backlinks: lost ? sql`listed.backlinks + listed.lost_backlinks` : sql`listed.backlinks`,
    firstSeen: sql`listed.first_seen`,
  };
  return sql`${columns[order.column]} ${sql.raw(order.descending ? 'desc' : 'asc')} nulls last, listed.position`;
}

/** Returns the number of matching domains by risk level. */
export async function countToxicDomains(
  db: Db,
  userId: number,
  reportId: number,
  filter: ToxicDomainFilter,
): Promise<Map<number, number>> {
  const rows = await toxicDomains(db, userId, reportId, filter)
    .query.select(['listed.risk_level as risk', sql<number>`count(*)`.as('count')])
    .groupBy('listed.risk_level')
    .execute();
  return new Map(rows.map(({ risk, count }) => [risk, count]));
}

type DomainProperty = 'risk' | 'confidence' | 'niche' | 'tld' | 'decision' | 'signals' | 'isNew';

/** How often each value of each property occurs among the listed domains. */
export async function countProperties(
  db: Db,
  userId: number,
  reportId: number,
  filter: Pick<ToxicDomainFilter, 'lost' | 'previousId'>,
): Promise<{ property: DomainProperty; key: string; count: number }[]> {
  const { query, isNew } = toxicDomains(db, userId, reportId, filter);
  const rows = query.select([
    sql<string>`listed.risk_level::text`.as('risk'),
    sql<string>`${confidence}::text`.as('confidence'),
    sql<string>`coalesce(listed.niche, '')`.as('niche'),
    tld.as('tld'),
    sql<string>`coalesce(decisions.decision, 'undecided')`.as('decision'),
    sql<string>`listed.signals::text`.as('signals'),
    sql<string>`(${isNew})::text`.as('isNew'),
  ]);
  const { rows: counts } = await sql<{
    property: DomainProperty;
    key: string;
    count: number;
  }>`
    with domain as materialized (${rows})
    select
      case
        when grouping(risk) = 0 then 'risk'
        when grouping(confidence) = 0 then 'confidence'
        when grouping(niche) = 0 then 'niche'
        when grouping(tld) = 0 then 'tld'
        when grouping(decision) = 0 then 'decision'
        when grouping(signals) = 0 then 'signals'
        else 'isNew'
      end as property,
      coalesce(risk, confidence, niche, tld, decision, signals, "isNew") as key,
      count(*) as count
    from domain
    group by grouping sets ((risk), (confidence), (niche), (tld), (decision), (signals), ("isNew"))
    order by key
  `.execute(db);
  return counts;
}

/** Returns the report before this one, of the same website. */
export function findPreviousReport(db: Db, userId: number, reportId: number) {
  return ownReports(db, userId)
    .innerJoin('reports as current', 'current.profile_id', 'reports.profile_id')
    .select(['reports.id', 'reports.created_at as createdAt'])
    .where('current.id', '=', reportId)
    .where(sql<boolean>`(reports.created_at, reports.id) < (current.created_at, current.id)`)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Returns how many listed domains of an earlier report of the user are missing from a later one. Without `lost`, domains
 * that have only lost links are in neither of them, as in the lists.
 */
export async function countMissingDomains(
  db: Db,
  userId: number,
  ids: { earlier: number; later: number },
  lost: boolean,
): Promise<number> {
  const { count } = await ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .leftJoin('report_domains as other', (join) =>
      join
        .on('other.report_id', '=', ids.later)
        .onRef('other.domain', '=', 'listed.domain')
        .on((on) => (lost ? on.lit(true) : on('other.backlinks', '>', 0))),
    )
    .where('reports.id', '=', ids.earlier)
    .where('other.domain', 'is', null)
    .$if(!lost, (query) => query.where('listed.backlinks', '>', 0))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The review of a profile's newest report. */
interface ReviewCounts {
  reportId: number;
  listedDomains: number;
  openReviews: number;
  newToxicDomains: number | null;
}

/**
 * Counts the listed domains of the newest report of each of the user's profiles, or of one, without those that have only
 * lost links: all of them, those without a decision, and those that the report before did not have (null without one).
 */
export async function countReviews(db: Db, userId: number, profileId?: number): Promise<ReviewCounts[]> {
  const reportsOf = (offset: number) => sql`
    select reports.id from reports where reports.profile_id = profiles.id
    order by reports.created_at desc, reports.id desc offset ${sql.lit(offset)} limit 1`;
  const { rows } = await sql<ReviewCounts>`
    select newest.id as "reportId", counts.*
    from profiles
    cross join lateral (${reportsOf(0)}) as newest
    left join lateral (${reportsOf(1)}) as previous on true
    cross join lateral (
      select
        count(*) as "listedDomains",
        count(*) filter (where decisions.decision is null) as "openReviews",
        case when previous.id is not null then count(*) filter (where before.domain is null) end as "newToxicDomains"
      from report_domains as listed
      left join decisions on decisions.profile_id = profiles.id and decisions.domain = listed.domain
      left join report_domains as before
        on before.report_id = previous.id and before.domain = listed.domain and before.backlinks > 0
      where listed.report_id = newest.id and listed.backlinks > 0
    ) as counts
    where profiles.user_id = ${userId} ${profileId === undefined ? sql`` : sql`and profiles.id = ${profileId}`}
  `.execute(db);
  return rows;
}
