import * as contract from '#shared/reports/decisions.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { decide, listDecisions } from './decisions.ts';

export const decisionRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listDecisions, ({ params, query, user }) =>
      listDecisions(context.readDb, user.id, params.id, query),
    );

    route(scope, contract.decide, async ({ params, body, user }) => ({
      count: await decide(context, { userId: user.id, websiteId: params.id }, body),
    }));
  },
};
