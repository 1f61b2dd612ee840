import { debugLogin } from '#shared/debug-login.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { debugLogIn } from './debug-login.ts';

/** For trying things out: without LINKSIEVE_DEBUG the server has no such call. */
export const debugRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    if (!context.config.debug) return;
    route(scope, debugLogin, ({ body, request, reply }) => debugLogIn(context, body, request, reply));
  },
};
