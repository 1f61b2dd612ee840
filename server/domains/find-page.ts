import type { Db, Trx } from '../db/database.ts';
import { totalOf } from './count-domains.ts';
import { conditionsOf, type Matches } from './matches.ts';
import { nullableKeys, type SortKey, type SortOrder } from './sort-orders.ts';
import { countFacet, findPlace } from './store-counts.ts';
import { countMatches, gather, readSnapshot, type Segment, walk } from './store-pages.ts';
import { type DomainRow, listRows } from './store-rows.ts';

export interface FoundPage {
  total: number;
  rows: DomainRow[];
}

export interface PageLimits {
  /** Up to this many matches are gathered and sorted; more are met soon enough on a walk along the order. */
  few: number;
  /** From this offset on it pays to add up counts first. */
  far: number;
}

const usualLimits: PageLimits = { few: 20_000, far: 1000 };
/** Newly added rows stand together at one end of these orders: a walk would have to cross all others first. */
const datedOrders: ReadonlySet<SortKey> = new Set(['updated', 'risk']);
const gatheredSince = 1_000_000;
/** The kept counts that follow an order. */
const facets: Partial<Record<SortKey, string>> = {
  name: 'prefix',
  added: 'added',
  updated: 'updated',
  risk: 'block',
  rating: 'rating',
  cost: 'cost',
};

/** One page of a list with its exact total, of one moment. A page past the end is empty. */
export function findPage(
  db: Db,
  matches: Matches,
  order: SortOrder,
  page: number,
  pageSize: number,
  limits = usualLimits,
): Promise<FoundPage> {
  return readSnapshot(db, async (trx) => {
    const offset = page * pageSize;
    const { exact, most } = await totalOf(trx, matches);
    if (exact !== undefined && offset >= exact) return { total: exact, rows: [] };
    if (gathers(matches, order, most, limits.few)) {
      const { total, ids } = await gather(trx, matches, order, offset, pageSize);
      return { total, rows: await listRows(trx, ids) };
    }
    const total = exact ?? (await countMatches(trx, matches));
    if (offset >= total) return { total, rows: [] };
    if (total <= limits.few) {
      const { ids } = await gather(trx, matches, order, offset, pageSize);
      return { total, rows: await listRows(trx, ids) };
    }
    return {
      total,
      rows: await listRows(
        trx,
        await walkFromNearerEnd(trx, { matches, order, far: limits.far }, offset, pageSize, total),
      ),
    };
  });
}

/** Whether matches are gathered and sorted instead of met on a walk along the order. */
export function gathers(matches: Matches, order: SortOrder, most: number, few = usualLimits.few): boolean {
  if (few === 0) return false;
  return most <= few || (matches.since !== undefined && datedOrders.has(order.by) && most <= gatheredSince);
}

interface Path {
  matches: Matches;
  order: SortOrder;
  far: number;
}

async function walkFromNearerEnd(
  trx: Trx,
  path: Path,
  offset: number,
  pageSize: number,
  total: number,
): Promise<(number | string)[]> {
  const { order } = path;
  const segments: Segment[] = nullableKeys.has(order.by) ? ['known', 'unknown'] : ['all'];
  const limit = Math.min(pageSize, total - offset);
  if (offset <= total / 2) return await walkSegments(trx, path, segments, offset, limit);
  const turned = { ...path, order: { ...order, descending: !order.descending } };
  return (await walkSegments(trx, turned, segments.reverse(), total - offset - limit, limit)).reverse();
}

async function walkSegments(
  trx: Trx,
  { matches, order, far }: Path,
  segments: Segment[],
  offset: number,
  limit: number,
): Promise<(number | string)[]> {
  const found: (number | string)[] = [];
  let skip = offset;
  for (const segment of segments) {
    if (found.length === limit) break;
    const size =
      skip > 0 && segment !== 'all' ? await sizeOf(trx, matches, order.by, segment) : Number.POSITIVE_INFINITY;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const counted = conditionsOf(matches).length === 0 && segment !== 'unknown' && skip >= far;
    const facet = counted ? facets[order.by] : undefined;
    const place = facet === undefined ? undefined : await findPlace(trx, facet, skip, order.descending);
    const rest = { offset: skip - (place?.before ?? 0), limit: limit - found.length };
    found.push(...(await walk(trx, { matches, order, segment, place, ...rest })));
    skip = 0;
  }
  return found;
}

async function sizeOf(trx: Trx, matches: Matches, by: SortKey, segment: Segment): Promise<number> {
  const facet = facets[by];
  if (conditionsOf(matches).length > 0 || facet === undefined) return await countMatches(trx, matches, segment, by);
  const unknown = await countFacet(trx, facet, '');
  return segment === 'unknown' ? unknown : (await countFacet(trx, 'all', '')) - unknown;
}
