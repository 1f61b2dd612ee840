import * as contract from '#shared/accounts/second-factor.ts';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../platform/http/errors.ts';
import { route, type Scope } from '../../../platform/http/scope.ts';
import { recordAccountEvent } from '../../account-events/account-events.ts';
import { completeSignIn } from '../sign-in.ts';
import { renewCodes, startSetup, turnOn } from './second-factor.ts';
import { deleteSecondFactor } from './store.ts';

/** Signing in with a second factor, and the user's own second factor. */
export const secondFactorRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.logInWithSecondFactor, ({ body, request, reply }) =>
      completeSignIn(context, body, request, reply),
    );
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { config, db, now } = context;

    route(scope, contract.startSecondFactor, ({ user }) => startSetup(context, user.id));

    route(scope, contract.confirmSecondFactor, ({ body, user, request, reply }) =>
      turnOn(context, user.id, body.code, { request, reply }),
    );

    route(scope, contract.renewRecoveryCodes, ({ user, request }) =>
      db.transaction().execute(async (trx) => {
        const codes = await renewCodes(trx, user.id);
        await recordAccountEvent(trx, request, { userId: user.id, kind: 'recovery-codes-renewed', now: now() });
        return codes;
      }),
    );

    route(scope, contract.turnOffSecondFactor, async ({ user, request }) => {
      if (config.requireAdminSecondFactor && user.isAdmin) {
        throw conflict('This server requires two-factor authentication for admins, so you cannot turn it off.');
      }
      await db.transaction().execute(async (trx) => {
        await deleteSecondFactor(trx, user.id);
        await recordAccountEvent(trx, request, { userId: user.id, kind: 'second-factor-off', now: now() });
      });
    });
  },
};
