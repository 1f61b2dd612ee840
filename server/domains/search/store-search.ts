import { type RawBuilder, sql } from 'kysely';
import type { DomainFilter, DomainOrder, SortColumn } from '#shared/domains.ts';
import { type Db, type Trx, toLikePattern } from '../../db/database.ts';
import { type DomainRow, riskNumber, rowColumns } from '../store.ts';
import type { FilterCount } from './filter.ts';

/** Which domains, in which order, and what the kept counts know about their number. */
export interface DomainList {
  filter: DomainFilter;
  order: DomainOrder;
  count: FilterCount;
}

/** Which part of a list. */
export interface Range {
  offset: number;
  limit: number;
}

/** What a row is fetched by: its name where a list follows the names, otherwise its id. */
export type Handle = number | string;

/** Rows of an order by whether their key is known. */
export type Segment = 'all' | 'known' | 'unknown';

interface OrderColumn {
  key: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  /** The kept counts that follow the order: their keys are the places in it. Rows without a key have the key ''. */
  facet: string;
  nullable?: true;
}

/** The columns of the orders. Each has an index together with the id, and the names one of their own. */
export const columns: Record<SortColumn, OrderColumn> = {
  domain: { key: sql`name`, type: sql`text collate "C"`, facet: 'prefix' },
  date: { key: sql`added_at`, type: sql`timestamptz`, facet: 'added' },
  lastUpdated: { key: sql`updated_at`, type: sql`timestamptz`, facet: 'updated' },
  risk: { key: sql`risk_level`, type: sql`smallint`, facet: 'block' },
  dr: { key: sql`domain_rating`, type: sql`smallint`, facet: 'rating', nullable: true },
  cost: { key: sql`cost_amount`, type: sql`double precision`, facet: 'cost', nullable: true },
  source: { key: sql`source_start`, type: sql`text collate "C"`, facet: 'start' },
};

/** The segments of an order in the sequence of a list. */
export function segmentsOf({ column }: DomainOrder): Segment[] {
  return columns[column].nullable ? ['known', 'unknown'] : ['all'];
}

/** Runs `read` in one snapshot, so that a count and its page agree. Statements fail after 20 seconds. */
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

/** Settings for each way to find rows. The choice is ours, because we know the number of matches, which the planner only estimates. */
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

/** Counts matches by reading them, for filters without a kept count. */
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
 * Reads the index of an order and takes the rows that match: for many matches.
 * @param place a key of the counts that follow the order, to start at
 */
export async function scanIndex(
  trx: Trx,
  { filter, order }: DomainList,
  segment: Segment,
  place: string | undefined,
  { offset, limit }: Range,
): Promise<Handle[]> {
  await setPlan(trx, 'scanIndex');
  const isByName = order.column === 'domain';
  const more = [inSegment(order, segment), place !== undefined && fromPlace(order, place)];
  const { rows } = await sql<{ handle: Handle }>`
    select ${isByName ? sql`name` : sql`id`} as handle from domains
    where ${whereFilter(filter, filter.search, more, isByName)}
    order by ${indexOrder(order)}
    limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ handle }) => handle);
}

/** The last row of a batch: its key as PostgreSQL writes it, and its id. */
export interface Cursor {
  key: string | null;
  id: number;
}

/** The next rows of an order after a cursor. `cursor` is undefined when there are no more. */
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

/** Finds all matches and sorts them: for few matches. @returns ids */
export async function fetchAndSort(trx: Trx, list: DomainList, { offset, limit }: Range): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (${await selectMatches(trx, list)}) as found
    order by ${sortedBy(list.order)} limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

/** Finds all matches, counts and sorts them: for few matches whose number is not known. */
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

/** Ids and sort keys of all matches: by the indexes of the filter, or by reading all names for a search that no index helps with. */
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
 * The condition of a filter, with more conditions.
 * @param part the part of the search to look up by LIKE; undefined tests the rows that the other conditions leave
 * @param onNames test the ending on the name, so that an index of names is enough
 */
function whereFilter(
  { search, tld, niche, riskLevel, source, dateAdded }: DomainFilter,
  part: string | undefined,
  more: Condition[] = [],
  onNames = false,
): RawBuilder<unknown> {
  const isTld = onNames ? sql`name like ${toLikePattern(`.${tld}`).slice(0, -1)}` : sql`tld = ${tld}`;
  const conditions = [
    part !== undefined && sql`name like ${toLikePattern(part)}`,
    search !== part && sql`strpos(name, ${search}) > 0`,
    tld !== undefined && isTld,
    niche !== undefined && sql`niche = ${niche}`,
    riskLevel !== undefined && sql`risk_level = ${riskNumber(riskLevel)}`,
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

/** The first row of a place and all after it. Places are keys of counts: pieces of names, days, whole amounts, blocks of ids. */
function fromPlace({ column, descending }: DomainOrder, place: string): Condition {
  switch (column) {
    case 'domain':
      return descending ? sql`name <= ${`${place}~`}` : sql`name >= ${place}`;
    case 'date':
    case 'lastUpdated': {
      const { key } = columns[column];
      const day = sql`(${place}::date::timestamp at time zone 'UTC')`;
      return descending ? sql`${key} < ${day} + interval '24 hours'` : sql`${key} >= ${day}`;
    }
    case 'dr':
      return descending ? sql`domain_rating <= ${Number(place)}` : sql`domain_rating >= ${Number(place)}`;
    case 'cost':
      return descending ? sql`cost_amount < ${Number(place)} + 1` : sql`cost_amount >= ${Number(place)}`;
    case 'risk': {
      const [level = 0, block = 0] = place.split(' ').map(Number);
      const first = block * 65_536;
      return descending
        ? sql`(risk_level, id) <= (${level}::smallint, ${first + 65_535}::bigint)`
        : sql`(risk_level, id) >= (${level}::smallint, ${first}::bigint)`;
    }
    case 'source':
      return descending ? sql`source_start <= ${place}` : sql`source_start >= ${place}`;
  }
}

const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`);

/** As the indexes have it. Names are unique, so their index has no id. */
const indexOrder = ({ column, descending }: DomainOrder) =>
  sql`${columns[column].key} ${direction(descending)} ${column === 'domain' ? sql`` : sql`, id ${direction(descending)}`}`;

/** The same for the columns of `selectMatches`. */
const sortedBy = ({ descending }: DomainOrder) =>
  sql`key ${direction(descending)} nulls last, id ${direction(descending)}`;
