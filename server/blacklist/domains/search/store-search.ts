import { type RawBuilder, sql } from 'kysely';
import { type DomainFilter, type DomainOrder, toRiskNumber } from '#shared/blacklist/domains.ts';
import { type Db, type Trx, toLikePattern } from '../../../platform/db/database.ts';
import type { Segment } from '../counts/store-counts.ts';
import { type DomainRow, rowColumns, toConfidenceNumber } from '../store.ts';
import type { FilterCount, StoredFilter } from './filter.ts';
import {
  afterCursor,
  type Condition,
  type Cursor,
  columns,
  fromKey,
  indexOrder,
  inSegment,
  sortedBy,
} from './store-order.ts';

/** Which domains to list, in which order, and what the stored counts tell about their number. */
export interface DomainList {
  filter: StoredFilter;
  order: DomainOrder;
  count: FilterCount;
}

/** A part of a list. */
export interface Range {
  offset: number;
  limit: number;
}

/** Identifies a row to fetch: by its name if the list is sorted by name, otherwise by its id. */
export type Handle = number | string;

/** Runs `read` in one snapshot, so that a total matches its page. */
export function readSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/**
 * Planner settings for each way to find rows. We choose the way ourselves, because we know the number of matches from
 * the stored counts, while the planner only estimates it.
 */
const plans = {
  count: { seqscan: 'on', bitmap: 'on', index: 'on', sort: 'on', workers: '2' },
  scanIndex: { seqscan: 'off', bitmap: 'off', index: 'on', sort: 'off', workers: '0' },
  fetchAndSort: { seqscan: 'off', bitmap: 'on', index: 'off', sort: 'on', workers: '2' },
  scanNames: { seqscan: 'off', bitmap: 'off', index: 'on', sort: 'on', workers: '2' },
} as const;

/** Sets how the following statements find rows, and that they fail after 20 seconds. */
async function setPlan(trx: Trx, plan: keyof typeof plans): Promise<void> {
  const { seqscan, bitmap, index, sort, workers } = plans[plan];
  await sql`select
    set_config('jit', 'off', true), set_config('statement_timeout', '20s', true),
    set_config('enable_seqscan', ${seqscan}, true), set_config('enable_bitmapscan', ${bitmap}, true),
    set_config('enable_indexscan', ${index}, true), set_config('enable_indexonlyscan', ${index}, true),
    set_config('enable_sort', ${sort}, true), set_config('enable_incremental_sort', ${sort}, true),
    set_config('max_parallel_workers_per_gather', ${workers}, true)`.execute(trx);
}

