import {
  type Domain,
  type DomainFilter,
  type DomainOrder,
  defaultSort,
  isFiltered,
  type listDomains as listCall,
  orderOf,
  type SortColumn,
} from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type Pagination, paginationOf } from '#shared/page.ts';
import type { Db, Trx } from '../../db/database.ts';
import { unavailable } from '../../http/errors.ts';
import { countFacet, findKeyAtOffset } from '../counts/store-counts.ts';
import { type DomainRow, listRows, toDomain } from '../store.ts';
import { countFilter } from './filter.ts';
import {
  columns,
  countMatches,
  type DomainList,
  fetchAndSort,
  fetchSortAndCount,
  type Handle,
  type Range,
  readSnapshot,
  type Segment,
  scanIndex,
  segmentsOf,
} from './store-search.ts';

/**
 * One page of the blacklist with the exact number of matches.
 * @param filter the query's filter from `readFilter`. Undefined matches nothing
 * @throws 503 when the filter matches too many domains to count them
 */
export async function listDomains(
  db: Db,
  filter: DomainFilter | undefined,
  query: QueryOf<typeof listCall>,
  isAdmin: boolean,
): Promise<{ domains: Domain[]; pagination: Pagination }> {
  const { page, pageSize } = query;
  if (!filter) return { domains: [], pagination: paginationOf(page, pageSize, 0) };
  const order = orderOf(query.sort ?? defaultSort(query));
  const { total, rows } = await mapStatementTimeout(findPage(db, filter, order, page, pageSize));
  return { domains: rows.map((row) => toDomain(row, isAdmin)), pagination: paginationOf(page, pageSize, total) };
}

const queryCanceled = '57014';

/** Explains a statement that was cancelled because it took too long (503). */
async function mapStatementTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === queryCanceled)) throw error;
    throw unavailable(
      'This combination of search and filters matches too much to be counted now. Please narrow it down.',
      30,
    );
  }
}

/** Tests set these to choose how a page is found. */
interface Limits {
  /** Up to this number of matches are fetched and sorted. */
  few?: number;
  /** From this offset on, adding up counts to find a place is worth it. */
  far: number;
}

/** One page with its exact total, as of one moment. A page past the end is empty. */
export function findPage(
  db: Db,
  filter: DomainFilter,
  order: DomainOrder,
  page: number,
  pageSize: number,
  limits: Limits = { far: 1000 },
): Promise<{ total: number; rows: DomainRow[] }> {
  const range = { offset: page * pageSize, limit: pageSize };
  return readSnapshot(db, async (trx) => {
    const count = await countFilter(trx, filter);
    if (count.exact !== undefined && range.offset >= count.exact) return { total: count.exact, rows: [] };
    const list = { filter, order, count };
    const few = limits.few ?? getMaxSorted(filter, order, pageSize, await countFacet(trx, 'all', ''));
    const isShort = shouldFetchAndSort(list, few);
    if (isShort && count.exact === undefined) {
      const { total, ids } = await fetchSortAndCount(trx, list, range);
      return { total, rows: await listRows(trx, ids) };
    }
    const total = count.exact ?? (await countMatches(trx, list));
    if (range.offset >= total) return { total, rows: [] };
    const handles =
      isShort || total <= few
        ? await fetchAndSort(trx, list, range)
        : await scanFromNearerEnd(trx, list, range, total, limits.far);
    return { total, rows: await listRows(trx, handles) };
  });
}

/** An entry of the index of names costs this part of what a row costs. */
const indexEntryCost = 0.03;

/** The number of matches at which both ways cost the same: a scan meets one match in `all / matches` rows. */
function getMaxSorted(filter: DomainFilter, order: DomainOrder, pageSize: number, all: number): number {
  const isOnNames = order.column === 'domain' && !isFiltered({ ...filter, search: undefined, tld: undefined });
  return Math.sqrt(pageSize * all * (isOnNames ? indexEntryCost : 1));
}

/** Newly added rows are at the far end of these orders when they ascend: a scan would read all other rows first. */
const columnsWithNewestLast: ReadonlySet<SortColumn> = new Set(['lastUpdated', 'risk', 'dr', 'cost', 'source']);
const maxRecentMatches = 1_000_000;

/** Whether all matches are fetched and sorted, instead of found by a scan along the order. */
export function shouldFetchAndSort({ filter, order, count }: DomainList, few: number): boolean {
  if (count.isRare || count.max <= few) return true;
  return (
    filter.dateAdded !== undefined &&
    columnsWithNewestLast.has(order.column) &&
    !order.descending &&
    count.max <= maxRecentMatches
  );
}

async function scanFromNearerEnd(
  trx: Trx,
  list: DomainList,
  range: Range,
  total: number,
  far: number,
): Promise<Handle[]> {
  const { order } = list;
  const limit = Math.min(range.limit, total - range.offset);
  if (range.offset <= total / 2) return await scanSegments(trx, list, segmentsOf(order), { ...range, limit }, far);
  const reversed = { ...list, order: { ...order, descending: !order.descending } };
  const fromEnd = { offset: total - range.offset - limit, limit };
  return (await scanSegments(trx, reversed, segmentsOf(order).reverse(), fromEnd, far)).reverse();
}

async function scanSegments(
  trx: Trx,
  list: DomainList,
  segments: Segment[],
  { offset, limit }: Range,
  far: number,
): Promise<Handle[]> {
  const { filter, order } = list;
  const found: Handle[] = [];
  let skip = offset;
  for (const segment of segments) {
    if (found.length === limit) break;
    // The last segment contains whatever the ones before it do not.
    const size =
      skip > 0 && segment !== segments.at(-1) ? await countSegment(trx, list, segment) : Number.POSITIVE_INFINITY;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const hasPlace = !isFiltered(filter) && segment !== 'unknown' && skip >= far;
    const place = hasPlace
      ? await findKeyAtOffset(trx, columns[order.column].facet, skip, order.descending)
      : undefined;
    const rest = { offset: skip - (place?.before ?? 0), limit: limit - found.length };
    found.push(...(await scanIndex(trx, list, segment, place?.key, rest)));
    skip = 0;
  }
  return found;
}

async function countSegment(trx: Trx, list: DomainList, segment: Segment): Promise<number> {
  if (isFiltered(list.filter)) return await countMatches(trx, list, segment);
  const unknown = await countFacet(trx, columns[list.order.column].facet, '');
  return segment === 'unknown' ? unknown : (await countFacet(trx, 'all', '')) - unknown;
}
