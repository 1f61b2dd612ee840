import * as contract from '#shared/reports/watch.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getWatch, updateWatch } from './watch.ts';

export const watchRoutes = {
  user(scope: Scope<'user'>, { db }: Context): void {
    route(scope, contract.getWatch, ({ params, user }) => getWatch(db, user.id, params.id));

    route(scope, contract.updateWatch, ({ params, body, user }) => updateWatch(db, user.id, params.id, body));
  },
};
