import type { FastifyInstance } from 'fastify';
import { apiKeyLimits } from '#shared/api-keys.ts';
import type { Context } from '../context.ts';
import type { Quota } from './quota.ts';
import { nextDay } from './quota-day.ts';

/** Every answer to a known key says how its day stands: the limit, what is left, and the Unix second in which it begins anew. */
export function sendRateHeaders(app: FastifyInstance, { now }: Pick<Context, 'now'>, quota: Quota): void {
  app.addHook('onSend', async ({ keyHolder }, reply) => {
    if (!keyHolder) return;
    reply.headers({
      'x-ratelimit-limit': String(apiKeyLimits.requestsADay),
      'x-ratelimit-remaining': String(quota.left(keyHolder)),
      'x-ratelimit-reset': String(nextDay(now()).getTime() / 1000),
    });
  });
}
