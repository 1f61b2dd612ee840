import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';
import { type Db, ping } from './db/database.ts';

/** `/healthz`: the process answers. `/readyz`: the database does too. `/metrics`: figures of the process for Prometheus. */
export function healthRoutes(app: FastifyInstance, db: Db): void {
  const open = { config: { access: 'public' as const }, logLevel: 'warn' as const };
  app.get('/healthz', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    await ping(db);
    return { status: 'ready' };
  });
  if (!register.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics();
  app.get('/metrics', open, async (_request, reply) => reply.type(register.contentType).send(await register.metrics()));
}
