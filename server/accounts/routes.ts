import {
  changePassword as changePasswordCall,
  currentUser,
  getAccount as getAccountCall,
  login,
  logout,
  register,
  userCount,
} from '#shared/accounts.ts';
import { resetSearchLimit } from '#shared/subscriptions.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { endSession, startSession } from '../sessions/sessions.ts';
import { countRegistration } from '../throttle/throttle.ts';
import { getAccount, insertAccount, prepareAccount, readUser, userOf } from './accounts.ts';
import { changePassword } from './change-password.ts';
import { logIn } from './log-in.ts';
import { countUsers } from './store.ts';
import { resetSearches } from './store-searches.ts';

export const accountRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, login, ({ body, request, reply }) => logIn(context, body, request, reply));

    route(scope, register, async ({ body, request, reply }) => {
      await countRegistration(context.db, networkOf(request), context.now());
      const account = await prepareAccount(context.db, body);
      return context.db.transaction().execute(async (trx) => {
        const user = await insertAccount(trx, account);
        await startSession(trx, request, reply, user.id, context.now());
        return userOf(context.config, user);
      });
    });

    route(scope, logout, async ({ request, reply }) => {
      await endSession(context.db, request, reply);
      return undefined;
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, currentUser, ({ user }) => readUser(context, user.id));

    route(scope, resetSearchLimit, async ({ user }) => {
      await resetSearches(context.db, user.id);
      return readUser(context, user.id);
    });

    route(scope, getAccountCall, async ({ user }) => {
      const { createdAt, passwordHash } = await getAccount(context.db, user.id);
      return { memberSince: createdAt.toISOString(), hasPassword: passwordHash !== null };
    });

    route(scope, changePasswordCall, async ({ body, user, request }) => {
      await changePassword(context, user.id, body, request);
      return undefined;
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, userCount, async () => ({ count: await countUsers(context.db) }));
  },
};
