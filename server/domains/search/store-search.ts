import { type RawBuilder, sql } from 'kysely';
import type { DomainFilter, DomainOrder, SortColumn } from '#shared/domains.ts';
import { type Db, type Trx, toLikePattern } from '../../db/database.ts';
import { type DomainRow, rowColumns, toConfidenceNumber, toRiskNumber } from '../store.ts';
import type { FilterCount, StoredFilter } from './filter.ts';

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

/** The rows of a sort order whose sort key is known or unknown (null). Unknown keys come last in both directions. */
export type Segment = 'all' | 'known' | 'unknown';

interface OrderColumn {
  key: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  /**
   * The facet whose keys ascend with this order. Its counts tell at which key an offset lies. Rows without a sort key
   * have the key ''.
   */
  facet: string;
  nullable?: true;
}

/** The columns to sort by. Each has an index together with the id; names are unique and have an index without it. */
export const columns: Record<SortColumn, OrderColumn> = {
  domain: { key: sql`name`, type: sql`text collate "C"`, facet: 'prefix' },
  date: { key: sql`added_at`, type: sql`timestamptz`, facet: 'added' },
  lastUpdated: { key: sql`updated_at`, type: sql`timestamptz`, facet: 'updated' },
  risk: { key: sql`risk_level`, type: sql`smallint`, facet: 'block' },
  dr: { key: sql`domain_rating`, type: sql`smallint`, facet: 'rating', nullable: true },
  cost: { key: sql`cost_amount`, type: sql`double precision`, facet: 'cost', nullable: true },
  source: { key: sql`source_start`, type: sql`text collate "C"`, facet: 'start' },
};

/** Returns the segments of a sort order, in the order in which a list shows them. */
export function listSegments({ column }: DomainOrder): Segment[] {
  return columns[column].nullable ? ['known', 'unknown'] : ['all'];
}

/** Runs `read` in one snapshot, so that a total matches its page. Statements fail after 20 seconds. */
export function readSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('jit', 'off', true), set_config('statement_timeout', ${'20s'}, true)`.execute(trx);
      return await read(trx);
    });
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

async function setPlan(trx: Trx, plan: keyof typeof plans): Promise<void> {
  const { seqscan, bitmap, index, sort, workers } = plans[plan];
  await sql`select
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
  const where = whereFilter(filter, count.rarestPart ?? filter.search, [inSegment(order, segment)]);
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
    sql`select risk_level as key from domains where ${whereFilter(filter, count.rarestPart ?? filter.search)}`,
  );
}

