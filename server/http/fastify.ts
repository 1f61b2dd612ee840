import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { type Proxies, toTrustProxy } from '../net/proxies.ts';
import { getClientNetwork } from './address.ts';
import { describeIssue, handleMalformedUrl, registerErrorHandler } from './error-handler.ts';
import { forbidden } from './errors.ts';
import { contentPolicy, type OtherSources } from './headers.ts';

z.config({ localeError: describeIssue });

interface HttpOptions {
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
    trustProxy: toTrustProxy(options.trustProxy),
    genReqId: () => randomUUID(),
    bodyLimit: 2 * 1024 * 1024,
    routerOptions: { ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    frameworkErrors: handleMalformedUrl,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('identity', undefined);
  app.decorateRequest('keyHolder', undefined);
  registerErrorHandler(app);
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
    keyGenerator: getClientNetwork,
    // Other names than those of a key's quota: RateLimit-Limit and so on.
    enableDraftSpec: true,
    // A key may make all the requests of its day in one burst, and many keys one address: api-keys/routes.ts limits failed calls.
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

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route there is, with the HEAD of each GET: what a table of rights is compared with. */
    allRoutes: readonly RouteOptions[];
  }
}

/** Refuses to start with a route that does not say who may call it. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('allRoutes', routes);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const silent = routes.filter(({ config }) => !config?.access).map(({ method, url }) => `${method} ${url}`);
    if (silent.length > 0) throw new Error(`These routes do not declare their access: ${silent.join(', ')}.`);
  });
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses unsafe methods, and GETs that change something, that a browser sends on another site's behalf. With a GET over plain HTTP
 * browsers send neither `Sec-Fetch-Site` nor `Origin`, but `Referer`, as our pages' policy allows.
 */
function refuseCrossSite(app: FastifyInstance, publicOrigin: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    const { access, changes } = request.routeOptions.config;
    // Their scope knows no cookie: whoever sends the key has it.
    if (access === 'key') return;
    if (safe.has(request.method) && !changes) return;
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    // A link in an email comes from nowhere too, which only a GET can do.
    if (site && site !== 'same-origin' && (site !== 'none' || changes)) throw crossSite();
    if (origin && !isOurs(origin, request, publicOrigin)) throw crossSite();
    if (site || origin || !request.headers.cookie) return;
    const { referer } = request.headers;
    if (!safe.has(request.method) || !referer || !isOurs(siteOf(referer), request, publicOrigin)) throw crossSite();
  });
}

function isOurs(origin: string, request: FastifyRequest, publicOrigin: string | undefined): boolean {
  return origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}

const siteOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : 'null');

const crossSite = () => forbidden('This request came from another site.');

/** A filter that is left empty (`?sort=&tld=`) is a filter that is not given, for every call. */
function dropEmptyQuery(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const [name, value] of Object.entries(query)) if (value === '') delete query[name];
  });
}
