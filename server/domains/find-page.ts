import type { Db, Trx } from '../db/database.ts';
import { type Total, totalOf } from './count-domains.ts';
import { conditionsOf, type Matches } from './matches.ts';
import { nullableKeys, type SortKey, type SortOrder } from './sort-orders.ts';
import type { Segment } from './store-conditions.ts';
import { countFacet, findPlace } from './store-counts.ts';
import { countMatches, gather, gatherSorted, readSnapshot, walk } from './store-pages.ts';
import { type DomainRow, listRows } from './store-rows.ts';

export interface FoundPage {
  total: number;
  rows: DomainRow[];
}

/** For tests: how few matches are gathered, and from which offset on counts are added up. */
export interface PageLimits {
  few?: number;
  far: number;
}

/** From this offset on it pays to add up counts first. */
const usualLimits: PageLimits = { far: 1000 };
/** An entry of the index of names costs this part of what a row costs. */
const nameCost = 0.03;
/** Newly added rows stand at the far end of these orders when they ascend: a walk would have to cross all others first. */
const datedOrders: ReadonlySet<SortKey> = new Set(['updated', 'risk', 'rating', 'cost', 'source']);
const gatheredSince = 1_000_000;
/** The kept counts that follow an order. */
const facets: Record<SortKey, string> = {
  name: 'prefix',
  added: 'added',
  updated: 'updated',
  risk: 'block',
  rating: 'rating',
  cost: 'cost',
  source: 'start',
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
    const known = await totalOf(trx, matches);
    const { rarest, byNames } = known;
    if (known.exact !== undefined && offset >= known.exact) return { total: known.exact, rows: [] };
    const few = limits.few ?? fewFor(matches, order, pageSize, await countFacet(trx, 'all', ''));
    const gathering = { matches, rarest, byNames, order, offset, limit: pageSize };
    if (gathers(matches, order, known, few)) {
      if (known.exact !== undefined)
        return { total: known.exact, rows: await listRows(trx, await gatherSorted(trx, gathering)) };
      const { total, ids } = await gather(trx, gathering);
      return { total, rows: await listRows(trx, ids) };
    }
    const total = known.exact ?? (await countMatches(trx, matches, rarest));
    if (offset >= total) return { total, rows: [] };
    if (total <= few) return { total, rows: await listRows(trx, await gatherSorted(trx, gathering)) };
    const handles = await walkFromNearerEnd(trx, { matches, rarest, order, far: limits.far }, offset, pageSize, total);
    return { total, rows: await listRows(trx, handles) };
  });
}

/** Where gathering and walking cost the same: a walk meets one match in `all / matches` rows. */
function fewFor(matches: Matches, order: SortOrder, pageSize: number, all: number): number {
  const namesOnly = order.by === 'name' && conditionsOf(matches).every((name) => name === 'text' || name === 'tld');
  return Math.sqrt(pageSize * all * (namesOnly ? nameCost : 1));
}

/** Whether matches are gathered and sorted instead of met on a walk along the order. */
export function gathers(matches: Matches, order: SortOrder, { most, rare }: Total, few: number): boolean {
  if (rare || most <= few) return true;
  return matches.since !== undefined && datedOrders.has(order.by) && !order.descending && most <= gatheredSince;
}

interface Path {
  matches: Matches;
  rarest: string | undefined;
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
  { matches, rarest, order, far }: Path,
  segments: Segment[],
  offset: number,
  limit: number,
): Promise<(number | string)[]> {
  const found: (number | string)[] = [];
  let skip = offset;
  for (const segment of segments) {
    if (found.length === limit) break;
    const size =
      skip > 0 && segment !== 'all'
        ? await sizeOf(trx, { matches, rarest, order, far }, segment)
        : Number.POSITIVE_INFINITY;
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

async function sizeOf(trx: Trx, { matches, rarest, order }: Path, segment: Segment): Promise<number> {
  if (conditionsOf(matches).length > 0) return await countMatches(trx, matches, rarest, segment, order.by);
  const unknown = await countFacet(trx, facets[order.by], '');
  return segment === 'unknown' ? unknown : (await countFacet(trx, 'all', '')) - unknown;
}
