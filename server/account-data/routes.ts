import { Readable } from 'node:stream';
import { deleteAccount as deleteAccountCall, downloadAccount } from '#shared/accounts.ts';
import type { Context } from '../context.ts';
import { networkOf } from '../http/address.ts';
import { route, type Scope } from '../http/scope.ts';
import { forgetSession } from '../sessions/sessions.ts';
import { deleteAccount, exportAccount } from './account-data.ts';

/** What a person may do with everything that is stored about them. */
export const accountDataRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, deleteAccountCall, async ({ body, user, request, reply }) => {
      await deleteAccount(context, user.id, body, networkOf(request));
      forgetSession(request, reply);
      return undefined;
    });

    route(scope, downloadAccount, async ({ user, reply }) => {
      const fileName = `linksieve-account-${context.now().toISOString().slice(0, 10)}.json`;
      return reply
        .code(200)
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(exportAccount(context, user.id)));
    });
  },
};
