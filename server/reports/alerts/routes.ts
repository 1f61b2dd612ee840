import * as contract from '#shared/reports/alerts.ts';
import { listAlertsWithKey } from '#shared/reports/key-websites.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { listAlerts, listAlertsFrom, readAlerts } from './alerts.ts';

export const alertRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listAlerts, ({ query, user }) => listAlerts(context.readDb, user.id, query));

    route(scope, contract.readAlerts, ({ body, user }) => readAlerts(context, user.id, body));
  },

  key(scope: Scope<'key'>, { readDb }: Context): void {
    route(scope, listAlertsWithKey, ({ query, key }) => listAlertsFrom(readDb, key.userId, query));
  },
};
