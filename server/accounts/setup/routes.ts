import * as contract from '#shared/accounts/setup.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { checkSetupLink, createFirstAdmin } from './setup.ts';

export const setupRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.checkSetupLink, ({ body, request }) => checkSetupLink(context, body.token, request));

    route(scope, contract.createFirstAdmin, ({ body, request, reply }) =>
      createFirstAdmin(context, body, request, reply),
    );
  },
};
