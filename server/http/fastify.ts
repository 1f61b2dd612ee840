import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { answerBadAddress, answerErrors } from './answer-errors.ts';
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
  trustProxy: boolean;
  /** Requests a minute from one address. */
  requestsPerMinute: number;
}

/** The bare server: parsers, headers, limits and the error handler, without a single route. */
export function createFastify(options: HttpOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: options.log,
    trustProxy: options.trustProxy,
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
  answerErrors(app);
  requireDeclaredAccess(app);
  app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'style-src-attr': ["'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: { maxAge: 31_536_000 },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.register(cookie);
  app.register(multipart, {
    limits: { fileSize: options.uploadLimit, files: 1, fields: 10, fieldSize: 4096, parts: 12 },
  });
  app.register(rateLimit, {
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => request.ip,
    allowList: (request) => !request.url.startsWith('/api/'),
  });
  refuseCrossSite(app, options.publicOrigin);
  dropEmptyQuery(app);
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  return app;
}
