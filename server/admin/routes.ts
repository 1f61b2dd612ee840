import * as contract from '#shared/admin.ts';
import { paginationOf } from '#shared/page.ts';
import { transferProfile } from '#shared/profiles.ts';
import { moveAnalyses } from '../backlinks/move-analyses.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { transferProfile as transfer } from '../profiles/profiles.ts';
import { readSystem } from './read-system.ts';
import { listMaintenance, startMaintenance } from './start-maintenance.ts';
import { listJobs } from './store-jobs.ts';

export const adminRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;

    route(scope, contract.startMaintenance, ({ user, audit }) => startMaintenance(context, user, audit));

    route(scope, contract.listMaintenance, () => listMaintenance(db));

    route(scope, transferProfile, ({ body, audit }) =>
      db.transaction().execute(async (trx) => {
        const { profile, ownerId } = await transfer(trx, body.profileId, body.newFirebaseUid, audit);
        await moveAnalyses(trx, profile.id, ownerId);
        return profile;
      }),
    );

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
  },
};
