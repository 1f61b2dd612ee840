import type { FastifyInstance } from 'fastify';
import { refusedInDemo } from '../../platform/http/errors.ts';

/**
 * What visitors of a demonstration for the public may change. Everything else is refused: what signs in otherwise, asks
 * for personal data, changes accounts, sends something to others, or takes the demonstration away from other visitors.
 */
export const allowedChanges: ReadonlySet<string> = new Set([
  'POST /api/auth/demo',
  'POST /api/auth/logout',
  'POST /api/profiles',
  'PUT /api/profiles/:id',
  'DELETE /api/profiles/:id',
  'POST /api/profiles/:id/restore',
  'PUT /api/profiles/:id/watch',
  'PUT /api/profiles/:id/decisions',
  'PUT /api/profiles/:id/disavow-answers',
  'POST /api/profiles/:id/disavow-files',
  'DELETE /api/profiles/:id/disavow-files/:fileId',
  'POST /api/alerts/read',
  'POST /api/backlinks/analyze',
  'POST /api/backlinks/analyses/:id/answer',
  'DELETE /api/backlinks/analyses/:id',
  'DELETE /api/uploads/:id',
  'DELETE /api/reports/:id',
  'POST /api/reports/:id/restore',
  'POST /api/domain-lists',
  'DELETE /api/domain-lists/:id',
  'POST /api/views',
  'PUT /api/views/:id',
  'DELETE /api/views/:id',
  'POST /api/api-keys',
  'PATCH /api/api-keys/:id',
  'POST /api/api-keys/:id/rotate',
  'DELETE /api/api-keys/:id',
  'POST /api/site-submissions',
  'PUT /api/site-submissions/:id',
  'POST /api/domains/:id/reports',
  'POST /api/domains',
  'PUT /api/domains/:id',
  'DELETE /api/domains/:id',
  'POST /api/domains/upload',
  'POST /api/domains/upload/check',
  'DELETE /api/domains/import-status/:jobId',
  'PATCH /api/admin/sources/:id',
  'POST /api/admin/families',
  'DELETE /api/admin/families/:id',
  'POST /api/admin/held/:id',
  'POST /api/admin/held/decisions',
  'POST /api/admin/allow-rules',
  'DELETE /api/admin/allow-rules/:id',
  'POST /api/admin/shared-hosts',
  'POST /api/admin/shared-hosts/dismissals',
  'DELETE /api/admin/shared-hosts/:id',
  'POST /api/admin/appeals/:id',
  'PATCH /api/admin/messages/:id/read',
  'PATCH /api/admin/messages/:id/replied',
  'POST /api/v1/websites',
  'PATCH /api/v1/websites/:id',
  'DELETE /api/v1/websites/:id',
  'POST /api/v1/websites/:id/analyses',
  'POST /api/v1/analyses/:id/answer',
  'PUT /api/v1/websites/:id/decisions',
  'POST /api/v1/submissions',
]);

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Makes the app refuse every request that may change something, except `allowedChanges`. */
export function refuseChangesInDemo(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, routeOptions: { url, config } }) => {
    const { changes = !safeMethods.has(method) } = config;
    if (changes && url !== undefined && !allowedChanges.has(`${method} ${url}`)) throw refusedInDemo();
  });
}

const hourMs = 3_600_000;

/** Returns the next full hour. */
export const getNextReset = (now: Date): Date => new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs);
