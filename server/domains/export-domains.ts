import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Domain, DomainQuery, RiskLevel } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import type { Identity } from '../http/scope.ts';
import { domainOf } from './domain-of.ts';
import { eachBatch } from './each-batch.ts';
import { matchesOf } from './matches.ts';
import { sortOrderOf } from './sort-orders.ts';
import type { DomainRow } from './store-rows.ts';

type Cells = Omit<Domain, 'riskLevel'> & { riskLevel: RiskLevel | undefined; currentRiskLevel?: RiskLevel };

/** Headers are those that the import reads, so that an admin's export can be imported again. */
const openColumns = [
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
  ...openColumns,
  'currentRiskLevel',
  'source',
  'sourceDetails',
  'notes',
  'addedBy',
] as const satisfies (keyof Cells)[];

/** Answers with all matches of a query as CSV, in its order and with the columns that the asker may see, as they are read. */
export function exportDomains(
  context: Pick<Context, 'db' | 'now'>,
  query: DomainQuery,
  user: Pick<Identity, 'isAdmin'>,
  reply: FastifyReply,
  signal: AbortSignal,
): FastifyReply {
  const matches = matchesOf(query, user.isAdmin, context.now());
  const columns: readonly (keyof Cells)[] = user.isAdmin ? adminColumns : openColumns;
  const order = sortOrderOf(query.sort, query.filter);

  async function* rows(): AsyncGenerator<readonly CsvValue[]> {
    if (!matches) return;
    for await (const batch of eachBatch(context.db, matches, order, signal)) {
      for (const row of batch) {
        const cells = cellsOf(row, user.isAdmin);
        yield columns.map((column) => cells[column]);
      }
    }
  }

  const day = context.now().toISOString().slice(0, 10);
  return reply
    .code(200)
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="linksieve-domains-${day}.csv"`)
    .send(Readable.from(writeCsv(columns, rows()), { highWaterMark: 2 }));
}

/**
 * The import takes a level in `riskLevel` for given, which stays: an admin's file has there only those that were given, and all
 * of them in a column that the import does not read.
 */
function cellsOf(row: DomainRow, isAdmin: boolean): Cells {
  const domain = domainOf(row, isAdmin);
  if (!isAdmin) return domain;
  return { ...domain, riskLevel: row.riskGiven ? domain.riskLevel : undefined, currentRiskLevel: domain.riskLevel };
}
