import { hash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry, register } from 'prom-client';
import { maxUploadBytes } from '#shared/blacklist/imports.ts';
import { toExtensionLinks } from '#shared/checks/extension-links.ts';
import { maxUploadFiles } from '#shared/reports/backlinks.ts';
import { accountEventRoutes } from './accounts/account-events/routes.ts';
import { countWaitingPasswords, getUser } from './accounts/accounts/accounts.ts';
import { googleCspSources, googleRoutes, toGoogleSettings } from './accounts/accounts/google/routes.ts';
import { createAccountRoutes } from './accounts/accounts/routes.ts';
import { secondFactorRoutes } from './accounts/accounts/second-factor/routes.ts';
import { apiKeyRoutes, registerKeyScopes } from './accounts/api-keys/routes.ts';
import { messageRoutes } from './accounts/messages/routes.ts';
import { newsletterRoutes } from './accounts/newsletter/routes.ts';
import { savedViewRoutes } from './accounts/saved-views/routes.ts';
import { sessionRoutes } from './accounts/sessions/routes.ts';
import { hasSessionCookie } from './accounts/sessions/sessions.ts';
import { setupRoutes } from './accounts/setup/routes.ts';
import { subscriptionRoutes } from './accounts/subscriptions/routes.ts';
import { webhookRoutes } from './accounts/webhooks/routes.ts';
import { appealRoutes } from './blacklist/appeals/routes.ts';
import { cachedBlacklistSize } from './blacklist/domains/domains.ts';
import { domainRoutes } from './blacklist/domains/routes.ts';
import { createFeedMetrics } from './blacklist/feeds/feeds.ts';
import { feedRoutes } from './blacklist/feeds/routes.ts';
import { heldRoutes } from './blacklist/held/routes.ts';
import { importRoutes } from './blacklist/imports/routes.ts';
import { sourceRoutes } from './blacklist/sources/routes.ts';
import { submissionRoutes } from './blacklist/submissions/routes.ts';
import { updateRoutes } from './blacklist/updates/routes.ts';
import { createUpdatesPage } from './blacklist/updates/updates.ts';
import { apiDocsRoutes } from './checks/api-docs/routes.ts';
import { checkRoutes } from './checks/checks/routes.ts';
import { checkListPage, domainListRoutes } from './checks/domain-lists/routes.ts';
import { createDomainPages } from './checks/domain-pages/domain-pages.ts';
import { domainPageRoutes } from './checks/domain-pages/routes.ts';
import { mcpScope, registerMcp } from './checks/mcp/routes.ts';
import { publishedListRoutes } from './checks/published-list/routes.ts';
import { rangeRoutes } from './checks/range/routes.ts';
import type { Context } from './context.ts';
import { endLastingAccess } from './operations/account-data/access.ts';
import { accountDataRoutes } from './operations/account-data/account-data.ts';
import { createOperationMetrics } from './operations/admin/admin.ts';
import { adminRoutes } from './operations/admin/routes.ts';
import { recordAuditEvent } from './platform/audit/audit.ts';
import { auditRoutes } from './platform/audit/routes.ts';
import { createBackupMetrics } from './platform/backup/backup.ts';
import { checkDatabase } from './platform/db/database.ts';
import { measureRequests } from './platform/http/access-log.ts';
import { isLocalRequest, readBearer } from './platform/http/address.ts';
import { unauthorized, unavailable } from './platform/http/errors.ts';
import { createFastify } from './platform/http/fastify.ts';
import { servePages } from './platform/http/pages.ts';
import { openScope, type RecordAuditEvent, type Scope } from './platform/http/scope.ts';
import { createSharedLimits } from './platform/http/shared-limits.ts';
import { storageRoutes } from './platform/storage/routes.ts';
import { alertFeedRoutes } from './reports/alert-feed/routes.ts';
import { alertRoutes } from './reports/alerts/routes.ts';
import { backlinkRoutes } from './reports/backlinks/routes.ts';
import { decisionRoutes } from './reports/decisions/routes.ts';
import { digestRoutes } from './reports/digests/routes.ts';
import { disavowFileRoutes } from './reports/disavow-files/routes.ts';
import { profileRoutes } from './reports/profiles/routes.ts';
import { reportRoutes } from './reports/reports/routes.ts';
import { createSharedReportPage, shareRoutes } from './reports/reports/share-routes.ts';
import { watchRoutes } from './reports/watch/routes.ts';

/** The folder of the built web app. */
export const webFolder = join(import.meta.dirname, '../dist');

const accountRoutes = createAccountRoutes(endLastingAccess);

/** Every topic with routes. */
const topics: Topic[] = [
  accountRoutes,
  secondFactorRoutes,
  setupRoutes,
  sessionRoutes,
  savedViewRoutes,
  apiKeyRoutes,
  profileRoutes,
  storageRoutes,
  backlinkRoutes,
  reportRoutes,
  shareRoutes,
  decisionRoutes,
  disavowFileRoutes,
  watchRoutes,
  alertRoutes,
  importRoutes,
  feedRoutes,
  updateRoutes,
  publishedListRoutes,
  rangeRoutes,
  domainRoutes,
  heldRoutes,
  checkRoutes,
  domainListRoutes,
  domainPageRoutes,
  appealRoutes,
  apiDocsRoutes,
  submissionRoutes,
  sourceRoutes,
  messageRoutes,
  digestRoutes,
  alertFeedRoutes,
  googleRoutes,
  newsletterRoutes,
  adminRoutes,
  auditRoutes,
  accountDataRoutes,
  accountEventRoutes,
  subscriptionRoutes,
  webhookRoutes,
];

