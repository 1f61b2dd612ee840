import { type RawBuilder, sql } from 'kysely';
import { type RiskLevel, toRiskNumber } from '#shared/blacklist/domains.ts';
import { type LiveFilter, liveStates } from '#shared/reports/live-links.ts';
import type { ReviewState, ToxicDomainColumn } from '#shared/reports/reports.ts';
import type { Db } from '../../platform/db/database.ts';
import { isAllGone } from './queries.ts';
import { ownReports } from './store.ts';
import { evidence } from './store-backlinks.ts';
import { confidence, newWithLost, newWithoutLost, tld } from './store-counts.ts';

/** Which listed domains of a report. */
export interface ToxicDomainFilter {
  /** Includes domains that have only lost links. */
  lost: boolean;
  /** Undefined for all. */
  riskLevels?: readonly RiskLevel[] | undefined;
  /** The positions of the domains with these levels, if they are known: `from` up to, but not including, `to`. */
  riskPositions?: { from: number; to: number } | undefined;
  /** Only domains after this position. */
  after?: number | undefined;
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
  live?: LiveFilter | undefined;
  /** With `decision`: includes domains that were decided after this time. */
  asOf?: Date | undefined;
}

/**
 * The order of a list: by a column, or `review`, which has new domains first, and those with most signals before others
 * of their level. Undefined for highest risk first.
 */
export type ToxicDomainOrder = { column: ToxicDomainColumn; descending: boolean } | 'review' | undefined;

/** SQL for the result of visits to the pages of a listed domain. */
const liveDomain = sql`live_domains as live where live.report_id = listed.report_id and live.position = listed.position`;
const liveState = sql<number | null>`(select live.state from ${liveDomain})`;

/** SQL for whether a listed domain has a state. */
function isLive(filter: LiveFilter): RawBuilder<boolean> {
  if (filter === 'unchecked') return sql`${liveState} is null`;
  const condition = filter === 'nothingToDo' ? isAllGone : sql`live.state = ${sql.lit(liveStates.indexOf(filter))}`;
  return sql`exists (select from ${liveDomain} and ${condition})`;
}

/** SQL for whether the report before did not have a domain. */
const isNew = (lost: boolean) => sql<boolean>`listed.new_in & ${sql.lit(lost ? newWithLost : newWithoutLost)} <> 0`;

function toxicDomains(db: Db, userId: number, reportId: number, filter: ToxicDomainFilter) {
  const { lost, riskLevels, riskPositions, search, niche, decision, asOf } = filter;
  // A subquery, because a join would look up the report for each of its domains.
  const own = ownReports(db, userId).where('reports.id', '=', reportId);
  let query = db.selectFrom('report_domains as listed').where('listed.report_id', '=', own.select('reports.id'));
  if (!lost) query = query.where('listed.backlinks', '>', 0);
  if (riskPositions) {
    const { from, to } = riskPositions;
    query = query.where('listed.position', '>=', from).where('listed.position', '<', to);
  } else if (riskLevels) query = query.where('listed.risk_level', 'in', riskLevels.map(toRiskNumber));
  if (filter.after !== undefined) query = query.where('listed.position', '>', filter.after);
  if (filter.confidence) query = query.where(confidence, '=', filter.confidence);
  if (search) query = query.where(sql<boolean>`position(${search.toLowerCase()} in listed.domain) > 0`);
  if (niche !== undefined) query = query.where('listed.niche', '=', niche);
  if (filter.tld !== undefined) query = query.where(tld, '=', filter.tld);
  if (filter.only === 'new') query = query.where(isNew(lost));
  if (filter.signalBit) query = query.where(sql<boolean>`listed.signals & ${filter.signalBit} <> 0`);
  if (filter.live) query = query.where(isLive(filter.live));
  if (!decision) return query;
  const matches = decision === 'undecided' ? sql`decisions.decision is null` : sql`decisions.decision = ${decision}`;
  return query
    .leftJoin('decisions', (join) =>
      join.on('decisions.website_id', '=', own.select('website_id')).onRef('decisions.domain', '=', 'listed.domain'),
    )
    .where(asOf ? sql<boolean>`(${matches} or decisions.decided_at > ${asOf})` : sql<boolean>`${matches}`);
}

/** Returns the names of the listed domains, highest risk first, one per line. */
export async function joinToxicDomains(
  db: Db,
  userId: number,
  reportId: number,
  filter: { lost: boolean; riskLevels: readonly RiskLevel[] },
): Promise<string> {
  const { names } = await toxicDomains(db, userId, reportId, filter)
    .select(sql<string | null>`string_agg(listed.domain, E'\n' order by listed.position)`.as('names'))
    .executeTakeFirstOrThrow();
  return names ?? '';
}

/** Returns the positions of a page of the matching domains, in order. */
export async function listToxicPositions(
  db: Db,
  { userId, reportId }: { userId: number; reportId: number },
  { filter, order }: { filter: ToxicDomainFilter; order: ToxicDomainOrder },
  { offset, limit }: { offset: number; limit: number },
): Promise<number[]> {
  const rows = await toxicDomains(db, userId, reportId, filter)
    .select('listed.position')
    .orderBy(toOrder(order, filter.lost))
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ position }) => position);
}

