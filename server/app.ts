import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Registry, register } from 'prom-client';
import { maxUploadFiles } from '#shared/backlinks.ts';
import { maxUploadBytes } from '#shared/imports.ts';
import { accountDataRoutes } from './account-data/account-data.ts';
import { googleCspSources, googleRoutes, toGoogleSettings } from './accounts/google/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { secondFactorRoutes } from './accounts/second-factor/routes.ts';
import { createOperationMetrics } from './admin/admin.ts';
import { adminRoutes } from './admin/routes.ts';
import { alertFeedRoutes } from './alert-feed/routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { apiDocsRoutes } from './api-docs/routes.ts';
import { apiKeyRoutes, registerKeyScope } from './api-keys/routes.ts';
import { appealRoutes } from './appeals/routes.ts';
import { recordAuditEvent } from './audit/audit.ts';
import { auditRoutes } from './audit/routes.ts';
import { backlinkRoutes } from './backlinks/routes.ts';
import { createBackupMetrics } from './backup/backup.ts';
import { checkRoutes } from './checks/routes.ts';
import type { Context } from './context.ts';
import { ping } from './db/database.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { digestRoutes } from './digests/routes.ts';
import { disavowFileRoutes } from './disavow-files/routes.ts';
import { checkListPage, domainListRoutes } from './domain-lists/routes.ts';
import { createDomainPages } from './domain-pages/domain-pages.ts';
import { domainPageRoutes } from './domain-pages/routes.ts';
import { cachedBlacklistSize } from './domains/domains.ts';
import { domainRoutes } from './domains/routes.ts';
import { createFeedMetrics } from './feeds/feeds.ts';
import { feedRoutes } from './feeds/routes.ts';
import { heldRoutes } from './held/routes.ts';
import { HttpError } from './http/errors.ts';
import { createFastify } from './http/fastify.ts';
import { servePages } from './http/pages.ts';
import { openScope, type RecordAuditEvent, type Scope } from './http/scope.ts';
import { importRoutes } from './imports/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import { newsletterRoutes } from './newsletter/routes.ts';
import { profileRoutes } from './profiles/routes.ts';
import { publishedListRoutes } from './published-list/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { createSharedReportPage, shareRoutes } from './reports/share-routes.ts';
import { savedViewRoutes } from './saved-views/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { hasSessionCookie } from './sessions/sessions.ts';
import { setupRoutes } from './setup/routes.ts';
import { sourceRoutes } from './sources/routes.ts';
import { submissionRoutes } from './submissions/routes.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';
import { updateRoutes } from './updates/routes.ts';
import { createUpdatesPage } from './updates/updates.ts';
import { watchRoutes } from './watch/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The folder of the built web app. */
export const webFolder = join(import.meta.dirname, '../dist');

/** Every topic with routes. */
const topics: Topic[] = [
  accountRoutes,
  secondFactorRoutes,
  setupRoutes,
  sessionRoutes,
  savedViewRoutes,
  apiKeyRoutes,
  profileRoutes,
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
  subscriptionRoutes,
  webhookRoutes,
];

interface Topic {
  public?(scope: Scope<'public'>, context: Context): void;
  user?(scope: Scope<'user'>, context: Context): void;
  admin?(scope: Scope<'admin'>, context: Context): void;
  key?(scope: Scope<'key'>, context: Context): void;
}

/** Builds the web server with all routes. Call `listen` or `inject` on the result. */
export function buildApp(context: Context): FastifyInstance {
  const { config, log, identify } = context;
  const app = createFastify({
    log,
    maxUploadBytes,
    maxUploadFiles,
    publicOrigin: config.publicOrigin,
    trustProxy: config.trustProxy,
    otherSources: config.firebase && googleCspSources(config.firebase),
    requestsPerMinute: 1200,
  });
  app.after(() => {
    openScope(app, 'public', { identify }, (scope) => {
      for (const topic of topics) topic.public?.(scope, context);
    });
    const record: RecordAuditEvent = (db, event) => recordAuditEvent(db, event, context.now());
    openScope(app, 'user', { identify, record }, (scope) => {
      for (const topic of topics) topic.user?.(scope, context);
    });
    openScope(app, 'admin', { identify, record }, (scope) => {
      for (const topic of topics) topic.admin?.(scope, context);
    });
    registerKeyScope(app, '/api/v1/', context, (scope) => {
      for (const topic of topics) topic.key?.(scope, context);
    });
  });
  registerHealthRoutes(app, context);
  servePages(app, {
    folder: webFolder,
    publicOrigin: config.publicOrigin,
    debug: config.debug,
    blacklist: cachedBlacklistSize(context),
    dynamicPages: [
      checkListPage,
      ...createDomainPages(context, webFolder),
      createUpdatesPage(context, webFolder),
      createSharedReportPage(context),
    ],
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

/**
 * `/healthz`: the process responds, and the embedded database has not been down for long. `/readyz`: the database responds
 * too. `/metrics`: metrics of the process, the queues, the feeds and the backups for Prometheus.
 */
function registerHealthRoutes(
  app: FastifyInstance,
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseFailure'>,
): void {
  const open = { config: { access: 'public' as const }, logLevel: 'warn' as const };
  app.get('/healthz', open, async () => {
    const failure = context.databaseFailure();
    if (failure) throw new HttpError(503, 'unavailable', failure);
    return { status: 'ok' };
  });
  app.get('/readyz', open, async () => {
    await ping(context.db);
    return { status: 'ready' };
  });
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  const metrics = Registry.merge([
    register,
    createFeedMetrics(context),
    createOperationMetrics(context),
    createBackupMetrics(context),
  ]);
  app.get('/metrics', open, async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}
