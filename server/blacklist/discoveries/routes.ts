import * as contract from '#shared/blacklist/discoveries.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { decideDiscovery, listDiscoveries, startDiscoveries } from './discoveries.ts';

export const discoveryRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.listDiscoveries, ({ query }) => listDiscoveries(context, query));

    route(scope, contract.startDiscoveries, ({ body, audit }) => startDiscoveries(context, body.domains, audit));

    route(scope, contract.decideDiscovery, ({ params, body, user, audit }) =>
      decideDiscovery(context, params.id, body.status, { admin: user, audit }),
    );
  },
};
