import * as contract from '#shared/admin.ts';
import { paginationOf } from '#shared/page.ts';
import type { Context } from '../context.ts';
import { exportDomains } from '../domains/export-domains.ts';
import { route, type Scope } from '../http/scope.ts';
import { exportActs } from './export-acts.ts';
import { readSystem } from './read-system.ts';
import { listMaintenance, startMaintenance } from './start-maintenance.ts';
import { listActKinds, listActs } from './store.ts';
import { listJobs } from './store-jobs.ts';
import { withCounts } from './with-counts.ts';

export const adminRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;

    route(scope, contract.startMaintenance, ({ user, note }) => startMaintenance(context, user, note));

    route(scope, contract.listMaintenance, () => listMaintenance(db));

    route(scope, contract.exportAll, async ({ user, reply, signal, note }) => {
      await note(db);
      return exportDomains(context, { filter: 'all' }, user, reply, signal);
    });

    route(scope, contract.systemState, () => readSystem(context));

    route(scope, contract.listJobs, async ({ query: { kind, page, pageSize } }) => {
      const { rows, total } = await listJobs(db, kind, page * pageSize, pageSize);
      const jobs = rows.map(({ createdAt, startedAt, finishedAt, ...row }) => ({
        ...row,
        dateCreated: createdAt.toISOString(),
        dateStarted: startedAt?.toISOString() ?? null,
        dateFinished: finishedAt?.toISOString() ?? null,
      }));
      return { jobs, pagination: paginationOf(page, pageSize, total) };
    });

    route(scope, contract.listActs, async ({ query: { page, pageSize, ...filter } }) => {
      const { rows, total } = await listActs(db, filter, page * pageSize, pageSize);
      const acts = (await withCounts(db, rows)).map(({ createdAt, ...row }) => ({
        ...row,
        date: createdAt.toISOString(),
      }));
      return { acts, pagination: paginationOf(page, pageSize, total) };
    });

    route(scope, contract.listActKinds, () => listActKinds(db));

    route(scope, contract.exportActs, async ({ query, reply, signal, note }) => {
      await note(db, query);
      return exportActs(context, query, reply, signal);
    });
  },
};
