import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { Matches } from './matches.ts';
import type { SortKey, SortOrder } from './sort-orders.ts';
import { likePattern } from './store-counts.ts';

/** Seconds after which a question that matches too much gives up. */
export const patience = 20;

export const keys: Record<SortKey, RawBuilder<unknown>> = {
  name: sql`name`,
  added: sql`added_at`,
  updated: sql`updated_at`,
  risk: sql`risk_level`,
  rating: sql`domain_rating`,
  cost: sql`cost_amount`,
  source: sql`left(source, 64)`,
};

/** Which rows of an order: all, those whose key is known, or the others. */
export type Segment = 'all' | 'known' | 'unknown';

/** One snapshot for a count and its page. The planner's choice between walking and gathering is ours, which know the count. */
export function readSnapshot<T>(db: Db, read: (trx: Trx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      await sql`select set_config('jit', 'off', true), set_config('statement_timeout', ${`${patience}s`}, true)`.execute(
        trx,
      );
      return await read(trx);
    });
}

/** Counts by looking: for combinations that the kept counts do not answer. */
export async function countMatches(
  trx: Trx,
  matches: Matches,
  segment: Segment = 'all',
  by: SortKey = 'name',
): Promise<number> {
  await choosePlans(trx, { scan: 'on', bitmap: 'on', index: 'on', sort: 'on', parallel: '2' });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from domains where ${conditions(matches, segmentCondition(segment, by))}
  `.execute(trx);
  return rows[0]?.count ?? 0;
}

/** A place in an order to begin at: the key itself, and in `risk` the id. */
export interface Place {
  key: string;
}

export interface Walk {
  matches: Matches;
  order: SortOrder;
  segment: Segment;
  place: Place | undefined;
  offset: number;
  limit: number;
}

/** Follows the index of an order and takes what matches: for many matches. @returns names in the order of names, ids in others */
export async function walk(
  trx: Trx,
  { matches, order, segment, place, offset, limit }: Walk,
): Promise<(number | string)[]> {
  await choosePlans(trx, { scan: 'off', bitmap: 'off', index: 'on', sort: 'off', parallel: '0' });
  const { by, descending } = order;
  const where = conditions(
    matches,
    segmentCondition(segment, by),
    place && placeCondition(order, place.key),
    by === 'name',
  );
  const { rows } = await sql<{ handle: number | string }>`
    select ${by === 'name' ? sql`name` : sql`id`} as handle from domains where ${where}
    order by ${keys[by]} ${direction(descending)} ${by === 'name' ? sql`` : sql`, id ${direction(descending)}`}
    limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ handle }) => handle);
}

export interface Gathered {
  total: number;
  ids: number[];
}

/** Finds all matches by their own indexes and sorts them: for few matches. */
export async function gather(
  trx: Trx,
  matches: Matches,
  order: SortOrder,
  offset: number,
  limit: number,
): Promise<Gathered> {
  await choosePlans(trx, { scan: 'off', bitmap: 'on', index: 'off', sort: 'on', parallel: '0' });
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with found as materialized (select id, ${keys[order.by]} as key from domains where ${conditions(matches)})
    select (select count(*) from found) as total, array(
      select id from found order by key ${direction(order.descending)} nulls last, id ${direction(order.descending)}
      limit ${limit} offset ${offset}
    ) as ids
  `.execute(trx);
  const [found] = rows;
  return { total: found?.total ?? 0, ids: (found?.ids ?? []).map(Number) };
}

type Switch = 'on' | 'off';

export async function choosePlans(
  trx: Trx,
  {
    scan,
    bitmap,
    index,
    sort,
    parallel,
  }: { scan: Switch; bitmap: Switch; index: Switch; sort: Switch; parallel: string },
): Promise<void> {
  await sql`select
    set_config('enable_seqscan', ${scan}, true), set_config('enable_bitmapscan', ${bitmap}, true),
    set_config('enable_indexscan', ${index}, true), set_config('enable_indexonlyscan', ${index}, true),
    set_config('enable_sort', ${sort}, true), set_config('enable_incremental_sort', ${sort}, true),
    set_config('max_parallel_workers_per_gather', ${parallel}, true)`.execute(trx);
}

export function conditions(
  matches: Matches,
  segment?: RawBuilder<unknown>,
  place?: RawBuilder<unknown>,
  namesOnly = false,
): RawBuilder<unknown> {
  const { text, tld, niche, riskLevel, source, since } = matches;
  const all: (RawBuilder<unknown> | undefined)[] = [
    text === undefined ? undefined : sql`name like ${likePattern(text)}`,
    tld === undefined
      ? undefined
      : namesOnly
        ? sql`name like ${likePattern(`.${tld}`).slice(0, -1)}`
        : sql`tld = ${tld}`,
    niche === undefined ? undefined : sql`niche = ${niche}`,
    riskLevel === undefined ? undefined : sql`risk_level = ${riskLevel}`,
    source === undefined ? undefined : sql`string_to_array(source, ', ') @> array[${source}::text collate "C"]`,
    since && sql`added_at >= ${since}`,
    segment,
    place,
  ];
  const present = all.filter((condition) => condition !== undefined);
  return present.length > 0 ? sql.join(present, sql` and `) : sql`true`;
}

export function segmentCondition(segment: Segment, by: SortKey): RawBuilder<unknown> | undefined {
  if (segment === 'all') return undefined;
  return segment === 'known' ? sql`${keys[by]} is not null` : sql`${keys[by]} is null`;
}

/** The row at a place and all after it. The keys are those of the counts: pieces of names, days, whole amounts, blocks of ids. */
function placeCondition({ by, descending }: SortOrder, key: string): RawBuilder<unknown> | undefined {
  switch (by) {
    case 'name':
      return descending ? sql`name <= ${`${key}~`}` : sql`name >= ${key}`;
    case 'added':
    case 'updated': {
      const day = sql`(${key}::date::timestamp at time zone 'UTC')`;
      return descending ? sql`${keys[by]} < ${day} + interval '24 hours'` : sql`${keys[by]} >= ${day}`;
    }
    case 'rating':
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
      return undefined;
  }
}

export const direction = (descending: boolean) => (descending ? sql`desc` : sql`asc`);
