import * as contract from '#shared/blacklist/held.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { listAllowRules } from '../guard/queries.ts';
import { createAllowRule, decideHeld, decideManyHeld, deleteAllowRule, toAllowRule, toHeld } from './held.ts';
import {
  createSharedHost,
  deleteSharedHost,
  dismissSharedHost,
  listSharedHosts,
  previewSharedHost,
} from './shared-hosts.ts';
import { listHeld } from './store.ts';

export const heldRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;

    route(scope, contract.listHeld, async ({ query }) => {
      const { rows, total } = await listHeld(db, query);
      return { held: rows.map(toHeld), pagination: toPagination(query.page, query.pageSize, total) };
    });

    route(scope, contract.decideManyHeld, async ({ body, user, audit }) => ({
      count: await decideManyHeld(context, body.ids, body.decision, { admin: user, audit }),
    }));

    route(scope, contract.decideHeld, ({ params, body, user, audit }) =>
      decideHeld(context, params.id, body.decision, { admin: user, audit }),
    );

    route(scope, contract.listAllowRules, async ({ query }) => {
      const { rows, total } = await listAllowRules(db, query);
      return { rules: rows.map(toAllowRule), pagination: toPagination(query.page, query.pageSize, total) };
    });

    route(scope, contract.createAllowRule, ({ body, user, audit }) => createAllowRule(context, body, user, audit));

    route(scope, contract.listSharedHosts, () => listSharedHosts(db));

    route(scope, contract.previewSharedHost, ({ query }) => previewSharedHost(db, query.host));

    route(scope, contract.createSharedHost, ({ body, user, audit }) =>
      createSharedHost(context, body, { admin: user, audit }),
    );

    route(scope, contract.dismissSharedHost, ({ body, audit }) => dismissSharedHost(db, body.host, audit));

    route(scope, contract.deleteSharedHost, ({ params, audit }) => deleteSharedHost(context, params.id, audit));

    route(scope, contract.deleteAllowRule, ({ params, audit }) => deleteAllowRule(context, params.id, audit));
  },
};
