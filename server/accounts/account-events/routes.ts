import * as contract from '#shared/accounts/account-events.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { type EventFilter, listEvents } from './store.ts';

/** The security activity: of the user's own account, and of all accounts for admins. */
export const accountEventRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, contract.listMyAccountEvents, ({ user, query: { page, pageSize } }) =>
      listPage(context, { userId: user.id }, page, pageSize),
    );
  },

  admin(scope: Scope<'admin'>, context: Context): void {
    route(scope, contract.listAccountEvents, ({ query: { page, pageSize, ...filter } }) =>
      listPage(context, filter, page, pageSize),
    );
  },
};

async function listPage({ db }: Context, filter: EventFilter, page: number, pageSize: number) {
  const { rows, total } = await listEvents(db, filter, page * pageSize, pageSize);
  const events = rows.map(({ date, ...row }) => ({ ...row, date: date.toISOString() }));
  return { events, pagination: toPagination(page, pageSize, total) };
}
