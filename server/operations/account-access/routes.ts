import { endAccountAccess, getAccountAccess } from '#shared/operations/account-access.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import type { Topic } from '../../topic.ts';
import { endAccess, getAccess } from './account-access.ts';

export const accountAccessRoutes = {
  user(scope: Scope<'user'>, context: Context, topics: readonly Topic[]): void {
    route(scope, getAccountAccess, ({ user, request }) => getAccess(context, user.id, request));

    route(scope, endAccountAccess, ({ user, request, reply }) =>
      endAccess(topics, context, user.id, { request, reply }),
    );
  },
};
