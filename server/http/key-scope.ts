import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { keyCallsPerMinute } from '#shared/key-checks.ts';
import { networkOf } from './address.ts';
import { tooManyRequests, unauthorized } from './errors.ts';
import { dataHeaders } from './headers.ts';
import type { FindKeyHolder, KeyHolder, Scope } from './scope.ts';

const day = 86_400;

/**
 * Opens the scope of key holders below `prefix`: the `X-API-Key` header says who is asking and nothing else does, no session and no
 * address. Pages of any site may ask, for nothing here is done on behalf of a cookie. Answers 401 without a valid key.
 */
export function openKeyScope(
  parent: FastifyInstance,
  prefix: string,
  find: FindKeyHolder,
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
        maxAge: day,
        strictPreflight: false,
      });
      app.removeContentTypeParser(['text/plain', 'multipart/form-data']);
      app.addHook('onRequest', guard(app, find));
      register({ access: 'key', app });
    },
    { prefix },
  );
}

/** Whoever fails often waits; a valid key is answered whatever others behind the same address did. */
function guard(app: FastifyInstance, find: FindKeyHolder): (request: FastifyRequest) => Promise<void> {
  const perMinute = { timeWindow: '1 minute', allowList: [] };
  const countFailure = app.createRateLimit({ ...perMinute, max: keyCallsPerMinute.failed, keyGenerator: networkOf });
  const countCall = app.createRateLimit({
    ...perMinute,
    max: keyCallsPerMinute.valid,
    keyGenerator: ({ keyHolder }) => String(keyHolder?.keyId),
  });
  return async (request) => {
    const value = request.headers['x-api-key'];
    const holder: KeyHolder | undefined = typeof value === 'string' ? await find(value) : undefined;
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
