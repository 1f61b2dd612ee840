import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type Domain,
  type DomainFilter,
  type DomainOrder,
  type DomainQuery,
  defaultSort,
  type RiskLevel,
  toDomainOrder,
} from '#shared/blacklist/domains.ts';
import type { Context } from '../../../context.ts';
import { type CsvValue, writeCsv } from '../../../platform/csv/write-csv.ts';
import type { Db } from '../../../platform/db/database.ts';
import { attachment } from '../../../platform/http/headers.ts';
import type { Identity } from '../../../platform/http/scope.ts';
import { type DomainRow, listRows, toDomain } from '../store.ts';
import { countFilter, readStoredFilter } from './filter.ts';
import { shouldFetchAndSort } from './search.ts';
import { type Cursor, listSegments } from './store-order.ts';
import { fetchAllSorted, readSnapshot, scanRows } from './store-search.ts';

type ExportCells = Omit<Domain, 'riskLevel'> & { riskLevel: RiskLevel | undefined; currentRiskLevel?: RiskLevel };

/** The import reads the same headers, so that an admin's export can be imported again. */
const publicColumns = [
  'domain',
  'description',
  'riskLevel',
  'niche',
  'domainRating',
  'outboundLinks',
  'cost',
  'sourceCount',
  'dateAdded',
  'lastUpdated',
  'confidence',
  'independentSourceCount',
  'firstListedAt',
] as const satisfies (keyof ExportCells)[];
const adminColumns = [
  ...publicColumns,
  'currentRiskLevel',
  'source',
  'sourceDetails',
  'notes',
  'addedBy',
] as const satisfies (keyof ExportCells)[];

/** Streams all matches of a query as CSV, in the order of the query and with the columns that the user may see. */
export async function exportDomains(
  { readDb: db, reads, now }: Pick<Context, 'readDb' | 'reads' | 'now'>,
  query: DomainQuery,
  { id, isAdmin }: Pick<Identity, 'id' | 'isAdmin'>,
  { reply, signal }: { reply: FastifyReply; signal: AbortSignal },
): Promise<FastifyReply> {
  const filter = await readStoredFilter(db, query, isAdmin, now());
  const order = toDomainOrder(query.sort ?? defaultSort(query));
  const columns: readonly (keyof ExportCells)[] = isAdmin ? adminColumns : publicColumns;

  async function* rows(): AsyncGenerator<readonly CsvValue[]> {
    if (!filter) return;
    const read: Read = (task) => reads.run({ key: `user:${id}`, signal }, task);
    for await (const batch of readBatches(db, { filter, order }, read, signal)) {
      for (const row of batch) {
        const cells = toExportCells(row, isAdmin);
        yield columns.map((column) => cells[column]);
      }
    }
  }

  const day = now().toISOString().slice(0, 10);
  const csv = Readable.from(writeCsv(columns, rows()), { highWaterMark: 2 });
  return attachment(reply, `linksieve-domains-${day}.csv`, 'text/csv').send(csv);
}

/**
 * The import treats a level in `riskLevel` as set by hand. An admin's file therefore contains only such levels in that
 * column, and all levels in `currentRiskLevel`, which the import ignores.
 */
function toExportCells(row: DomainRow, isAdmin: boolean): ExportCells {
  const domain = toDomain(row, isAdmin);
  if (!isAdmin) return domain;
  return { ...domain, riskLevel: row.riskGiven ? domain.riskLevel : undefined, currentRiskLevel: domain.riskLevel };
}

/** Runs a query of the export when it is the user's turn. */
type Read = <T>(task: () => Promise<T>) => Promise<T>;

/** A batch occupies the main thread for some milliseconds. */
const batchRows = 400;
/** Up to this number of matches, all ids are fetched, sorted and kept in memory. */
const maxSorted = 250_000;

/**
 * Yields all matches in order, in batches. Each batch is a separate short query that starts after the last row of the
 * previous batch, so a slow download occupies no connection and no snapshot. Rows that change meanwhile are sent as
 * they are when they are read.
 */
async function* readBatches(
  db: Db,
  { filter, order }: { filter: DomainFilter; order: DomainOrder },
  read: Read,
  signal: AbortSignal,
): AsyncGenerator<DomainRow[]> {
  const ids = await read(() =>
    readSnapshot(db, async (trx) => {
      const count = await countFilter(trx, filter);
      const list = { filter, order, count };
      return shouldFetchAndSort(list, maxSorted) ? await fetchAllSorted(trx, list, count.max) : undefined;
    }),
  );
  if (ids) {
    for (let i = 0; i < ids.length; i += batchRows) {
      signal.throwIfAborted();
      yield await read(() => listRows(db, ids.slice(i, i + batchRows)));
    }
    return;
  }
  for (const segment of listSegments(order)) {
    let cursor: Cursor | undefined;
    do {
      signal.throwIfAborted();
      const batch = await read(() =>
        readSnapshot(db, (trx) => scanRows(trx, { filter, order }, segment, { after: cursor, limit: batchRows })),
      );
      yield batch.rows;
      cursor = batch.cursor;
    } while (cursor);
  }
}
