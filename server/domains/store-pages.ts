import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { type Matches, noMatches } from './matches.ts';
import type { SortKey, SortOrder } from './sort-orders.ts';
import { conditions, direction, keys, placeCondition, type Segment, segmentCondition } from './store-conditions.ts';

/** Seconds after which a question that matches too much gives up. */
export const patience = 20;

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
  rarest: string | undefined,
  segment: Segment = 'all',
  by: SortKey = 'name',
): Promise<number> {
  await choosePlans(trx, { scan: 'on', bitmap: 'on', index: 'on', sort: 'on', parallel: '2' });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from domains where ${conditions(matches, { rarest, segment: segmentCondition(segment, by) })}
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
  const where = conditions(matches, {
    segment: segmentCondition(segment, by),
    place: place && placeCondition(order, place.key),
    namesOnly: by === 'name',
  });
  const { rows } = await sql<{ handle: number | string }>`
    select ${by === 'name' ? sql`name` : sql`id`} as handle from domains where ${where}
    order by ${keys[by]} ${direction(descending)} ${by === 'name' ? sql`` : sql`, id ${direction(descending)}`}
    limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ handle }) => handle);
}

/** How few matches are found: by the indexes of their conditions, or by reading all names for a text that no index helps with. */
export interface Gathering {
  matches: Matches;
  /** A part of the text that the search index knows well, if there is one. */
  rarest: string | undefined;
  /** The text alone leaves few names, and no index helps to find them. */
  byNames: boolean;
  order: SortOrder;
  offset: number;
  limit: number;
}

/** Finds all matches, counts and sorts them: for few matches. */
export async function gather(trx: Trx, gathering: Gathering): Promise<{ total: number; ids: number[] }> {
  const { order, offset, limit } = gathering;
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with found as materialized (${await matchesOf(trx, gathering)})
    select (select count(*) from found) as total, array(
      select id from found order by ${sortedBy(order)} limit ${limit} offset ${offset}
    ) as ids
  `.execute(trx);
  const [found] = rows;
  return { total: found?.total ?? 0, ids: (found?.ids ?? []).map(Number) };
}

/** The same where the number of matches is known. */
export async function gatherSorted(trx: Trx, gathering: Gathering): Promise<number[]> {
  const { order, offset, limit } = gathering;
  const { rows } = await sql<{ id: number }>`
    select id from (${await matchesOf(trx, gathering)}) as found order by ${sortedBy(order)} limit ${limit} offset ${offset}
  `.execute(trx);
  return rows.map(({ id }) => id);
}

async function matchesOf(trx: Trx, { matches, rarest, byNames, order }: Gathering): Promise<RawBuilder<unknown>> {
  const key = keys[order.by];
  if (!byNames) {
    await choosePlans(trx, { scan: 'off', bitmap: 'on', index: 'off', sort: 'on', parallel: '2' });
    return sql`select id, ${key} as key from domains where ${conditions(matches, { rarest, gathering: true })}`;
  }
  await choosePlans(trx, { scan: 'off', bitmap: 'off', index: 'on', sort: 'on', parallel: '2' });
  const { rows } = await sql<{ name: string }>`
    select name from domains where ${conditions({ ...noMatches, text: matches.text })}
  `.execute(trx);
  const names = rows.map(({ name }) => name);
  return sql`select id, ${key} as key from domains
    where name = any(${names}::text[]) and ${conditions({ ...matches, text: undefined })}`;
}

const sortedBy = ({ descending }: SortOrder) =>
  sql`key ${direction(descending)} nulls last, id ${direction(descending)}`;

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
