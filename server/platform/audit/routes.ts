import { Readable } from 'node:stream';
import * as contract from '#shared/platform/audit.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { attachment } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { writeEvents } from './audit.ts';
import { listEventKinds, listEvents } from './store.ts';

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
      const csv = Readable.from(writeEvents(db, query, signal), { highWaterMark: 2 });
      return attachment(reply, fileName, 'text/csv').send(csv);
    });
  },
};
