import { currentUser, login, logout, register, userCount } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { unauthorized } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { logIn } from './log-in.ts';
import { insertAccount, prepareAccount } from './register-account.ts';
import { endSession, startSession } from './sessions.ts';
import { countUsers, findUser } from './store.ts';
import { countRegistration } from './throttle.ts';
import { userOf } from './user.ts';

export const accountRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    route(scope, login, ({ body, request, reply }) => logIn(context, body, request, reply));

    route(scope, register, async ({ body, request, reply }) => {
      await countRegistration(context.db, request.ip, context.now());
      const account = await prepareAccount(context.db, body);
      return context.db.transaction().execute(async (trx) => {
        const user = await insertAccount(trx, account);
        await startSession(trx, request, reply, user.id, context.now());
        return user;
      });
    });

    route(scope, logout, async ({ request, reply }) => {
      await endSession(context.db, request, reply);
      return undefined;
    });
  },

  user(scope: Scope<'user'>, context: Context): void {
    route(scope, currentUser, async ({ user }) => {
      const found = await findUser(context.db, user.id);
      if (!found) throw unauthorized();
      return userOf(found);
    });
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, userCount, async () => ({ count: await countUsers(context.db) }));
  },
};