/** Returns the same as `listToxicPositions`, and the number of all matching domains, which reads all of them. */
export async function countToxicPositions(
  db: Db,
  { userId, reportId }: { userId: number; reportId: number },
  { filter, order }: { filter: ToxicDomainFilter; order: ToxicDomainOrder },
  { offset, limit }: { offset: number; limit: number },
): Promise<{ positions: number[]; total: number }> {
  const matching = toxicDomains(db, userId, reportId, filter)
    .select(['listed.position', sql<number>`count(*) over ()`.as('total')])
    .orderBy(toOrder(order, filter.lost));
  const rows = await matching.offset(offset).limit(limit).execute();
  // Rows past the end do not have the number.
  const [first] = rows.length > 0 || offset === 0 ? rows : await matching.limit(1).execute();
  return { positions: rows.map(({ position }) => position), total: first?.total ?? 0 };
}

/** Returns the positions of all matching domains in order. */
export async function listAllToxicPositions(
  db: Db,
  { userId, reportId }: { userId: number; reportId: number },
  { filter, order }: { filter: ToxicDomainFilter; order: ToxicDomainOrder },
): Promise<number[]> {
  // One text is read in a tenth of the time that its rows would take.
  const { positions } = await toxicDomains(db, userId, reportId, filter)
    .select(
      sql<string | null>`string_agg(listed.position::text, ',' order by ${toOrder(order, filter.lost)})`.as(
        'positions',
      ),
    )
    .executeTakeFirstOrThrow();
  return JSON.parse(`[${positions ?? ''}]`);
}

/**
 * Returns the names of the domains at these positions in this order, with the decisions about them, as JSON objects
 * separated by commas. Built by PostgreSQL, because hundreds of thousands of rows would occupy Node.js for a second.
 */
export async function joinDomainNames(
  db: Db,
  userId: number,
  reportId: number,
  positions: readonly number[],
): Promise<{ text: string; count: number }> {
  const wanted = sql<{ position: number; number: number }>`
    unnest(${positions}::integer[]) with ordinality`.as<'wanted'>(sql`wanted (position, number)`);
  const object = sql`json_build_object(
    'domain', listed.domain, 'decision', decisions.decision, 'note', coalesce(decisions.note, ''))`;
  const row = await ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .innerJoin(wanted, (join) => join.on(sql<boolean>`wanted.position = listed.position`))
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.website_id', '=', 'reports.website_id').onRef('decisions.domain', '=', 'listed.domain'),
    )
    .where('reports.id', '=', reportId)
    .select([
      sql<string | null>`string_agg(${object}::text, ',' order by wanted.number)`.as('text'),
      sql<number>`count(*)`.as('count'),
    ])
    .executeTakeFirstOrThrow();
  return { text: row.text ?? '', count: row.count };
}

/** Returns the domains at these positions, in no order. @param lost as in the filter that found them */
export function findToxicDomains(
  db: Db,
  { userId, reportId }: { userId: number; reportId: number },
  positions: readonly number[],
  lost: boolean,
) {
  return ownReports(db, userId)
    .innerJoin('report_domains as listed', 'listed.report_id', 'reports.id')
    .leftJoin('decisions', (join) =>
      join.onRef('decisions.website_id', '=', 'reports.website_id').onRef('decisions.domain', '=', 'listed.domain'),
    )
    .leftJoin('live_domains as live', (join) =>
      join.onRef('live.report_id', '=', 'listed.report_id').onRef('live.position', '=', 'listed.position'),
    )
    .where('reports.id', '=', reportId)
    .where(sql<boolean>`listed.position = any(${positions}::integer[])`)
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
      isNew(lost).as('isNew'),
      'listed.signals',
      'live.state as liveState',
      'live.checked_at as liveCheckedAt',
      'live.pages as livePages',
      'live.checked_pages as liveCheckedPages',
      'decisions.decision',
      sql<string>`coalesce(decisions.note, '')`.as('note'),
    ])
    .execute();
}

export type ToxicDomainRow = Awaited<ReturnType<typeof findToxicDomains>>[number];

/** Equal domains are in the order of their positions: highest risk first, then by name. */
function toOrder(order: ToxicDomainOrder, lost: boolean): RawBuilder<unknown> {
  if (order === undefined) return sql`listed.position`;
  if (order === 'review') {
    return sql`(${isNew(lost)}) desc, listed.risk_level desc, bit_count(listed.signals::integer::bit(16)) desc, listed.position`;
  }
  const columns: Record<ToxicDomainColumn, RawBuilder<unknown>> = {
    domain: sql`listed.domain`,
    risk: sql`listed.risk_level`,
    confidence,
    sources: sql`listed.source_count - listed.copies`,
    backlinks: lost ? sql`listed.backlinks + listed.lost_backlinks` : sql`listed.backlinks`,
    firstSeen: sql`listed.first_seen`,
    live: liveState,
  };
  return sql`${columns[order.column]} ${sql.raw(order.descending ? 'desc' : 'asc')} nulls last, listed.position`;
}
