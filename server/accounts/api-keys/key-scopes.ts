import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiKeyLimits } from '#shared/accounts/api-keys.ts';
import { maxKeyCallsPerMinute } from '#shared/checks/key-checks.ts';
import type { Context } from '../../context.ts';
import { getClientAddress, getClientNetwork, readBearer } from '../../platform/http/address.ts';
import { type HttpError, tooManyRequests, unauthorized } from '../../platform/http/errors.ts';
import { dataHeaders } from '../../platform/http/headers.ts';
import type { KeyHolder, KeyScope } from '../../platform/http/scope.ts';
import { createKeyFinder, endOfUtcDay, toUtcDay } from './api-keys.ts';
import type { FoundKey } from './store.ts';

/**
 * Registers the scopes of API keys. Only the key identifies the caller, so websites of any origin may call their routes
 * (CORS). Without a valid key, they return 401. The scopes share the limits of calls.
 */
export function registerKeyScopes(parent: FastifyInstance, context: Context, scopes: readonly KeyScope[]): void {
  const authenticate = createAuthentication(parent, context);
  for (const { prefix, acceptsBearer = false, allowedHeaders, register } of scopes) {
    parent.register(
      async (app) => {
        app.addHook('onRoute', (route) => {
          route.config = {
            ...route.config,
            helmet: { skipRoute: true },
            // Browsers send preflight requests without the key.
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
          allowedHeaders: ['X-API-Key', 'Content-Type', ...allowedHeaders],
          exposedHeaders: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'ETag'],
          maxAge: 86_400,
          strictPreflight: false,
        });
        app.removeContentTypeParser(['text/plain', 'multipart/form-data']);
        app.addHook('onRequest', (request) => authenticate(request, acceptsBearer));
        app.addHook('onSend', async ({ keyHolder }, reply) => {
          if (acceptsBearer && reply.statusCode === 401) reply.header('www-authenticate', 'Bearer');
          if (!keyHolder) return;
          reply.headers({
            'x-ratelimit-limit': String(apiKeyLimits.requestsPerDay),
            'x-ratelimit-remaining': String(apiKeyLimits.requestsPerDay - keyHolder.dailyUsage),
            'x-ratelimit-reset': String(endOfUtcDay(keyHolder.day).getTime() / 1000),
          });
        });
        register({ access: 'key', app });
      },
      { prefix },
    );
  }
}

/**
 * Returns a function that authenticates a request by its key. Networks that send many wrong keys get 429, but their
 * valid keys keep working.
 */
function createAuthentication(app: FastifyInstance, context: Context) {
  const findKey = createKeyFinder(context);
  const perMinute = { timeWindow: '1 minute', allowList: [] };
  const recordFailure = app.createRateLimit({
    ...perMinute,
    max: maxKeyCallsPerMinute.withoutKey,
    keyGenerator: (request) => `wrong-key:${getClientNetwork(request)}`,
  });
  const recordCall = app.createRateLimit({
    ...perMinute,
    max: maxKeyCallsPerMinute.withKey,
    keyGenerator: ({ keyHolder }) => `key:${keyHolder?.keyId}`,
  });
  return async (request: FastifyRequest, acceptsBearer: boolean): Promise<void> => {
    const value = request.headers['x-api-key'] ?? (acceptsBearer ? readBearer(request) : undefined);
    const found = typeof value === 'string' ? await findKey(value) : undefined;
    const result = found && checkExpiry(found, context.now());
    if (result?.holder) {
      request.keyHolder = { ...result.holder, address: getClientAddress(request) };
      const calls = await recordCall(request);
      if (calls.isAllowed || !calls.isExceeded) return;
      throw tooManyRequests('Too many calls with this API key. Wait a minute, then try again.', calls.ttlInSeconds);
    }
    const failures = await recordFailure(request);
    if (!failures.isAllowed && failures.isExceeded) {
      throw tooManyRequests(
        'Too many calls without a valid API key. Wait a minute, then try again.',
        failures.ttlInSeconds,
      );
    }
    if (result?.error) throw result.error;
    throw unauthorized(
      value
        ? 'This API key is not valid. Copy it again from the API Keys tab of your account, or create another one.'
        : `Send an API key in the ${acceptsBearer ? 'Authorization header, as "Bearer KEY", or in the ' : ''}X-API-Key header. You can create one in the API Keys tab of your account.`,
    );
  };
}

/**
 * Returns the holder of a key if its value still works, or why it does not: when it stopped working, and what to do.
 */
function checkExpiry(
  { expiresAt, isReplaced, ...holder }: FoundKey,
  now: Date,
): { holder: Omit<KeyHolder, 'address'>; error?: never } | { holder?: never; error: HttpError } {
  return expiresAt && expiresAt <= now ? { error: keyExpiredError(expiresAt, isReplaced) } : { holder };
}

function keyExpiredError(expiresAt: Date, isReplaced: boolean): HttpError {
  const time = `on ${toUtcDay(expiresAt)} at ${expiresAt.toISOString().slice(11, 16)} UTC`;
  return unauthorized(
    isReplaced
      ? `This API key was replaced, and its old value stopped working ${time}. Copy the new value from the API Keys tab of your account.`
      : `This API key expired ${time}. Rotate it in the API Keys tab of your account, or create another one.`,
  );
}
