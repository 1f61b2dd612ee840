import * as contract from '#shared/accounts/sessions.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { endAllSessions, endOtherSessions, endSession, listSessions } from './sessions.ts';

/** The user's own sessions. */
export const sessionRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db, now } = context;

    route(scope, contract.listSessions, ({ user, request }) => listSessions(db, request, user.id, now()));

    route(scope, contract.endOtherSessions, ({ user, request, reply }) =>
      db.transaction().execute(async (trx) => {
        await endOtherSessions({ ...context, db: trx }, request, reply, user.id);
        await recordAccountEvent(trx, request, { userId: user.id, kind: 'signed-out-others', now: now() });
      }),
    );

    route(scope, contract.endSession, ({ params, user, request, reply }) =>
      endSession(context, { request, reply }, user, params.id),
    );

    route(scope, contract.endAllSessions, ({ user, request, reply }) =>
      endAllSessions(context, request, reply, user.id),
    );
  },
};
