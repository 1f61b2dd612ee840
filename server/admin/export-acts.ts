import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Context } from '../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import { type ActFilter, listActsBefore } from './store.ts';
import { withCounts } from './with-counts.ts';

const batchRows = 1000;
const header = ['date', 'username', 'act', 'details', 'address'] as const;

/** Answers with the audit log as CSV, newest first, as it is read. */
export function exportActs(
  { db, now }: Pick<Context, 'db' | 'now'>,
  filter: ActFilter,
  reply: FastifyReply,
  signal: AbortSignal,
): FastifyReply {
  async function* rows(): AsyncGenerator<readonly CsvValue[]> {
    for (let before: number | undefined; ; ) {
      signal.throwIfAborted();
      const batch = await listActsBefore(db, filter, before, batchRows);
      for (const { createdAt, username, act, details, address } of await withCounts(db, batch)) {
        yield [createdAt, username, act, JSON.stringify(details), address ?? 'command line'];
      }
      if (batch.length < batchRows) return;
      before = batch.at(-1)?.id;
    }
  }

  return reply
    .code(200)
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="linksieve-audit-log-${now().toISOString().slice(0, 10)}.csv"`)
    .send(Readable.from(writeCsv(header, rows()), { highWaterMark: 2 }));
}
