import { hash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry, register } from 'prom-client';
import { toExtensionLinks } from '#shared/checks/extension-links.ts';
import { maxUploadFiles } from '#shared/reports/backlinks.ts';
import { googleCspSources, toGoogleSettings } from './accounts/accounts/google/routes.ts';
import { passwordQueue } from './accounts/accounts/passwords.ts';
import { registerKeyScopes } from './accounts/api-keys/key-scopes.ts';
import { hasSessionCookie } from './accounts/sessions/sessions.ts';
import type { Context } from './context.ts';
import { getNextReset, refuseChangesInDemo } from './operations/demo/allowed-changes.ts';
import { servePages } from './pages.ts';
import { recordAuditEvent } from './platform/audit/audit.ts';
import { checkDatabase } from './platform/db/database.ts';
import { measureRequests } from './platform/http/access-log.ts';
import { isLocalRequest, readBearer } from './platform/http/address.ts';
import { unauthorized, unavailable } from './platform/http/errors.ts';
import { createFastify } from './platform/http/fastify.ts';
import { openScope, type RecordAuditEvent } from './platform/http/scope.ts';
import { createSharedLimits } from './platform/http/shared-limits.ts';
import type { Topic } from './topic.ts';
import { topics } from './topics.ts';

/** The folder of the built web app. */
export const webFolder = join(import.meta.dirname, '../dist');

/** How many requests one address may send per minute. */
export const requestsPerMinute = 1200;

/**
 * Builds the web server with all routes. Call `listen` or `inject` on the result.
 * @param stopping aborts when the process is told to stop
 */
export function buildApp(context: Context, stopping = new AbortController().signal): FastifyInstance {
  const { config, log, identify } = context;
  const app = createFastify({
    log,
    maxUploadBytes: config.maxUploadBytes,
    maxUploadFiles,
    publicOrigin: config.publicOrigin,
    trustProxy: config.trustProxy,
    otherSources: config.firebase && googleCspSources(config.firebase),
    requestsPerMinute,
    hidesAddresses: config.demo,
    // An embedded database has only one process.
    limitStore: createSharedLimits(context, { isShared: config.databaseUrl !== undefined }),
    isReserveReached: () => context.files.isReserveReached(),
    stopping,
  });
  if (config.demo) refuseChangesInDemo(app);
  const listContext = { ...context, db: context.listDb };
  const signInContext = { ...context, db: context.signInDb };
  const contexts = { general: context, list: listContext, signIn: signInContext };
  const contextOf = ({ pool = 'general' }: Topic) => contexts[pool];
  const routeSets = topics.flatMap((topic) =>
    (topic.routes ?? []).map((routes) => [routes, contextOf(topic)] as const),
  );
  const { requireAdminSecondFactor } = config;
  app.after(() => {
    openScope(app, 'public', { identify, requireAdminSecondFactor }, (scope) => {
      for (const [routes, pooled] of routeSets) routes.public?.(scope, pooled, topics);
    });
    const record: RecordAuditEvent = (db, event) => recordAuditEvent(db, event, context.now());
    openScope(app, 'user', { identify, record, requireAdminSecondFactor }, (scope) => {
      for (const [routes, pooled] of routeSets) routes.user?.(scope, pooled, topics);
    });
    openScope(app, 'admin', { identify, record, requireAdminSecondFactor }, (scope) => {
      for (const [routes, pooled] of routeSets) routes.admin?.(scope, pooled, topics);
    });
    registerKeyScopes(app, context, [
      {
        prefix: '/api/v1/',
        allowedHeaders: ['If-None-Match', 'Idempotency-Key', 'Upload-Id', 'Upload-Offset'],
        register(scope) {
          for (const [routes, pooled] of routeSets) routes.key?.(scope, pooled, topics);
        },
      },
      ...topics.flatMap(({ keyScope }) => keyScope?.(context) ?? []),
    ]);
  });
  registerHealthRoutes(app, context, stopping);
  servePages(app, {
    folder: webFolder,
    publicOrigin: config.publicOrigin,
    host: config.host,
    debug: config.debug,
    demoResetsAt: config.demo ? getNextReset : undefined,
    securityContact: config.securityContact,
    now: context.now,
    extensionLinks: toExtensionLinks(config.extensionStores),
    rules: topics.flatMap((topic) => topic.pages?.(contextOf(topic)) ?? []),
    hasSession: hasSessionCookie,
    pageState: {
      bookACallUrl: config.bookACallUrl ?? null,
      operator: config.operator ? { name: config.operator.name, url: config.operator.url ?? null } : null,
      sendsMail: config.mail !== undefined,
      takesPayments: config.stripe !== undefined,
      debug: config.debug,
      indexesDomains: config.indexDomainPages,
      localSignIn: config.localSignIn,
      signInProviders: config.oidc.map(({ id, name }) => ({ id, name })),
      google: config.firebase ? toGoogleSettings(config.firebase) : null,
    },
  });
  return app;
}

/** @throws 401 unless the request has METRICS_TOKEN or comes from this machine */
function requireMetricsAccess(request: FastifyRequest, token: string | undefined): void {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const given = readBearer(request);
  if (token && given && timingSafeEqual(digest(given), digest(token))) return;
  if (!isLocalRequest(request))
    throw unauthorized('Send METRICS_TOKEN as a bearer token. Without it, only this machine can read the metrics.');
}

/**
 * `/healthz`: the process responds, and the embedded database has not been down for long. `/readyz`: the database
 * responds too, accepts changes, and the process is not stopping. `/metrics`: metrics of the process, its requests, the
 * queues, the feeds and the backups for Prometheus.
 */
function registerHealthRoutes(app: FastifyInstance, context: Context, stopping: AbortSignal): void {
  const open = { config: { access: 'public' as const, quiet: true as const, anyHost: true as const } };
  app.get('/healthz', open, async () => {
    const failure = context.databaseFailure();
    if (failure) throw unavailable(failure);
    return { status: 'ok' };
  });
  app.get('/readyz', open, async (_request, reply) => {
    if (stopping.aborted) return reply.code(503).send({ status: 'stopping' });
    const database = await checkDatabase(context.healthPool);
    return database === 'ok' ? { status: 'ready' } : reply.code(503).send({ status: 'unavailable', database });
  });
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  const requestMetrics = new Registry();
  measureRequests(app, requestMetrics, {
    pools: context.pools,
    queues: {
      reads: context.reads.countWaiting,
      files: context.processes.countWaiting,
      passwords: passwordQueue.countWaiting,
    },
  });
  const metrics = Registry.merge([
    register,
    requestMetrics,
    ...topics.flatMap(({ metrics }) => metrics?.(context) ?? []),
  ]);
  app.get('/metrics', open, async (request, reply) => {
    requireMetricsAccess(request, context.config.metricsToken);
    return await reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
