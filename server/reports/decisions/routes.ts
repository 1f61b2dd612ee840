import * as contract from '#shared/reports/decisions.ts';
import { decideWithKey, listDecisionsWithKey } from '#shared/reports/key-websites.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { decide, decideEach, listDecisions, listDecisionsByDomain } from './decisions.ts';

export const decisionRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listDecisions, ({ params, query, user }) =>
      listDecisions(context.readDb, user.id, params.id, query),
    );

    route(scope, contract.decide, async ({ params, body, user }) => ({
      count: await decide(context, { userId: user.id, websiteId: params.id }, body),
    }));
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, listDecisionsWithKey, ({ params, query, key }) =>
      listDecisionsByDomain(context.readDb, key.userId, params.id, query),
    );

    route(scope, decideWithKey, async ({ params, body, key }) => ({
      changed: await decideEach(context, { userId: key.userId, websiteId: params.id }, body),
    }));
  },
};
