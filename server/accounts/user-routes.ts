import { paginationOf } from '#shared/page.ts';
import * as users from '#shared/users.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { findPerson, managedUserOf } from './accounts.ts';
import { disableUser, enableUser, grantAdmin, revokeAdmin } from './manage-users.ts';
import { listUsers } from './store-users.ts';

/** What admins do with the accounts of others. */
export const userRoutes = {
  admin(scope: Scope<'admin'>, { db, now }: Context): void {
    route(scope, users.listUsers, async ({ query: { page, pageSize, ...filter } }) => {
      const { rows, total } = await listUsers(db, filter, page * pageSize, pageSize);
      return { users: rows.map((row) => managedUserOf(row, row.id)), pagination: paginationOf(page, pageSize, total) };
    });

    route(scope, users.findUser, async ({ query }) => {
      const person = await findPerson(db, query.name);
      if (!person)
        throw new HttpError(404, 'not_found', 'There is no account with this UID, email address or username.');
      return person;
    });

    route(scope, users.grantAdmin, ({ params, audit }) => grantAdmin(db, params.id, audit));

    route(scope, users.revokeAdmin, ({ params, user, audit }) => revokeAdmin(db, params.id, user, audit));

    route(scope, users.disableUser, ({ params, user, audit }) => disableUser(db, params.id, user, now(), audit));

    route(scope, users.enableUser, ({ params, audit }) => enableUser(db, params.id, audit));
  },
};
