import type * as contract from '#shared/blacklist/domains.ts';
import { type Domain, type DomainOrder, defaultSort, isFiltered, toDomainOrder } from '#shared/blacklist/domains.ts';
import type { QueryOf } from '#shared/platform/endpoint.ts';
import { type Pagination, toPagination } from '#shared/platform/page.ts';
import type { Db, Trx } from '../../../platform/db/database.ts';
import { hasDbCode, lockTimeout, queryCanceled } from '../../../platform/db/transient-error.ts';
import { lockedData, unavailable } from '../../../platform/http/errors.ts';
import { countFacet, countUnknown, findKeyAtOffset, type Segment } from '../counts/store-counts.ts';
import { type DomainRow, listRows, toDomain } from '../store.ts';
import { countFilter, type StoredFilter } from './filter.ts';
import { columns, listSegments } from './store-order.ts';
import {
  countMatches,
  type DomainList,
  fetchAndSort,
  fetchSortAndCount,
  type Handle,
  type Range,
  readSnapshot,
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
  query: QueryOf<typeof contract.listDomains>,
  isAdmin: boolean,
): Promise<{ domains: Domain[]; pagination: Pagination }> {
  const { page, pageSize } = query;
  if (!filter) return { domains: [], pagination: toPagination(page, pageSize, 0) };
  const order = toDomainOrder(query.sort ?? defaultSort(query));
  const { total, rows } = await mapStatementTimeout(findPage(db, { filter, order }, { page, pageSize }));
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
  /** A scan stops after this many rows. */
  maxScanned?: number;
  /** From this offset on, summing counts to find the start of the page is faster than skipping rows. */
  minSeekOffset: number;
}

/**
 * Returns one page with its exact total, from one snapshot. A page past the end is empty.
 *
 * There are two ways to find a page. A few matches are fetched through the indexes of the filter and then sorted. Many
 * matches are found by scanning the index of the sort order and testing each row, from the nearer end of the list. If
 * the matches are far from that end, the scan stops, and they are fetched and sorted as well.
 */
export function findPage(
  db: Db,
  { filter, order }: { filter: StoredFilter; order: DomainOrder },
  { page, pageSize }: { page: number; pageSize: number },
  limits: Limits = { minSeekOffset: 1000 },
): Promise<{ total: number; rows: DomainRow[] }> {
  const range = { offset: page * pageSize, limit: pageSize };
  return readSnapshot(db, async (trx) => {
    const count = await countFilter(trx, filter);
    if (count.exact !== undefined && range.offset >= count.exact) return { total: count.exact, rows: [] };
    const list = { filter, order, count };
    const scan = await getScanCost(trx, list);
    const maxSorted = limits.maxSorted ?? getMaxSorted(list, range, scan);
    const isShort = shouldFetchAndSort(list, maxSorted);
    if (isShort && count.exact === undefined) {
      const { total, ids } = await fetchSortAndCount(trx, list, range);
      return { total, rows: await listRows(trx, ids) };
    }
    const total = count.exact ?? (await countMatches(trx, list));
    if (range.offset >= total) return { total, rows: [] };
    const scanned =
      isShort || total <= maxSorted ? undefined : await scanFromNearerEnd(trx, list, range, { total, ...scan, limits });
    return { total, rows: await listRows(trx, scanned ?? (await fetchAndSort(trx, list, range))) };
  });
}

/** The rows in the index of a sort order, and the cost of testing one, relative to fetching a row. */
interface ScanCost {
  rows: number;
  rowCost: number;
}

/**
 * If the sort and the filter need only the name, a scan reads only index entries, which are much cheaper than rows. The
 * names above the lowest level have a small index of their own.
 */
async function getScanCost(trx: Trx, { filter, order }: DomainList): Promise<ScanCost> {
  const all = await countFacet(trx, 'all', '');
  const { riskLevel } = filter;
  const isNameOnly =
    order.column === 'domain' &&
    riskLevel !== 'low' &&
    !isFiltered({ ...filter, search: undefined, tld: undefined, riskLevel: undefined });
  if (!isNameOnly) return { rows: all, rowCost: 1 };
  return { rows: riskLevel === undefined ? all : all - (await countFacet(trx, 'risk', '1')), rowCost: 0.1 };
}

/**
 * Returns the number of matches at which both ways cost the same. Sorting fetches every match once. A scan tests `rows
 * / matches` rows for each match up to the end of the page, so the costs are equal at `matches = sqrt(upTo * rows)`.
 */
function getMaxSorted({ filter, count }: DomainList, { offset, limit }: Range, { rows, rowCost }: ScanCost): number {
  if (!isFiltered(filter)) return limit;
  const upTo = Math.min(offset, Math.max(0, count.max - offset - limit)) + limit;
  return Math.sqrt(upTo * rows * rowCost);
}

