import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  type Domain,
  type DomainFilter,
  type DomainOrder,
  type DomainQuery,
  defaultSort,
  orderOf,
  type RiskLevel,
} from '#shared/domains.ts';
import type { Context } from '../../context.ts';
import { type CsvValue, writeCsv } from '../../csv/write-csv.ts';
import type { Db } from '../../db/database.ts';
import { attachment } from '../../http/headers.ts';
import type { Identity } from '../../http/scope.ts';
import { type DomainRow, listRows, toDomain } from '../store.ts';
import { countFilter, readFilter } from './filter.ts';
import { shouldFetchAndSort } from './search.ts';
import { type Cursor, fetchAndSort, readSnapshot, scanRows, segmentsOf } from './store-search.ts';

type Cells = Omit<Domain, 'riskLevel'> & { riskLevel: RiskLevel | undefined; currentRiskLevel?: RiskLevel };

/** The import reads these headers, so that an admin's export can be imported again. */
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
] as const satisfies (keyof Cells)[];
const adminColumns = [
  ...publicColumns,
  'currentRiskLevel',
  'source',
  'sourceDetails',
  'notes',
  'addedBy',
] as const satisfies (keyof Cells)[];

/** Sends all matches of a query as CSV while they are read, in its order and with the columns that the user may see. */
export function exportDomains(
  { db, now }: Pick<Context, 'db' | 'now'>,
  query: DomainQuery,
  { isAdmin }: Pick<Identity, 'isAdmin'>,
  reply: FastifyReply,
  signal: AbortSignal,
): FastifyReply {
  const filter = readFilter(query, isAdmin, now());
  const order = orderOf(query.sort ?? defaultSort(query));
  const columns: readonly (keyof Cells)[] = isAdmin ? adminColumns : publicColumns;

  async function* rows(): AsyncGenerator<readonly CsvValue[]> {
    if (!filter) return;
    for await (const batch of readBatches(db, filter, order, signal)) {
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
 * The import keeps a level in `riskLevel` as given by hand. An admin's file therefore has only such levels there, and all levels in
 * a column that the import does not read.
 */
function toExportCells(row: DomainRow, isAdmin: boolean): Cells {
  const domain = toDomain(row, isAdmin);
  if (!isAdmin) return domain;
  return { ...domain, riskLevel: row.riskGiven ? domain.riskLevel : undefined, currentRiskLevel: domain.riskLevel };
}

const batchRows = 2000;
/** Up to this number of matches their ids are kept in memory. */
const few = 20_000;

/**
 * All matches in their order, in batches. Each batch is a short query of its own that starts after the last row of the one before, so
 * a slow download holds no connection and no snapshot. Rows that change meanwhile are sent as they are when they are read.
 */
async function* readBatches(
  db: Db,
  filter: DomainFilter,
  order: DomainOrder,
  signal: AbortSignal,
): AsyncGenerator<DomainRow[]> {
  const ids = await readSnapshot(db, async (trx) => {
    const count = await countFilter(trx, filter);
    const list = { filter, order, count };
    return shouldFetchAndSort(list, few) ? await fetchAndSort(trx, list, { offset: 0, limit: count.max }) : undefined;
  });
  if (ids) {
    for (let i = 0; i < ids.length; i += batchRows) {
      signal.throwIfAborted();
      yield await listRows(db, ids.slice(i, i + batchRows));
    }
    return;
  }
  for (const segment of segmentsOf(order)) {
    let cursor: Cursor | undefined;
    do {
      signal.throwIfAborted();
      const batch = await readSnapshot(db, (trx) => scanRows(trx, filter, order, segment, cursor, batchRows));
      yield batch.rows;
      cursor = batch.cursor;
    } while (cursor);
  }
}
