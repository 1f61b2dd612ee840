import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit, { type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import * as z from 'zod/mini';
import { runForOwner } from '../db/fair-queue.ts';
import { type Proxies, toTrustProxy } from '../net/proxies.ts';
import { logRequests } from './access-log.ts';
import { getClientNetwork, loopbackHosts, toHostname } from './address.ts';
import { describeIssue, handleMalformedUrl, registerErrorHandler } from './error-handler.ts';
import { diskFullError, forbidden, HttpError, invalid } from './errors.ts';
import { contentPolicy, matchesETag, type OtherSources, weakETag } from './headers.ts';
import { createListener, type requestDeadlines } from './listener.ts';

z.config({ localeError: describeIssue });

interface HttpOptions {
  log: FastifyBaseLogger;
  /** Largest upload in bytes. */
  maxUploadBytes: number;
  /** Most files in one upload. */
  maxUploadFiles: number;
  /** Scheme, host and port of the site behind a proxy. */
  publicOrigin: string | undefined;
  trustProxy: Proxies;
  /** Hosts of the identity provider. Without it, pages load nothing from other hosts. */
  otherSources?: OtherSources | undefined;
  /** Maximum requests per minute from one client network. */
  requestsPerMinute: number;
  /** See `FastifyInstance`. */
  hidesAddresses?: boolean;
  /** Counts requests. By default, this process counts alone. */
  limitStore?: FastifyRateLimitStoreCtor;
  /** Whether so little disk space is left that changes must be refused. */
  isReserveReached?(): Promise<boolean>;
  /** Aborts when the process is told to stop. Responses then close their connection. */
  stopping?: AbortSignal;
  deadlines?: typeof requestDeadlines;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Stops the server. Running requests have `graceMs` to finish. */
    stop(graceMs: number): Promise<void>;
  }
}

/** Creates the server with parsers, headers, limits and the error handler, but without routes. */
export function createFastify(options: HttpOptions): FastifyInstance {
  const listener = createListener(options.log, options.deadlines);
  const app = fastify({
    loggerInstance: options.log,
    serverFactory: listener.serverFactory,
    // The listener responds to requests that cannot be parsed.
    clientErrorHandler: () => undefined,
    trustProxy: toTrustProxy(options.trustProxy),
    genReqId: () => randomUUID(),
    bodyLimit: 128 * 1024,
    // Names of domains in paths are longer than Fastify's default of 100 characters.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    forceCloseConnections: 'idle',
    // Requests on open connections are still served while the server stops.
    return503OnClosing: false,
    frameworkErrors: handleMalformedUrl,
    logController: new LogController({ disableRequestLogging: true }),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('identity', undefined);
  app.decorateRequest('keyHolder', undefined);
  app.decorate('hidesAddresses', options.hidesAddresses ?? false);
  app.decorate('stop', (graceMs: number) => listener.close(app, graceMs));
  logRequests(app);
  registerErrorHandler(app);
  requireDeclaredAccess(app);
  app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(options.otherSources) },
    // The sign-in window of the identity provider must reach the page that opened it.
    ...(options.otherSources && { crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' } }),
    xFrameOptions: { action: 'deny' },
    // Other hosts of the same domain may not support HTTPS.
    strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.register(cookie);
  app.register(multipart, {
    limits: {
      fileSize: options.maxUploadBytes,
      files: options.maxUploadFiles,
      fields: 10,
      fieldSize: 4096,
      parts: options.maxUploadFiles + 11,
    },
  });
  app.register(rateLimit, {
    global: false,
    max: options.requestsPerMinute,
    timeWindow: '1 minute',
    ...(options.limitStore && { store: options.limitStore }),
    keyGenerator: getClientNetwork,
    // Sends RateLimit-* headers, because X-RateLimit-* headers describe the quota of an API key.
    enableDraftSpec: true,
    // A key may use its daily quota in one burst, and many keys may share an address. api-keys/routes.ts limits failed
    // requests.
    allowList: (request) => !isApiRequest(request) || request.routeOptions.config.access === 'key',
  });
  addETags(app);
  sendInParts(app);
  attributeWork(app);
  requireHost(app, options.publicOrigin);
  limitFloods(app);
  refuseCrossSite(app, options.publicOrigin);
  if (options.isReserveReached) refuseOnFullDisk(app, options.isReserveReached);
  dropEmptyQuery(app);
  app.addHook('onSend', async (request, reply) => {
    if (isApiRequest(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', defaultRetrySeconds);
    if (options.stopping?.aborted) reply.header('connection', 'close');
  });
  return app;
}

const defaultRetrySeconds = 10;

/** Adds an ETag to responses that clients can revalidate, and responds with 304 to those that have the same. */
function addETags(app: FastifyInstance): void {
  app.addHook('onSend', ({ routeOptions, headers }, reply, payload, done) => {
    if (!routeOptions.config.hasETag || reply.statusCode !== 200 || typeof payload !== 'string')
      return done(null, payload);
    const etag = weakETag(payload);
    reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'X-API-Key, Authorization' });
    if (!matchesETag(headers['if-none-match'], etag)) return done(null, payload);
    reply.code(304);
    done(null, null);
  });
}

const partBytes = 64 * 1024;

/** Sends a long body in parts. Whether a client reads it would otherwise show only at the end. */
function sendInParts(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length <= partBytes) return payload;
    const bytes = Buffer.from(payload);
    reply.header('content-length', bytes.length);
    return Readable.from(splitBytes(bytes), { objectMode: false });
  });
}

function* splitBytes(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += partBytes) yield bytes.subarray(start, start + partBytes);
}

