import * as contract from '#shared/blacklist/crawl.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { createOptOut, deleteOptOut, listOptOuts, verifyOptOut } from './opt-outs.ts';
import { changeSetting, readSetting } from './setting.ts';

export const crawlRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.listOptOuts, ({ user }) => listOptOuts(db, user.id));

    route(scope, contract.createOptOut, ({ body, user }) => createOptOut(context, user.id, body));

    route(scope, contract.verifyOptOut, ({ params, user }) => verifyOptOut(context, user.id, params.id));

    route(scope, contract.deleteOptOut, ({ params, user }) => deleteOptOut(db, user.id, params.id));
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.getCrawlSetting, () => readSetting(context));

    route(scope, contract.setCrawlSetting, ({ body, audit }) => changeSetting(context, body.enabled, audit));
  },
};
