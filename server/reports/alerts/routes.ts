import * as contract from '#shared/reports/alerts.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { listAlerts, readAlerts } from './alerts.ts';

export const alertRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listAlerts, ({ query, user }) => listAlerts(context.readDb, user.id, query));

    route(scope, contract.readAlerts, async ({ body, user }) => ({ unread: await readAlerts(context, user.id, body) }));
  },
};
