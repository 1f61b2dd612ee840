import {
  type Domain,
  type DomainFilter,
  type DomainOrder,
  defaultSort,
  isFiltered,
  type listDomains as listDomainsEndpoint,
  type SortColumn,
  toDomainOrder,
} from '#shared/domains.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { type Pagination, toPagination } from '#shared/page.ts';
import type { Db, Trx } from '../../db/database.ts';
import { hasDbCode, lockTimeout, queryCanceled } from '../../db/transient-error.ts';
import { lockedData, unavailable } from '../../http/errors.ts';
import { countFacet, findKeyAtOffset } from '../counts/store-counts.ts';
import { type DomainRow, listRows, toDomain } from '../store.ts';
import { countFilter, type StoredFilter } from './filter.ts';
import {
  columns,
  countMatches,
  type DomainList,
  fetchAndSort,
  fetchSortAndCount,
  type Handle,
  listSegments,
  type Range,
  readSnapshot,
  type Segment,
  scanIndex,
} from './store-search.ts';

/**
 * Returns one page of the blacklist with the exact number of matches.
 * @param filter the query's filter from `readFilter`; undefined matches nothing
 * @throws 503 when counting or finding the matches takes too long
 */
export async function listDomains(
  db: Db,
  filter: StoredFilter | undefined,
  query: QueryOf<typeof listDomainsEndpoint>,
  isAdmin: boolean,
): Promise<{ domains: Domain[]; pagination: Pagination }> {
  const { page, pageSize } = query;
  if (!filter) return { domains: [], pagination: toPagination(page, pageSize, 0) };
  const order = toDomainOrder(query.sort ?? defaultSort(query));
  const { total, rows } = await mapStatementTimeout(findPage(db, filter, order, page, pageSize));
  return { domains: rows.map((row) => toDomain(row, isAdmin)), pagination: toPagination(page, pageSize, total) };
}

/** Turns the end of a statement that took too long or waited for a lock into a 503 that says what to do. */
export async function mapStatementTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (hasDbCode(error, lockTimeout)) throw unavailable(lockedData, 10);
    if (!hasDbCode(error, queryCanceled)) throw error;
    throw unavailable(
      'This search takes too long right now. Please narrow it with another filter or a longer search text.',
      30,
    );
  }
}

/** Tests set these to choose how a page is found. */
interface Limits {
  /** Up to this number of matches, all of them are fetched and sorted. */
  maxSorted?: number;
  /** From this offset on, summing counts to find the start of the page is faster than skipping rows. */
  minSeekOffset: number;
}

/**
 * Returns one page with its exact total, from one snapshot. A page past the end is empty.
 *
 * There are two ways to find a page. A few matches are fetched through the indexes of the filter and then sorted. Many
 * matches are found by scanning the index of the sort order and testing each row, from the nearer end of the list.
 */
export function findPage(
  db: Db,
  filter: StoredFilter,
  order: DomainOrder,
  page: number,
  pageSize: number,
  limits: Limits = { minSeekOffset: 1000 },
): Promise<{ total: number; rows: DomainRow[] }> {
  const range = { offset: page * pageSize, limit: pageSize };
  return readSnapshot(db, async (trx) => {
    const count = await countFilter(trx, filter);
    if (count.exact !== undefined && range.offset >= count.exact) return { total: count.exact, rows: [] };
    const list = { filter, order, count };
    const maxSorted = limits.maxSorted ?? getMaxSorted(filter, order, pageSize, await countFacet(trx, 'all', ''));
    const isShort = shouldFetchAndSort(list, maxSorted);
    if (isShort && count.exact === undefined) {
      const { total, ids } = await fetchSortAndCount(trx, list, range);
      return { total, rows: await listRows(trx, ids) };
    }
    const total = count.exact ?? (await countMatches(trx, list));
    if (range.offset >= total) return { total, rows: [] };
    const handles =
      isShort || total <= maxSorted
        ? await fetchAndSort(trx, list, range)
        : await scanFromNearerEnd(trx, list, range, total, limits.minSeekOffset);
    return { total, rows: await listRows(trx, handles) };
  });
}

