import { createApiKey, deleteApiKey, listApiKeys } from '#shared/api-keys.ts';
import { readKeyUsage } from '#shared/key-checks.ts';
import type { AppContext } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { route, type Scope } from '../http/scope.ts';
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { sendRateHeaders } from './rate-headers.ts';
import { readUsage } from './read-usage.ts';
import { deleteKey } from './store.ts';

export const apiKeyRoutes = {
  user(scope: Scope<'user'>, context: AppContext): void {
    route(scope, listApiKeys, async ({ user }) => {
      await context.quota.flush(user.id);
      return listKeys(context, user.id);
    });

    route(scope, createApiKey, ({ body, user }) => createKey(context, user.id, body.name));

    route(scope, deleteApiKey, async ({ params, user }) => {
      if (!(await deleteKey(context.db, user.id, params.id))) throw notFound('API key', params.id);
      return undefined;
    });
  },

  key(scope: Scope<'key'>, context: AppContext): void {
    sendRateHeaders(scope.app, context, context.quota);

    route(scope, readKeyUsage, ({ key }) => readUsage(context, key));
  },
};
