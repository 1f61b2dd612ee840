import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type ApiKey,
  apiKeyLimits,
  createApiKey,
  defaultKeyName,
  deleteApiKey,
  listApiKeys,
} from '#shared/api-keys.ts';
import { type KeyUsage, keyCallsPerMinute, readKeyUsage } from '#shared/key-checks.ts';
import type { Context } from '../context.ts';
import { getClientNetwork } from '../http/address.ts';
import { conflict, notFound, tooManyRequests, unauthorized } from '../http/errors.ts';
import { dataHeaders } from '../http/headers.ts';
import { type KeyHolder, route, type Scope } from '../http/scope.ts';
import { endOf, keyDeleted, listKeys, openKeyFinder, toApiKey, utcDay } from './api-keys.ts';
import { hashOf, newKeyValue, sealValue } from './key-value.ts';
import { countKeys, deleteKey, insertKey, lockOwner, selectKey } from './store.ts';

export const apiKeyRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    route(scope, listApiKeys, ({ user }) => listKeys(context, user.id));

    route(scope, createApiKey, ({ body, user }) => createKey(context, user.id, body.name));

    route(scope, deleteApiKey, async ({ params, user }) => {
      if (!(await deleteKey(context.db, user.id, params.id))) throw notFound('API key', params.id);
    });
  },

  key(scope: Scope<'key'>, context: Context): void {
    route(scope, readKeyUsage, ({ key }) => readUsage(context, key));
  },
};

/** Creates a key. Throws 409 when the user has as many as one may have, also when several are created at the same moment. */
async function createKey(context: Context, userId: number, name: string | undefined): Promise<ApiKey> {
  const { db, secretKey, now } = context;
  const at = now();
  const value = newKeyValue();
  const key = {
    user_id: userId,
    name: name || defaultKeyName,
    hash: hashOf(value),
    sealed: sealValue(secretKey, userId, value),
    created_at: at,
  };
  const row = await db.transaction().execute(async (trx) => {
    if (!(await lockOwner(trx, userId))) throw unauthorized();
    if ((await countKeys(trx, userId)) >= apiKeyLimits.maxKeys) {
      throw conflict(`You have ${apiKeyLimits.maxKeys} API keys, which is the most. Please delete one first.`);
    }
    return insertKey(trx, key, utcDay(at));
  });
  return toApiKey(context, userId, row);
}

/** Throws 401 when the key was deleted after it was found. */
async function readUsage({ db }: Context, key: KeyHolder): Promise<KeyUsage> {
  const row = await selectKey(db, key.userId, key.keyId, key.day);
  if (!row) throw keyDeleted();
  key.dailyUsage = row.dailyUsage;
  return {
    name: row.name,
    dailyLimit: apiKeyLimits.requestsADay,
    dailyUsage: row.dailyUsage,
    remaining: apiKeyLimits.requestsADay - row.dailyUsage,
    resetAt: endOf(key.day).toISOString(),
    usageCount: row.usageCount,
    lastUsed: row.lastUsed?.toISOString() ?? null,
  };
}

/**
 * Opens the scope of API keys below `prefix`. Only the `X-API-Key` header identifies the caller, no session and no address.
 * Pages of any site may call it, since nothing here depends on a cookie. Answers 401 without a valid key.
 */
export function openKeyScope(
  parent: FastifyInstance,
  prefix: string,
  context: Context,
  register: (scope: Scope<'key'>) => void,
): void {
  parent.register(
    async (app) => {
      app.addHook('onRoute', (route) => {
        route.config = {
          ...route.config,
          helmet: { skipRoute: true },
          // The one route of preflights, which a browser sends without the key.
          ...(route.method === 'OPTIONS' && { access: 'public' }),
        };
      });
      app.addHook('onRequest', (_request, reply, done) => {
        reply.headers(dataHeaders);
        done();
      });
      await app.register(cors, {
        origin: '*',
        methods: ['GET', 'HEAD', 'POST'],
        allowedHeaders: ['X-API-Key', 'Content-Type', 'If-None-Match'],
        exposedHeaders: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'ETag'],
        maxAge: 86_400,
        strictPreflight: false,
      });
      app.removeContentTypeParser(['text/plain', 'multipart/form-data']);
      app.addHook('onRequest', guard(app, context));
      app.addHook('onSend', async ({ keyHolder }, reply) => {
        if (!keyHolder) return;
        reply.headers({
          'x-ratelimit-limit': String(apiKeyLimits.requestsADay),
          'x-ratelimit-remaining': String(apiKeyLimits.requestsADay - keyHolder.dailyUsage),
          'x-ratelimit-reset': String(endOf(keyHolder.day).getTime() / 1000),
        });
      });
      register({ access: 'key', app });
    },
    { prefix },
  );
}

/** Finds the key of a request. Addresses that send many wrong keys have to wait, but their valid keys keep working. */
function guard(app: FastifyInstance, context: Context): (request: FastifyRequest) => Promise<void> {
  const findKey = openKeyFinder(context);
  const perMinute = { timeWindow: '1 minute', allowList: [] };
  const countFailure = app.createRateLimit({
    ...perMinute,
    max: keyCallsPerMinute.failed,
    keyGenerator: getClientNetwork,
  });
  const countCall = app.createRateLimit({
    ...perMinute,
    max: keyCallsPerMinute.valid,
    keyGenerator: ({ keyHolder }) => String(keyHolder?.keyId),
  });
  return async (request) => {
    const value = request.headers['x-api-key'];
    const holder = typeof value === 'string' ? await findKey(value) : undefined;
    if (holder) {
      request.keyHolder = holder;
      const calls = await countCall(request);
      if (calls.isAllowed || !calls.isExceeded) return;
      throw tooManyRequests('Too many calls with this API key. Please wait a minute.', calls.ttlInSeconds);
    }
    const failures = await countFailure(request);
    if (!failures.isAllowed && failures.isExceeded) {
      throw tooManyRequests('Too many calls without a valid API key. Please wait a minute.', failures.ttlInSeconds);
    }
    throw unauthorized(
      value
        ? 'This API key is not valid. Please copy it again from the API Keys tab of your account, or create another one.'
        : 'Please send an API key in the X-API-Key header. You can create one in the API Keys tab of your account.',
    );
  };
}