/** Cost of reading an entry of the index of names, relative to reading a row. */
const indexEntryCost = 0.03;

/**
 * Returns the number of matches at which both ways cost the same. Sorting reads every match once. A scan reads `all /
 * matches` rows for each match of the page, so the costs are equal at `matches = sqrt(pageSize * all)`.
 * If the sort and the filter need only the name, the scan reads only index entries, which are much cheaper than rows.
 */
function getMaxSorted(filter: DomainFilter, order: DomainOrder, pageSize: number, all: number): number {
  const isNameOnly = order.column === 'domain' && !isFiltered({ ...filter, search: undefined, tld: undefined });
  return Math.sqrt(pageSize * all * (isNameOnly ? indexEntryCost : 1));
}

/** In ascending order by these columns, newly added rows come last, so a scan for them reads all other rows first. */
const columnsWithNewestLast: ReadonlySet<SortColumn> = new Set(['lastUpdated', 'risk', 'dr', 'cost', 'source']);
const maxClusteredMatches = 1_000_000;

/** Whether to fetch and sort all matches instead of scanning the index of the sort order. */
export function shouldFetchAndSort({ filter, order, count }: DomainList, maxSorted: number): boolean {
  if (filter.names || count.isRare || count.max <= maxSorted) return true;
  return isClustered(filter, order) && count.max <= maxClusteredMatches;
}

/** Whether the matches may all be far from the start of the order, so that a scan would read nearly all other rows. */
function isClustered({ dateAdded, confidence }: DomainFilter, { column, descending }: DomainOrder): boolean {
  if (dateAdded !== undefined && columnsWithNewestLast.has(column) && !descending) return true;
  // A few sources with the same kind of evidence can have all domains of a confidence.
  return confidence !== undefined && column === 'source';
}

async function scanFromNearerEnd(
  trx: Trx,
  list: DomainList,
  range: Range,
  total: number,
  minSeekOffset: number,
): Promise<Handle[]> {
  const { order } = list;
  const limit = Math.min(range.limit, total - range.offset);
  if (range.offset <= total / 2)
    return await scanSegments(trx, list, listSegments(order), { ...range, limit }, minSeekOffset);
  const reversed = { ...list, order: { ...order, descending: !order.descending } };
  const fromEnd = { offset: total - range.offset - limit, limit };
  return (await scanSegments(trx, reversed, listSegments(order).reverse(), fromEnd, minSeekOffset)).reverse();
}

async function scanSegments(
  trx: Trx,
  list: DomainList,
  segments: Segment[],
  { offset, limit }: Range,
  minSeekOffset: number,
): Promise<Handle[]> {
  const { filter, order } = list;
  const found: Handle[] = [];
  let skip = offset;
  for (const segment of segments) {
    if (found.length === limit) break;
    // The last segment needs no count: the rest of the page is in it.
    const size =
      skip > 0 && segment !== segments.at(-1) ? await countSegment(trx, list, segment) : Number.POSITIVE_INFINITY;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const canSeek = !isFiltered(filter) && segment !== 'unknown' && skip >= minSeekOffset;
    const start = canSeek ? await findKeyAtOffset(trx, columns[order.column].facet, skip, order.descending) : undefined;
    const rest = { offset: skip - (start?.before ?? 0), limit: limit - found.length };
    found.push(...(await scanIndex(trx, list, segment, start?.key, rest)));
    skip = 0;
  }
  return found;
}

async function countSegment(trx: Trx, list: DomainList, segment: Segment): Promise<number> {
  if (isFiltered(list.filter)) return await countMatches(trx, list, segment);
  const unknown = await countFacet(trx, columns[list.order.column].facet, '');
  return segment === 'unknown' ? unknown : (await countFacet(trx, 'all', '')) - unknown;
}
