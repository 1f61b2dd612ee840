import * as contract from '#shared/accounts/api-keys.ts';
import { getKeyUsage } from '#shared/checks/key-checks.ts';
import type { Context } from '../../context.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { recordAccountEvent, recordAccountEventOnce } from '../account-events/account-events.ts';
import { createKey, deleteKey, listKeysOfUser, readUsage, reduceKey, rotateKey, toUtcDay } from './api-keys.ts';

export const apiKeyRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db, now } = context;

    route(scope, contract.listApiKeys, async ({ user, request }) => {
      const keys = await listKeysOfUser(context, user.id);
      if (!user.isProven) return keys.map((key) => ({ ...key, keyValue: null, isHidden: true as const }));
      if (keys.some(({ assistant }) => assistant === null))
        await recordAccountEventOnce(db, request, { userId: user.id, kind: 'api-keys-shown', now: now() });
      return keys;
    });

    route(scope, contract.createApiKey, ({ body, user, request }) =>
      createKey(context, user.id, body, (trx, name) =>
        recordAccountEvent(trx, request, { userId: user.id, kind: 'api-key-created', now: now(), subject: name }),
      ),
    );

    route(scope, contract.rotateApiKey, ({ params, body, user, request }) =>
      rotateKey(context, { userId: user.id, id: params.id }, body, (trx, name) =>
        recordAccountEvent(trx, request, { userId: user.id, kind: 'api-key-rotated', now: now(), subject: name }),
      ),
    );

    route(scope, contract.reduceApiKey, ({ params, body, user, request }) =>
      reduceKey(db, { userId: user.id, id: params.id, day: toUtcDay(now()) }, body, (trx, name) =>
        recordAccountEvent(trx, request, { userId: user.id, kind: 'api-key-reduced', now: now(), subject: name }),
      ),
    );

    route(scope, contract.deleteApiKey, ({ params, user, request }) =>
      deleteKey(db, user.id, params.id, (trx, { name, oauthClientId }) => {
        const kind = oauthClientId === null ? 'api-key-deleted' : 'assistant-disconnected';
        return recordAccountEvent(trx, request, { userId: user.id, kind, now: now(), subject: name });
      }),
    );
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, getKeyUsage, ({ key }) => readUsage(context.db, key));
  },
};
