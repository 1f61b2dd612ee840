import * as settings from '#shared/accounts/account-settings.ts';
import * as contract from '#shared/accounts/accounts.ts';
import { debugLogin } from '#shared/accounts/debug-login.ts';
import * as resets from '#shared/accounts/password-resets.ts';
import * as secondFactor from '#shared/accounts/second-factor.ts';
import { resetSearchLimit } from '#shared/accounts/subscriptions.ts';
import * as users from '#shared/accounts/users.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork, getRequestOrigin } from '../../platform/http/address.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { listLockedAccounts } from '../../platform/throttle/throttle.ts';
import type { Topic } from '../../topic.ts';
import { recordAccountEvent } from '../account-events/account-events.ts';
import { endCurrentSession } from '../sessions/sessions.ts';
import { getUser, toManagedUsers } from './accounts.ts';
import { debugLogIn, logIn, register } from './log-in.ts';
import { disableUser, enableUser, grantAdmin, resetSecondFactor, revokeAdmin, unlockUser } from './manage-users.ts';
import { findAccountByName } from './queries.ts';
import { changePassword, createResetLinkAsAdmin, requestReset, resetPassword } from './set-password.ts';
import { reauthenticate } from './sign-in.ts';
import { countAccounts, listAccounts, resetSearchCount, updateName } from './store.ts';

export const accountRoutes = {
  public(scope: Scope<'public'>, context: Context, topics: readonly Topic[]): void {
    route(scope, contract.login, ({ body, request, reply }) => logIn(context, body, request, reply));

    route(scope, contract.register, ({ body, request, reply }) => register(context, body, request, reply));

    route(scope, contract.logout, ({ request, reply }) => endCurrentSession(context.db, request, reply));

    route(scope, resets.requestReset, ({ body, request }) => requestReset(context, body, getClientNetwork(request)));

    route(scope, resets.resetPassword, ({ body, request, reply }) =>
      resetPassword(context, body, { request, reply }, topics),
    );

    if (context.config.debug) {
      route(scope, debugLogin, ({ body, request, reply }) => debugLogIn(context, body, request, reply));
    }
  },

  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, contract.getCurrentUser, ({ user }) => getUser(context, user.id));

    route(scope, resetSearchLimit, async ({ user }) => {
      await resetSearchCount(db, user.id);
      return getUser(context, user.id);
    });

    route(scope, settings.changeName, ({ body, user, request }) =>
      db.transaction().execute(async (trx) => {
        await updateName(trx, user.id, body.displayName);
        await recordAccountEvent(trx, request, {
          userId: user.id,
          kind: 'name-changed',
          now: context.now(),
          subject: body.displayName,
        });
        return await getUser({ ...context, db: trx }, user.id);
      }),
    );

    route(scope, settings.changePassword, ({ body, user, request, reply }) =>
      changePassword(context, user.id, body, { request, reply }),
    );

    route(scope, secondFactor.checkProof, async () => undefined);

    route(scope, secondFactor.reauthenticate, ({ body, user, request, reply }) =>
      reauthenticate(context, user.id, body, { request, reply }),
    );
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    const { config, db, now } = context;

    route(scope, users.countUsers, async () => ({ count: await countAccounts(db) }));

    route(scope, users.listUsers, async ({ query: { page, pageSize, ...filter } }) => {
      const locked = filter.show === 'locked' ? [...(await listLockedAccounts(db, now()))] : [];
      const { rows, total } = await listAccounts(db, filter, locked, { offset: page * pageSize, limit: pageSize });
      return { users: await toManagedUsers(context, rows), pagination: toPagination(page, pageSize, total) };
    });

    route(scope, users.findUser, async ({ query }) => {
      const account = await findAccountByName(db, query.name);
      const [found] = await toManagedUsers(context, account ? [account] : []);
      if (!found) {
        throw new HttpError(404, 'not_found', 'There is no account with this UID, email address or username.');
      }
      return found;
    });

    route(scope, users.grantAdmin, ({ params, audit }) => grantAdmin(context, params.id, audit));

    route(scope, users.revokeAdmin, ({ params, user, audit }) => revokeAdmin(context, params.id, user, audit));

    route(scope, users.disableUser, ({ params, user, audit }) => disableUser(context, params.id, user, audit));

    route(scope, users.enableUser, ({ params, audit }) => enableUser(context, params.id, audit));

    route(scope, users.unlockUser, ({ params, audit }) => unlockUser(context, params.id, audit));

    route(scope, users.resetSecondFactor, ({ params, user, audit }) =>
      resetSecondFactor(context, params.id, user, audit),
    );

    route(scope, users.createResetLink, async ({ params, user, request, audit }) => {
      const { path, expiresAt } = await createResetLinkAsAdmin(db, params.id, { admin: user, now: now(), audit });
      return { link: `${getRequestOrigin(request, config.publicOrigin)}${path}`, expiresAt: expiresAt.toISOString() };
    });
  },
};
