import * as contract from '#shared/second-factor.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../http/scope.ts';
import { completeSignIn } from '../sign-in.ts';
import { renewCodes, startSetup, turnOff, turnOn } from './second-factor.ts';

/** Signing in with a second factor, and the user's own second factor. */
export const secondFactorRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, contract.logInWithSecondFactor, ({ body, request, reply }) =>
      completeSignIn(context, body, request, reply),
    );
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.startSecondFactor, ({ user }) => startSetup(context, user.id));

    route(scope, contract.confirmSecondFactor, ({ body, user, request, reply }) =>
      turnOn(context, user.id, body.code, request, reply),
    );

    route(scope, contract.renewRecoveryCodes, ({ user }) => renewCodes(db, user.id));

    route(scope, contract.turnOffSecondFactor, ({ user }) => db.transaction().execute((trx) => turnOff(trx, user.id)));
  },
};