/** Counts matches by reading them, for filters without a stored count. */
export async function countMatches(
  trx: Trx,
  { filter, order, count }: DomainList,
  segment: Segment = 'all',
): Promise<number> {
  await setPlan(trx, 'count');
  const where = whereFilter(filter, { part: count.part, more: [inSegment(order, segment)] });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from domains where ${where}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/**
 * Counts matches by their stored level, 1 to 4, by reading them.
 * @param isShort few domains match, so that the indexes of the filter find them
 */
export async function countMatchesByLevel(
  trx: Trx,
  filter: StoredFilter,
  count: FilterCount,
  isShort: boolean,
): Promise<Map<number, number>> {
  if (isShort) {
    return await countKeys(
      trx,
      await selectMatches(trx, { filter, count, order: { column: 'risk', descending: false } }),
    );
  }
  await setPlan(trx, 'count');
  return await countKeys(
    trx,
    sql`select risk_level as key from domains where ${whereFilter(filter, { part: count.part })}`,
  );
}

/** Counts the names above the lowest level that contain a text, by level. Reads only an index of these names. */
export async function countNamesAboveLow(trx: Trx, search: string): Promise<Map<number, number>> {
  await setPlan(trx, 'scanNames');
  return await countKeys(
    trx,
    sql`select risk_level as key from domains where ${whereFilter({ search }, { more: [sql`risk_level > 1`] })}`,
  );
}

async function countKeys(trx: Trx, matches: RawBuilder<unknown>): Promise<Map<number, number>> {
  const { rows } = await sql<{ key: number; count: number }>`
    select key, count(*) as count from (${matches}) as found group by key
  `.execute(trx);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

/**
 * Scans the index of a sort order and returns the rows that match. For filters with many matches.
 * @param startKey the key of the order's facet at which to start
 * @param maxRows stops after this many rows, matches or not
 */
export async function scanIndex(
  trx: Trx,
  { filter, order }: DomainList,
  segment: Segment,
  { startKey, offset, limit, maxRows }: Range & { startKey?: string; maxRows?: number },
): Promise<Handle[]> {
  await setPlan(trx, 'scanIndex');
  const byName = order.column === 'domain';
  const more = [inSegment(order, segment), startKey !== undefined && fromKey(order, segment, startKey)];
  const { rows } = await sql<{ handle: Handle }>`
    select ${byName ? sql`name` : sql`id`} as handle
    from (
      select * from domains where ${whereFilter(indexFilter(filter, order), { more })}
      order by ${indexOrder(order)} limit ${maxRows ?? null}
    ) as domains
    where ${whereFilter(filter, { byName })}
    order by ${indexOrder(order)} limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ handle }) => handle);
}

/** Returns the part of a filter that an index of the sort order tests without reading rows that do not match. */
function indexFilter({ riskLevel, dateAdded }: StoredFilter, { column }: DomainOrder): StoredFilter {
  if (column === 'date') return { dateAdded };
  return column === 'risk' || column === 'domain' ? { riskLevel } : {};
}

/**
 * Returns the next rows of a sort order after a cursor. The returned `cursor` is undefined if there are no more rows.
 */
export async function scanRows(
  trx: Trx,
  { filter, order }: { filter: DomainFilter; order: DomainOrder },
  segment: Segment,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<{ rows: DomainRow[]; cursor: Cursor | undefined }> {
  await setPlan(trx, 'scanIndex');
  const where = whereFilter(filter, { more: [inSegment(order, segment), after && afterCursor(order, after)] });
  const found = await trx
    .selectFrom('domains')
    .select([...rowColumns, sql<string | null>`${columns[order.column].key}::text`.as('key')])
    .where(sql<boolean>`${where}`)
    .orderBy(indexOrder(order))
    .limit(limit)
    .execute();
  const end = found.at(-1);
  return {
    rows: found.map(({ key: _, ...row }) => row),
    cursor: end && found.length === limit ? { key: end.key, id: end.id } : undefined,
  };
}

/** Fetches all matches and sorts them. For filters with few matches. @returns ids */
export async function fetchAndSort(trx: Trx, list: DomainList, { offset, limit }: Range): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${await selectMatches(trx, list)}) as found
    order by ${sortedBy(list.order)} limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Fetches and sorts up to `limit` matches for an export. @returns ids */
export async function fetchAllSorted(trx: Trx, list: DomainList, limit: number): Promise<number[]> {
  // One text is read in a tenth of the time that its rows would take.
  const { rows } = await sql<{ ids: string }>`
    select array_to_string(array(
      select id from (${await selectMatches(trx, list)}) as found order by ${sortedBy(list.order)} limit ${limit}
    ), ',') as ids
  `.execute(trx);
  return JSON.parse(`[${rows[0]?.ids ?? ''}]`);
}

/** Fetches all matches, counts and sorts them. For few matches whose exact number is unknown. */
export async function fetchSortAndCount(
  trx: Trx,
  list: DomainList,
  { offset, limit }: Range,
): Promise<{ total: number; ids: number[] }> {
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with found as materialized (${await selectMatches(trx, list)})
    select (select count(*) from found) as total, array(
      select id from found order by ${sortedBy(list.order)} limit ${limit} offset ${offset}
    ) as ids
  `.execute(trx);
  const [found] = rows;
  return { total: found?.total ?? 0, ids: (found?.ids ?? []).map(Number) };
}

/** Builds the query for ids and sort keys of all matches, which the indexes of the filter find. */
async function selectMatches(trx: Trx, { filter, order, count }: DomainList): Promise<RawBuilder<unknown>> {
  await setPlan(trx, 'fetchAndSort');
  return sql`
    select id, ${columns[order.column].key} as key from domains where ${whereFilter(filter, { part: count.part })}
  `;
}

interface WhereOptions {
  /** The part of the search to look up in the index of searches. */
  part?: string | undefined;
  more?: Condition[];
  /** Test the TLD on the name instead of its column, so that an index of names is enough. */
  byName?: boolean;
}

/** Builds the WHERE condition of a filter, with additional conditions. */
function whereFilter(
  { search, tld, niche, riskLevel, confidence, source, dateAdded, names }: StoredFilter,
  { part, more = [], byName = false }: WhereOptions,
): RawBuilder<unknown> {
  const tldCondition = byName ? sql`name like ${toLikePattern(`.${tld}`).slice(0, -1)}` : sql`tld = ${tld}`;
  const conditions = [
    part !== undefined && inIndexedName(part),
    search !== undefined &&
      (part === undefined ? sql`name like ${toLikePattern(search)}` : sql`strpos(name, ${search}) > 0`),
    names && sql`name = any(${names}::text[])`,
    tld !== undefined && tldCondition,
    niche !== undefined && sql`niche = ${niche}`,
    riskLevel !== undefined && sql`risk_level = ${toRiskNumber(riskLevel)}`,
    confidence !== undefined &&
      sql`domain_confidence(source_count, copies, proof) = ${toConfidenceNumber(confidence)}::smallint`,
    source !== undefined && sql`source @> array[${source}::text]`,
    dateAdded !== undefined && sql`added_at >= ${new Date(dateAdded)}`,
    ...more,
  ].filter((condition) => condition !== false && condition !== undefined);
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

/**
 * The index of searches contains names with digits for punctuation, in which pg_trgm would split them. It therefore
 * also finds names with these digits, and queries must test the name as well.
 */
function inIndexedName(part: string): RawBuilder<unknown> {
  const name = sql`translate(name, '.-_', '967')`;
  const text = part.replaceAll('.', '9').replaceAll('-', '6').replaceAll('_', '7');
  if (text.length > 2) return sql`${name} like ${toLikePattern(text)}`;
  // The index contains pieces of three characters: two with any third one, or at the end of a name.
  return sql`(${name} ~ ${`${text}[a-z0-9]`} or ${name} like ${`%${text}`})`;
}
