import type { FastifyInstance } from 'fastify';
import { uploadLimit } from '#shared/imports.ts';
import { accountRoutes } from './accounts/routes.ts';
import type { Context } from './context.ts';
import { send } from './http/answer-errors.ts';
import { createFastify } from './http/fastify.ts';
import { openScope, type Scope } from './http/scope.ts';

/** Every topic that answers calls. */
const topics: Topic[] = [accountRoutes];

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
  app.setNotFoundHandler((request, reply) => send(request, reply, 404, 'not_found', 'There is nothing at this address.'));
  return app;
}
