import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Proxies, trustIn } from '../net/proxies.ts';
import { networkOf } from './address.ts';
import { answerBadAddress, answerErrors } from './answer-errors.ts';
import { contentPolicy, type OtherSources } from './content-policy.ts';
import { requireDeclaredAccess } from './declared-access.ts';
import { plainSentence } from './plain-sentence.ts';
import { dropEmptyQuery } from './query.ts';
import { refuseCrossSite } from './same-origin.ts';

z.config({ localeError: plainSentence });

export interface HttpOptions {
  log: FastifyBaseLogger;
  /** Largest upload in bytes. */
  uploadLimit: number;
  /** Where people reach us, when a proxy stands before us. */
  publicOrigin: string | undefined;
  trustProxy: Proxies;
  /** What an identity provider needs; without it pages load nothing from elsewhere. */
  otherSources?: OtherSources | undefined;
  /** Requests a minute from one address. */
  requestsPerMinute: number;
}

/** The bare server: parsers, headers, limits and the error handler, without a single route. */
export function createFastify(options: HttpOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log,
    trustProxy: trustIn(options.trustProxy),
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    frameworkErrors: answerBadAddress,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('identity', undefined);
  app.decorateRequest('keyHolder', undefined);
  answerErrors(app);
  requireDeclaredAccess(app);
  app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(options.otherSources) },
    // A sign-in window of the identity provider has to reach the page that opened it.
    ...(options.otherSources && { crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' } }),
    xFrameOptions: { action: 'deny' },
    // Other hosts of the same domain are not ours to decide about.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.register(cookie);
  app.register(multipart, {
    limits: { fileSize: options.uploadLimit, files: 1, fields: 10, fieldSize: 4096, parts: 12 },
  });
  app.register(rateLimit, {
    global: false,
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: networkOf,
    // Other names than those of a key's quota: RateLimit-Limit and so on.
    enableDraftSpec: true,
    // A key may make all the requests of its day in one burst, and many keys one address: key-scope.ts limits what they fail at.
    allowList: (request) => !isCall(request) || request.routeOptions.config.access === 'key',
  });
  limitFloods(app);
  refuseCrossSite(app, options.publicOrigin);
  dropEmptyQuery(app);
  app.addHook('onSend', async (request, reply) => {
    if (isCall(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  return app;
}

/** Whether it asks the API, or nothing that there is. An address has many spellings (`/%61pi/`), a route has one. */
function isCall({ routeOptions: { url } }: FastifyRequest): boolean {
  return url === undefined || url.startsWith('/api/');
}

/** Before a scope asks the database who somebody is, and for addresses without a route too: those floods cost as well. */
function limitFloods(app: FastifyInstance): void {
  let limit: ReturnType<FastifyInstance['rateLimit']> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    limit ??= app.rateLimit();
    await limit.call(app, request, reply);
  });
}
