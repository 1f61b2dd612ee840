import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Domain, DomainQuery } from '#shared/domains.ts';
import type { Context } from '../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import type { Identity } from '../http/identity.ts';
import { domainOf } from './domain-of.ts';
import { eachBatch } from './each-batch.ts';
import { matchesOf } from './matches.ts';
import { sortOrderOf } from './sort-orders.ts';

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
] as const satisfies (keyof Domain)[];
const adminColumns = [
  ...openColumns,
  'source',
  'sourceDetails',
  'notes',
  'addedBy',
] as const satisfies (keyof Domain)[];

/** Answers with all matches of a query as CSV, in its order and with the columns that the asker may see, as they are read. */
export function exportDomains(
  context: Pick<Context, 'db' | 'now'>,
  query: DomainQuery,
  user: Pick<Identity, 'isAdmin'>,
  reply: FastifyReply,
  signal: AbortSignal,
): FastifyReply {
  const matches = matchesOf(query, user.isAdmin, context.now());
  const columns: readonly (keyof Domain)[] = user.isAdmin ? adminColumns : openColumns;
  const order = sortOrderOf(query.sort, query.filter);

  async function* rows(): AsyncGenerator<readonly CsvValue[]> {
    if (!matches) return;
    for await (const batch of eachBatch(context.db, matches, order, signal)) {
      for (const row of batch) {
        const domain = domainOf(row, user.isAdmin);
        yield columns.map((column) => domain[column]);
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
