import { demoLogin } from '#shared/accounts/demo-login.ts';
import { getAccount } from '../../accounts/accounts/accounts.ts';
import { signIn } from '../../accounts/accounts/sign-in.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { demoAccounts } from './demo.ts';
import { findAccountId } from './store.ts';

/** Without a password, because many visitors share the accounts: nobody can lock one with wrong passwords. */
export const demoRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    if (!context.config.demo) return;
    route(scope, demoLogin, ({ body, request, reply }) =>
      signIn(context, { request, reply }, 'signed-in', async (trx) => {
        const id = await findAccountId(trx, demoAccounts[body.account].username);
        if (id === undefined) throw notFound('account');
        return await getAccount(trx, id);
      }),
    );
  },
};
