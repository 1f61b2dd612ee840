import * as contract from '#shared/reports/live-links.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { cancelCheck, getCheck, listLivePages, startCheck } from './live-links.ts';

export const liveLinkRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.startLinkCheck, ({ params, body, user }) => startCheck(context, user.id, params.id, body));

    route(scope, contract.getLinkCheck, ({ params, user }) => getCheck(context, user.id, params.id));

    route(scope, contract.cancelLinkCheck, ({ params, user }) => cancelCheck(db, user.id, params.id));

    route(scope, contract.listLivePages, ({ params, query, user }) =>
      listLivePages(db, user.id, params.id, query.domain),
    );
  },
};
