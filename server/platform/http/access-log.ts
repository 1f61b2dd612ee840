import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MeasuredPool } from '../db/database.ts';
import { getClientNetwork } from './address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for routes whose requests are logged at `debug`: health checks and the files of the web app. */
    quiet?: true;
  }
}

/** Writes a line for each finished request, without its query: the pattern of the route instead of the path. */
export function logRequests(app: FastifyInstance): void {
  const startBytes = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', async (request) => {
    startBytes.set(request, request.raw.socket.bytesWritten);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { identity, keyHolder, routeOptions } = request;
    const line = {
      method: request.method,
      route: describeRoute(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      bytes: countBytes(request, startBytes.get(request)),
      user: identity?.id ?? keyHolder?.userId,
      network: getClientNetwork(request),
    };
    if (!reply.raw.writableFinished) request.log.debug(line, 'the client disconnected before the end of the response');
    else request.log[routeOptions.config.quiet ? 'debug' : 'info'](line, 'request');
  });
}

/** The bytes of the response with its headers. The socket of an injected request in a test counts none. */
function countBytes({ raw: { socket } }: FastifyRequest, start: number | undefined): number {
  return (socket.bytesWritten ?? 0) - (start ?? 0);
}

/** The pattern of the route, such as `/api/reports/:id`, because paths can contain secrets and names of domains. */
function describeRoute({ routeOptions: { url, config } }: FastifyRequest): string {
  if (url === undefined) return 'none';
  return config.quiet && url.startsWith('/assets/') ? '/assets/*' : url;
}

/** Measures requests, pools, and the number of waiting requests of each queue, for Prometheus. */
export function measureRequests(
  app: FastifyInstance,
  registry: Registry,
  { pools, queues }: { pools: Record<string, MeasuredPool>; queues: Record<string, () => number> },
): void {
  const registers = [registry];
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.3, 1, 3, 10],
    registers,
  });
  const disconnects = new Counter({
    name: 'http_client_disconnects_total',
    help: 'Requests whose client disconnected before the end of the response.',
    registers,
  });
  app.addHook('onResponse', async (request, reply: FastifyReply) => {
    if (!reply.raw.writableFinished) disconnects.inc();
    const labels = { method: request.method, route: describeRoute(request), status: toClass(reply.statusCode) };
    durations.observe(labels, reply.elapsedTime / 1000);
  });
  new Gauge({
    name: 'db_pool_connections',
    help: 'Database connections by pool and state. Waiting are requests without a connection.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'total' }, totalCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  new Gauge({
    name: 'requests_waiting',
    help: 'Requests that wait for their turn, by queue.',
    labelNames: ['queue'],
    registers,
    collect() {
      for (const [queue, countWaiting] of Object.entries(queues)) this.set({ queue }, countWaiting());
    },
  });
}

const toClass = (status: number) => `${Math.floor(status / 100)}xx`;
