import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { uploadLimit } from '#shared/imports.ts';
import { accountRoutes } from './accounts/routes.ts';
import { backlinkRoutes } from './backlinks/routes.ts';
import type { Context } from './context.ts';
import { domainRoutes } from './domains/routes.ts';
import { healthRoutes } from './health.ts';
import { createFastify } from './http/fastify.ts';
import { servePages } from './http/pages.ts';
import { openScope, type Scope } from './http/scope.ts';
import { importRoutes } from './imports/routes.ts';
import { profileRoutes } from './profiles/routes.ts';
import { reportRoutes } from './reports/routes.ts';

/** Where the built web app stands. */
export const webFolder = join(import.meta.dirname, '../dist');

/** Every topic that answers calls. */
const topics: Topic[] = [accountRoutes, profileRoutes, backlinkRoutes, reportRoutes, importRoutes, domainRoutes];

interface Topic {
  public?(scope: Scope<'public'>, context: Context): void;
  user?(scope: Scope<'user'>, context: Context): void;
  admin?(scope: Scope<'admin'>, context: Context): void;
}

/** The whole web server, ready for `listen` or `inject`. */
export function buildApp(context: Context): FastifyInstance {
  const { config, log, identify } = context;
  const app = createFastify({
    log,
    uploadLimit,
    publicOrigin: config.publicOrigin,
    trustProxy: config.trustProxy,
    requestsPerMinute: 1200,
  });
  app.after(() => {
    openScope(app, 'public', identify, (scope) => {
      for (const topic of topics) topic.public?.(scope, context);
    });
    openScope(app, 'user', identify, (scope) => {
      for (const topic of topics) topic.user?.(scope, context);
    });
    openScope(app, 'admin', identify, (scope) => {
      for (const topic of topics) topic.admin?.(scope, context);
    });
  });
  healthRoutes(app, context.db);
  servePages(app, webFolder);
  return app;
}
