import { Readable } from 'node:stream';
import * as contract from '#shared/platform/audit.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { type CsvValue, writeCsv } from '../csv/write-csv.ts';
import type { Db } from '../db/database.ts';
import { attachment } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { type AuditFilter, listEventKinds, listEvents, listEventsBefore } from './store.ts';

/** The audit log for admins. */
export const auditRoutes = {
  admin(scope: Scope<'admin'>, { db, now }: Context): void {
    route(scope, contract.listAuditEvents, async ({ query: { page, pageSize, ...filter } }) => {
      const { rows, total } = await listEvents(db, filter, page * pageSize, pageSize);
      const events = rows.map(({ createdAt, ...row }) => ({ ...row, date: createdAt.toISOString() }));
      return { events, pagination: toPagination(page, pageSize, total) };
    });

    route(scope, contract.listAuditEventKinds, () => listEventKinds(db));

    route(scope, contract.exportAuditEvents, async ({ query, reply, signal, audit }) => {
      await audit(db, query);
      const fileName = `linksieve-audit-log-${now().toISOString().slice(0, 10)}.csv`;
      const csv = Readable.from(writeCsv(csvHeader, csvRows(db, query, signal)), { highWaterMark: 2 });
      return attachment(reply, fileName, 'text/csv').send(csv);
    });
  },
};

const csvHeader = ['date', 'username', 'event', 'details', 'address'] as const;
const batchRows = 1000;

/** The rows of the CSV file, newest first. Reads them in batches to limit memory. */
async function* csvRows(db: Db, filter: AuditFilter, signal: AbortSignal): AsyncGenerator<readonly CsvValue[]> {
  for (let before: number | undefined; ; ) {
    signal.throwIfAborted();
    const batch = await listEventsBefore(db, filter, before, batchRows);
    for (const { createdAt, username, event, details, address } of batch) {
      yield [createdAt, username, event, JSON.stringify(details), address];
    }
    if (batch.length < batchRows) return;
    before = batch.at(-1)?.id;
  }
}
