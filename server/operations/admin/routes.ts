import * as contract from '#shared/operations/admin.ts';
import { transferWebsite } from '#shared/reports/websites.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { transferWithAnalyses } from './admin.ts';
import { createVersionCheck } from './newer-version.ts';
import { listMaintenanceRuns, startMaintenance } from './start-maintenance.ts';
import { listJobs, readStatus, readSystem } from './status.ts';

export const adminRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;
    const findNewerVersion = createVersionCheck(context);

    route(scope, contract.startMaintenance, ({ user, audit }) => startMaintenance(context, user, audit));

    route(scope, contract.listMaintenanceRuns, () => listMaintenanceRuns(db));

    route(scope, transferWebsite, ({ body, audit }) => transferWithAnalyses(db, body, audit));

    route(scope, contract.getAdminStatus, ({ request }) =>
      readStatus(context, { request, newerVersion: findNewerVersion() }),
    );

    route(scope, contract.getSystemInfo, () => readSystem(context, findNewerVersion()));

    route(scope, contract.listJobs, ({ query }) => listJobs(db, query));
  },
};