/** Counts the names above the lowest level that contain a text, by level. Reads only an index of these names. */
export async function countNamesAboveLow(trx: Trx, search: string): Promise<Map<number, number>> {
  await setPlan(trx, 'scanNames');
  return await countKeys(
    trx,
    sql`select risk_level as key from domains where ${whereFilter({ search }, search, [sql`risk_level > 1`])}`,
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
 */
export async function scanIndex(
  trx: Trx,
  { filter, order }: DomainList,
  segment: Segment,
  startKey: string | undefined,
  { offset, limit }: Range,
): Promise<Handle[]> {
  await setPlan(trx, 'scanIndex');
  const isByName = order.column === 'domain';
  const more = [inSegment(order, segment), startKey !== undefined && fromKey(order, startKey)];
  const { rows } = await sql<{ handle: Handle }>`
    select ${isByName ? sql`name` : sql`id`} as handle from domains
    where ${whereFilter(filter, filter.search, more, isByName)}
    order by ${indexOrder(order)}
    limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ handle }) => handle);
}

/** The last row of a batch: its sort key in PostgreSQL's text form, and its id. */
export interface Cursor {
  key: string | null;
  id: number;
}

/**
 * Returns the next rows of a sort order after a cursor. The returned `cursor` is undefined if there are no more rows.
 */
export async function scanRows(
  trx: Trx,
  filter: DomainFilter,
  order: DomainOrder,
  segment: Segment,
  after: Cursor | undefined,
  limit: number,
): Promise<{ rows: DomainRow[]; cursor: Cursor | undefined }> {
  await setPlan(trx, 'scanIndex');
  const where = whereFilter(filter, filter.search, [inSegment(order, segment), after && afterCursor(order, after)]);
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

/**
 * Builds the query for ids and sort keys of all matches. It uses the filter's indexes, or first scans all names if no
 * index suits the search.
 */
async function selectMatches(trx: Trx, { filter, order, count }: DomainList): Promise<RawBuilder<unknown>> {
  const { key } = columns[order.column];
  if (!count.needsNameScan) {
    await setPlan(trx, 'fetchAndSort');
    return sql`select id, ${key} as key from domains where ${whereFilter(filter, count.rarestPart)}`;
  }
  await setPlan(trx, 'scanNames');
  const { search, ...others } = filter;
  const { rows } = await sql<{ name: string }>`
    select name from domains where ${whereFilter({ search }, search)}
  `.execute(trx);
  const names = rows.map(({ name }) => name);
  return sql`select id, ${key} as key from domains
    where name = any(${names}::text[]) and ${whereFilter(others, undefined)}`;
}

type Condition = RawBuilder<unknown> | false | undefined;

/**
 * Builds the WHERE condition of a filter, with additional conditions.
 * @param part the part of the search to look up by LIKE; undefined tests the search only on rows that meet the other
 *   conditions
 * @param isNameOnly test the TLD on the name instead of its column, so that the index of names is enough
 */
function whereFilter(
  { search, tld, niche, riskLevel, confidence, source, dateAdded, names }: StoredFilter,
  part: string | undefined,
  more: Condition[] = [],
  isNameOnly = false,
): RawBuilder<unknown> {
  const tldCondition = isNameOnly ? sql`name like ${toLikePattern(`.${tld}`).slice(0, -1)}` : sql`tld = ${tld}`;
  const conditions = [
    part !== undefined && sql`name like ${toLikePattern(part)}`,
    search !== part && sql`strpos(name, ${search}) > 0`,
    names && sql`name = any(${names}::text[])`,
    tld !== undefined && tldCondition,
    niche !== undefined && sql`niche = ${niche}`,
    riskLevel !== undefined && sql`risk_level = ${toRiskNumber(riskLevel)}`,
    confidence !== undefined &&
      sql`domain_confidence(source_count, copies, proof) = ${toConfidenceNumber(confidence)}::smallint`,
    source !== undefined && sql`string_to_array(source, ', ') @> array[${source}::text collate "C"]`,
    dateAdded !== undefined && sql`added_at >= ${new Date(dateAdded)}`,
    ...more,
  ].filter((condition) => condition !== false && condition !== undefined);
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
}

function inSegment({ column }: DomainOrder, segment: Segment): Condition {
  if (segment === 'all') return undefined;
  return segment === 'known' ? sql`${columns[column].key} is not null` : sql`${columns[column].key} is null`;
}

function afterCursor({ column, descending }: DomainOrder, { key, id }: Cursor): Condition {
  const beyond = descending ? sql`<` : sql`>`;
  if (key === null) return sql`id ${beyond} ${id}`;
  if (column === 'domain') return sql`name ${beyond} ${key}`;
  return sql`(${columns[column].key}, id) ${beyond} (${key}::${columns[column].type}, ${id}::bigint)`;
}

/**
 * Builds the condition for all rows of a sort order from the given facet key on. Facet keys are prefixes of names or
 * sources, days, ratings, whole amounts, or a risk level with a block of 65,536 ids.
 */
function fromKey({ column, descending }: DomainOrder, key: string): Condition {
  switch (column) {
    case 'domain':
      return descending ? sql`name <= ${`${key}~`}` : sql`name >= ${key}`;
    case 'date':
    case 'lastUpdated': {
      const { key: time } = columns[column];
      const day = sql`(${key}::date::timestamp at time zone 'UTC')`;
      return descending ? sql`${time} < ${day} + interval '24 hours'` : sql`${time} >= ${day}`;
    }
    case 'dr':
      return descending ? sql`domain_rating <= ${Number(key)}` : sql`domain_rating >= ${Number(key)}`;
    case 'cost':
      return descending ? sql`cost_amount < ${Number(key)} + 1` : sql`cost_amount >= ${Number(key)}`;
    case 'risk': {
      const [level = 0, block = 0] = key.split(' ').map(Number);
      const first = block * 65_536;
      return descending
        ? sql`(risk_level, id) <= (${level}::smallint, ${first + 65_535}::bigint)`
        : sql`(risk_level, id) >= (${level}::smallint, ${first}::bigint)`;
    }
    case 'source':
      return descending ? sql`source_start <= ${key}` : sql`source_start >= ${key}`;
  }
}

const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`);

/** ORDER BY as the indexes define it. Names are unique, so their index has no id. */
const indexOrder = ({ column, descending }: DomainOrder) =>
  sql`${columns[column].key} ${direction(descending)} ${column === 'domain' ? sql`` : sql`, id ${direction(descending)}`}`;

/** ORDER BY for the columns of `selectMatches`. */
const sortedBy = ({ descending }: DomainOrder) =>
  sql`key ${direction(descending)} nulls last, id ${direction(descending)}`;