/** Lets the work of a request, and of the stream that it sends, count for its account or its client network. */
function attributeWork(app: FastifyInstance): void {
  const findOwner = (request: FastifyRequest) => () => {
    const id = request.identity?.id ?? request.keyHolder?.userId;
    return id === undefined ? getClientNetwork(request) : `user:${id}`;
  };
  app.addHook('onRequest', (request, _reply, done) => runForOwner(findOwner(request), done));
  // The events of the body belong to its connection, which several requests use.
  app.addHook('preValidation', (request, _reply, done) => runForOwner(findOwner(request), done));
  app.addHook('onSend', async (request, _reply, payload) => {
    if (!(payload instanceof Readable)) return;
    const read = payload._read;
    // The events after which a stream continues belong to the connection, too.
    payload._read = (size) => runForOwner(findOwner(request), () => read.call(payload, size));
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes that load balancers and monitoring request by any address. */
    anyHost?: true;
  }
}

/**
 * Refuses a request with several Host headers, because a proxy may have used a different one. With PUBLIC_URL, also
 * refuses every host except that one and this machine. This prevents DNS rebinding: another site could point a name of
 * its own to our address, and its pages could then read ours.
 */
function requireHost(app: FastifyInstance, publicOrigin: string | undefined): void {
  const known = publicOrigin && [new URL(publicOrigin).hostname, ...loopbackHosts];
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const hosts = raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1'))
      throw invalid('The request must have exactly one Host header.');
    if (!known || hosts === 0 || routeOptions.config.anyHost || known.includes(toHostname(raw.headers.host))) return;
    throw new HttpError(
      421,
      'invalid',
      `This site is at ${publicOrigin}. A proxy in front of it must pass on the Host header.`,
    );
  });
}

/**
 * Whether the request is for the API, for a route of API keys or for no route. Checks the route instead of the URL,
 * which has many spellings (`/%61pi/`).
 */
function isApiRequest({ routeOptions: { url, config } }: FastifyRequest): boolean {
  return url === undefined || url.startsWith('/api/') || config.access === 'key';
}

/** Limits requests before a scope queries the database for the session. Requests that match no route count too. */
function limitFloods(app: FastifyInstance): void {
  let limit: ReturnType<FastifyInstance['rateLimit']> | undefined;
  app.addHook('onRequest', async (request, reply) => {
    limit ??= app.rateLimit();
    await limit.call(app, request, reply);
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    /** All routes, including the HEAD route of each GET. Tests compare them with the table of rights. */
    allRoutes: readonly RouteOptions[];
  }
}

/** Makes the start fail if a route does not declare its access. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.decorate('allRoutes', routes);
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const undeclared = routes.filter(({ config }) => !config?.access).map(({ method, url }) => `${method} ${url}`);
    if (undeclared.length > 0) throw new Error(`These routes do not declare their access: ${undeclared.join(', ')}.`);
  });
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses cross-site requests with unsafe methods, and cross-site GETs that change something. For a GET over plain
 * HTTP, browsers send neither `Sec-Fetch-Site` nor `Origin`, only `Referer`, which the referrer policy of our pages
 * allows.
 */
function refuseCrossSite(app: FastifyInstance, publicOrigin: string | undefined): void {
  app.addHook('onRequest', async (request) => {
    const { access, changes, crossSite } = request.routeOptions.config;
    // These requests use no cookie, so another site cannot send them without knowing the key or the token.
    if (access === 'key' || crossSite) return;
    if (safeMethods.has(request.method) && !changes) return;
    const site = request.headers['sec-fetch-site'];
    const { origin } = request.headers;
    // 'none' is also sent for a link in an email, which can only be a GET.
    if (site && site !== 'same-origin' && (site !== 'none' || changes)) throw crossSiteError();
    if (origin && !isOwnOrigin(origin, request, publicOrigin)) throw crossSiteError();
    if (site || origin || !request.headers.cookie) return;
    const { referer } = request.headers;
    const isSafe = safeMethods.has(request.method);
    if (!isSafe || !referer || !isOwnOrigin(toOrigin(referer), request, publicOrigin)) throw crossSiteError();
  });
}

/** Refuses changes while the reserve of the disk is reached, except deletions, admin work and declared exceptions. */
function refuseOnFullDisk(app: FastifyInstance, isReserveReached: () => Promise<boolean>): void {
  app.addHook('onRequest', async ({ method, routeOptions: { url, config } }) => {
    const { access, changes = !safeMethods.has(method), worksOnFullDisk = method === 'DELETE' } = config;
    if (url === undefined || !changes || method === 'HEAD' || worksOnFullDisk || access === 'admin') return;
    if (await isReserveReached()) throw diskFullError(reserveReached);
  });
}

const reserveReached =
  'The server is almost out of disk space, so nothing can be added or changed right now. You can still read and delete. Please tell the administrator.';

function isOwnOrigin(origin: string, request: FastifyRequest, publicOrigin: string | undefined): boolean {
  return origin === publicOrigin || (URL.canParse(origin) && new URL(origin).host === request.headers.host);
}

const toOrigin = (url: string) => (URL.canParse(url) ? new URL(url).origin : 'null');

const crossSiteError = () => forbidden('This request came from another site.');

/** Treats an empty query parameter (`?sort=&tld=`) as missing, for every route. */
function dropEmptyQuery(app: FastifyInstance): void {
  app.addHook('preValidation', async (request) => {
    const query = request.query as Record<string, unknown>;
    for (const [name, value] of Object.entries(query)) if (value === '') delete query[name];
  });
}
