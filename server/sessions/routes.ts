import * as sessions from '#shared/sessions.ts';
import type { Context } from '../context.ts';
import { route, type Scope } from '../http/scope.ts';
import { endAllSessions, endOneSession, endOtherSessions, listSessions } from './sessions.ts';

/** The user's own sessions. */
export const sessionRoutes = {
  user(scope: Scope<'user'>, { db, now }: Context): void {
    route(scope, sessions.listSessions, ({ user, request }) => listSessions(db, request, user.id, now()));

    route(scope, sessions.endOtherSessions, async ({ user, request }) => {
      await endOtherSessions(db, request, user.id);
      return undefined;
    });

    route(scope, sessions.endSession, async ({ params, user, request, reply }) => {
      await endOneSession(db, request, reply, user.id, params.id);
      return undefined;
    });

    route(scope, sessions.endAllSessions, async ({ user, request, reply }) => {
      await endAllSessions(db, request, reply, user.id);
      return undefined;
    });
  },
};