/** Whether to fetch and sort all matches instead of scanning the index of the sort order. */
export function shouldFetchAndSort({ filter, count }: DomainList, maxSorted: number): boolean {
  return filter.names !== undefined || count.isRare || count.max <= maxSorted;
}

/**
 * A scan stops after `maxUnevenness` times the rows that it would test if the matches were evenly spread, but not
 * before it has cost `minScanShare` of the sort that replaces it.
 */
const maxUnevenness = 6;
const minScanShare = 1 / 8;

/** @returns undefined if the scan stopped early */
async function scanFromNearerEnd(
  trx: Trx,
  list: DomainList,
  { offset, limit: pageSize }: Range,
  { total, rows, rowCost, limits }: ScanCost & { total: number; limits: Limits },
): Promise<Handle[] | undefined> {
  const { filter, order } = list;
  const limit = Math.min(pageSize, total - offset);
  const isFromEnd = offset > total / 2;
  const near = isFromEnd ? reverse(list) : list;
  const segments = isFromEnd ? listSegments(order).reverse() : listSegments(order);
  const range = { offset: isFromEnd ? total - offset - limit : offset, limit };
  const evenly = ((range.offset + limit) * rows) / total;
  const maxScanned = limits.maxScanned ?? Math.ceil(Math.max(evenly * maxUnevenness, (total * minScanShare) / rowCost));
  const handles = isFiltered(filter)
    ? await scanMatches(trx, near, segments, { ...range, maxRows: maxScanned })
    : await scanAll(trx, near, segments, { ...range, minSeekOffset: limits.minSeekOffset });
  return isFromEnd ? handles?.reverse() : handles;
}

const reverse = (list: DomainList) => ({ ...list, order: { ...list.order, descending: !list.order.descending } });

/** Scans the rows of a filter. @returns undefined if the page is not within `maxRows` rows */
async function scanMatches(
  trx: Trx,
  list: DomainList,
  segments: Segment[],
  { offset, limit, maxRows }: Range & { maxRows: number },
): Promise<Handle[] | undefined> {
  const found: Handle[] = [];
  let [skip, rowsLeft] = [offset, maxRows];
  for (const segment of segments) {
    const range = { offset: skip, limit: limit - found.length };
    const handles = await scanIndex(trx, list, segment, { ...range, maxRows: rowsLeft });
    found.push(...handles);
    if (found.length === limit) return found;
    rowsLeft -= await countSegment(trx, list, segment);
    if (rowsLeft < 0) return undefined;
    skip = handles.length > 0 || skip === 0 ? 0 : skip - (await countMatches(trx, list, segment));
  }
  return undefined;
}

/** Scans all rows. Starts near the page, at a key of the order whose place is known from the stored counts. */
async function scanAll(
  trx: Trx,
  list: DomainList,
  segments: Segment[],
  { offset, limit, minSeekOffset }: Range & { minSeekOffset: number },
): Promise<Handle[]> {
  const found: Handle[] = [];
  let skip = offset;
  for (const segment of segments) {
    const range = { offset: skip, limit: limit - found.length };
    const size = skip > 0 ? await countSegment(trx, list, segment) : Number.POSITIVE_INFINITY;
    if (skip < size) found.push(...(await scanFromKey(trx, list, segment, { ...range, minSeekOffset })));
    if (found.length === limit) break;
    skip = Math.max(0, skip - size);
  }
  return found;
}

async function scanFromKey(
  trx: Trx,
  list: DomainList,
  segment: Segment,
  { offset, limit, minSeekOffset }: Range & { minSeekOffset: number },
): Promise<Handle[]> {
  const { column, descending } = list.order;
  const { facet } = columns[column];
  const place = offset < minSeekOffset ? undefined : await findKeyAtOffset(trx, facet, segment, { offset, descending });
  if (!place) return await scanIndex(trx, list, segment, { offset, limit });
  const ahead = offset - place.before;
  const behind = place.size - ahead - limit;
  if (behind < 0 || behind >= ahead)
    return await scanIndex(trx, list, segment, { startKey: place.key, offset: ahead, limit });
  // The page is nearer to the last row of the key.
  return (await scanIndex(trx, reverse(list), segment, { startKey: place.key, offset: behind, limit })).reverse();
}

/** Counts all rows of a segment, regardless of the filter. */
async function countSegment(trx: Trx, { order }: DomainList, segment: Segment): Promise<number> {
  const all = segment === 'unknown' ? 0 : await countFacet(trx, 'all', '');
  if (segment === 'all') return all;
  const unknown = await countUnknown(trx, columns[order.column].facet);
  return segment === 'unknown' ? unknown : all - unknown;
}
