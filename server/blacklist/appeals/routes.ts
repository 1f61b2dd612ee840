import * as contract from '#shared/blacklist/appeals.ts';
import { reportDomain } from '#shared/blacklist/domain-changes.ts';
import { sendDomainReport } from '../../accounts/messages/messages.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getDomain } from '../domains/domains.ts';
import { createAppeal, decideAppeal, getAppeal, listOwnAppeals, verifyAppeal, withdrawAppeal } from './appeals.ts';

export const appealRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.createAppeal, ({ params, body, user, request }) =>
      createAppeal(context, user.id, { ...body, name: params.name }, request),
    );

    route(scope, contract.listOwnAppeals, ({ params, user }) => listOwnAppeals(context.db, user.id, params.name));

    route(scope, contract.verifyAppeal, ({ params, user }) => verifyAppeal(context, user.id, params.name, params.id));

    route(scope, contract.withdrawAppeal, ({ params, user, request }) =>
      withdrawAppeal(context, user.id, params, request),
    );

    route(scope, reportDomain, async ({ params, body, user }) => {
      const { id, domain } = await getDomain(context.readDb, params.id, false);
      return { id: await sendDomainReport(context, user.id, { id, name: domain }, body.message) };
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.getAppeal, ({ params }) => getAppeal(context.db, params.id));

    route(scope, contract.decideAppeal, ({ params, body, user, audit }) =>
      decideAppeal(context, params.id, body, { admin: user, audit }),
    );
  },
};