/** Topics that mostly read the blacklist. They use the pool for that, so that a locked table blocks no other topic. */
const readingTopics = new Set<Topic>([
  checkRoutes,
  domainListRoutes,
  domainPageRoutes,
  publishedListRoutes,
  rangeRoutes,
  updateRoutes,
]);

/** Topics that people need to sign in and stay signed in, with their own pool. */
const signInTopics = new Set<Topic>([accountRoutes, secondFactorRoutes, googleRoutes, sessionRoutes, setupRoutes]);

interface Topic {
  public?(scope: Scope<'public'>, context: Context): void;
  user?(scope: Scope<'user'>, context: Context): void;
  admin?(scope: Scope<'admin'>, context: Context): void;
  key?(scope: Scope<'key'>, context: Context): void;
}

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
    maxUploadBytes,
    maxUploadFiles,
    publicOrigin: config.publicOrigin,
    trustProxy: config.trustProxy,
    otherSources: config.firebase && googleCspSources(config.firebase),
    requestsPerMinute,
    // An embedded database has only one process.
    limitStore: createSharedLimits(context, { isShared: config.databaseUrl !== undefined }),
    isReserveReached: () => context.files.isReserveReached(),
    stopping,
  });
  const listContext = { ...context, db: context.listDb };
  const signInContext = { ...context, db: context.signInDb };
  const contextOf = (topic: Topic) => {
    if (signInTopics.has(topic)) return signInContext;
    return readingTopics.has(topic) ? listContext : context;
  };
  const { requireAdminSecondFactor } = config;
  app.after(() => {
    openScope(app, 'public', { identify, requireAdminSecondFactor }, (scope) => {
      for (const topic of topics) topic.public?.(scope, contextOf(topic));
    });
    const record: RecordAuditEvent = (db, event) => recordAuditEvent(db, event, context.now());
    openScope(app, 'user', { identify, record, requireAdminSecondFactor }, (scope) => {
      for (const topic of topics) topic.user?.(scope, contextOf(topic));
    });
    openScope(app, 'admin', { identify, record, requireAdminSecondFactor }, (scope) => {
      for (const topic of topics) topic.admin?.(scope, contextOf(topic));
    });
    registerKeyScopes(app, context, [
      {
        prefix: '/api/v1/',
        allowedHeaders: ['If-None-Match'],
        register(scope) {
          for (const topic of topics) topic.key?.(scope, contextOf(topic));
        },
      },
      { ...mcpScope, register: (scope) => registerMcp(scope, context) },
    ]);
  });
  registerHealthRoutes(app, context, stopping);
  servePages(app, {
    folder: webFolder,
    publicOrigin: config.publicOrigin,
    host: config.host,
    debug: config.debug,
    blacklist: cachedBlacklistSize({ ...context, db: context.readDb }),
    extensionLinks: toExtensionLinks(config.extensionStores),
    dynamicPages: [
      checkListPage,
      ...createDomainPages(listContext, webFolder),
      createUpdatesPage(listContext, webFolder),
      createSharedReportPage(context),
    ],
    async findUser(request) {
      try {
        const identity = hasSessionCookie(request) ? await identify(request) : undefined;
        return identity && (await getUser(signInContext, identity.id));
      } catch (error) {
        // The app requests the user again and shows what is wrong.
        request.log.warn({ err: error }, 'a page was served without its user');
        return undefined;
      }
    },
    pageState: (request) => ({
      signedOut: !hasSessionCookie(request),
      bookACallUrl: config.bookACallUrl ?? null,
      operator: config.operator ? { name: config.operator.name, url: config.operator.url ?? null } : null,
      sendsMail: config.mail !== undefined,
      takesPayments: config.stripe !== undefined,
      debug: config.debug,
      google: config.firebase ? toGoogleSettings(config.firebase) : null,
    }),
  });
  return app;
}

/** Throws 401 unless the request has METRICS_TOKEN or comes from this machine. */
function requireMetricsAccess(request: FastifyRequest, token: string | undefined): void {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  const given = readBearer(request);
  if (token && given && timingSafeEqual(digest(given), digest(token))) return;
  if (!isLocalRequest(request))
    throw unauthorized('Send METRICS_TOKEN as a bearer token. Without it, only this machine can read the metrics.');
}

/**
 * `/healthz`: the process responds, and the embedded database has not been down for long. `/readyz`: the database responds
 * too, accepts changes, and the process is not stopping. `/metrics`: metrics of the process, its requests, the queues, the
 * feeds and the backups for Prometheus.
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
      passwords: countWaitingPasswords,
    },
  });
  const metrics = Registry.merge([
    register,
    requestMetrics,
    createFeedMetrics(context),
    createOperationMetrics(context),
    createBackupMetrics(context),
  ]);
  app.get('/metrics', open, async (request, reply) => {
    requireMetricsAccess(request, context.config.metricsToken);
    return await reply.type(metrics.contentType).send(await metrics.metrics());
  });
}
