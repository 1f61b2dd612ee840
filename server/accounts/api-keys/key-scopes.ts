import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiKeyScopes } from '#shared/accounts/api-key-scopes.ts';
import { apiKeyLimits } from '#shared/accounts/api-keys.ts';
import { maxKeyCallsPerMinute } from '#shared/checks/key-checks.ts';
import type { Context } from '../../context.ts';
import { getClientAddress, getClientNetwork, getPublishedOrigin, readBearer } from '../../platform/http/address.ts';
import { sendError } from '../../platform/http/error-handler.ts';
import { HttpError, missingScope, tooManyRequests, unauthorized } from '../../platform/http/errors.ts';
import { dataHeaders } from '../../platform/http/headers.ts';
import type { Exchange, KeyHolder, KeyScope } from '../../platform/http/scope.ts';
import { createKeyCharger, createKeyFinder, endOfUtcDay, findTokenHolder, toUtcDay } from './api-keys.ts';
import { resourceMetadataPath, toResource } from './oauth/provider.ts';
import type { FoundKey } from './store.ts';

/**
 * Registers the scopes of API keys. Only the key identifies the caller, so websites of any origin may call their routes
 * (CORS). Without a valid key, they return 401. The scopes share the limits of calls.
 */
export function registerKeyScopes(parent: FastifyInstance, context: Context, scopes: readonly KeyScope[]): void {
  const authenticate = createAuthentication(parent, context);
  const charge = createKeyCharger(context);
  /** Assistants without a key follow the address, and ask the user for access. */
  const describeBearer = (request: FastifyRequest) => {
    const origin = getPublishedOrigin(request, context.config);
    const error = readBearer(request) === undefined ? '' : ', error="invalid_token"';
    return origin ? `Bearer resource_metadata="${origin}${resourceMetadataPath}"${error}` : 'Bearer';
  };
  const recordUse = async ({ keyHolder }: FastifyRequest): Promise<void> => {
    if (keyHolder) await charge(keyHolder, 0, async () => undefined);
  };
  for (const { prefix, acceptsBearer = false, allowedHeaders, register } of scopes) {
    parent.register(
      async (app) => {
        app.addHook('onRoute', (route) => {
          const { scope } = route.config ?? {};
          if (scope && !apiKeyScopes.some((one) => one === scope))
            throw new Error(`No API key has the scope '${scope}'.`);
          // Only checks count toward the daily limit. Other calls are recorded as the last use of the key.
          if (scope && scope !== 'check') route.preHandler = recordUse;
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
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
          allowedHeaders: ['X-API-Key', 'Content-Type', ...allowedHeaders],
          exposedHeaders: [
            ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'],
            ...['Retry-After', 'ETag', 'Location', 'Idempotency-Replayed', 'Content-Disposition', 'WWW-Authenticate'],
          ],
          maxAge: 86_400,
          strictPreflight: false,
        });
        app.removeContentTypeParser('text/plain');
        app.addHook('onRequest', async (request, reply) => {
          await authenticate({ request, reply }, acceptsBearer);
          const { scope, acceptsFiles } = request.routeOptions.config;
          if (scope && !request.keyHolder?.scopes.includes(scope)) throw missingScope(scope);
          const isForm = request.headers['content-type']?.startsWith('multipart/') ?? false;
          if (isForm && !acceptsFiles) {
            throw new HttpError(415, 'unsupported_file', 'This content type is not accepted here.');
          }
        });
        // Other prefixes are single paths.
        if (prefix.endsWith('/')) {
          app.setNotFoundHandler((request, reply) =>
            sendError({ request, reply }, { status: 404, code: 'not_found', message: 'The API has no such call.' }),
          );
        }
        app.addHook('onSend', async (request, reply) => {
          const { keyHolder } = request;
          if (acceptsBearer && reply.statusCode === 401) reply.header('www-authenticate', describeBearer(request));
          if (!keyHolder) return;
          reply.headers({
            'x-ratelimit-limit': String(apiKeyLimits.requestsPerDay),
            'x-ratelimit-remaining': String(apiKeyLimits.requestsPerDay - keyHolder.dailyUsage),
            'x-ratelimit-reset': String(endOfUtcDay(keyHolder.day).getTime() / 1000),
            ...describeLimit({
              name: 'day',
              max: apiKeyLimits.requestsPerDay,
              seconds: 86_400,
              remaining: apiKeyLimits.requestsPerDay - keyHolder.dailyUsage,
              resetSeconds: (endOfUtcDay(keyHolder.day).getTime() - context.now().getTime()) / 1000,
            }),
          });
        });
        register({ access: 'key', app });
      },
      { prefix },
    );
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
const describeLimit = (limit: {
  name: string;
  max: number;
  seconds: number;
  remaining: number;
  resetSeconds: number;
}) => ({
  'ratelimit-policy': `"${limit.name}";q=${limit.max};w=${limit.seconds}`,
  ratelimit: `"${limit.name}";r=${limit.remaining};t=${Math.max(0, Math.ceil(limit.resetSeconds))}`,
});

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
  const findToken = async (request: FastifyRequest, token: string | undefined) => {
    const origin = getPublishedOrigin(request, context.config);
    const holder = token && origin ? await findTokenHolder(context, token, toResource(origin)) : undefined;
    return holder && { holder, error: undefined };
  };
  return async ({ request, reply }: Exchange, acceptsBearer: boolean): Promise<void> => {
    const bearer = acceptsBearer ? readBearer(request) : undefined;
    const value = request.headers['x-api-key'] ?? bearer;
    const found = typeof value === 'string' ? await findKey(value) : undefined;
    const result = found ? checkExpiry(found, context.now()) : await findToken(request, bearer);
    if (result?.holder) {
      request.keyHolder = { ...result.holder, address: getClientAddress(request) };
      const calls = await recordCall(request);
      if (calls.isAllowed || !calls.isExceeded) return;
      throw tooManyRequests('Too many calls with this API key. Wait a minute, then try again.', calls.ttlInSeconds);
    }
    const failures = await recordFailure(request);
    if (!failures.isAllowed) {
      const { max, remaining, ttlInSeconds: resetSeconds } = failures;
      reply.headers(describeLimit({ name: 'without-key', max, seconds: 60, remaining, resetSeconds }));
    }
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
