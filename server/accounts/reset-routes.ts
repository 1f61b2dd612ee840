import * as resets from '#shared/password-resets.ts';
import { makeResetLink } from '#shared/users.ts';
import type { Context } from '../context.ts';
import { networkOf, originOf } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { makeResetLinkFor } from './make-reset-link.ts';
import { requestReset } from './request-reset.ts';
import { resetPassword } from './reset-password.ts';

/** The way to another password for those who forgot theirs. */
export const resetRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, resets.requestReset, async ({ body, request }) => {
      await requestReset(context, body, networkOf(request));
      return undefined;
    });

    route(scope, resets.resetPassword, ({ body, request, reply }) => resetPassword(context, body, request, reply));
  },

  admin(scope: Scope<'admin'>, { config, db, now }: Context): void {
    route(scope, makeResetLink, async ({ params, user, request, audit }) => {
      const { path, expiresAt } = await makeResetLinkFor(db, params.id, user, now(), audit);
      return { link: `${originOf(request, config.publicOrigin)}${path}`, expiresAt: expiresAt.toISOString() };
    });
  },
};
