import { getRange, getRangeInfo } from '#shared/checks/range.ts';
import type { Context } from '../../context.ts';
import { matchesETag, weakETag } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { readRange, readRangeInfo } from './range.ts';

/** Browser extensions and other websites call these routes without a key or a cookie. */
const openHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' } as const;

/** Proxies must not compress a range, because its compressed size would depend on what it contains. */
const rangeCaching = 'public, max-age=3600, no-transform';

export const rangeRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    scope.app.register(async (app) => {
      // Also for errors, which the extension could not read otherwise.
      app.addHook('onSend', async (_request, reply) => {
        reply.headers(openHeaders);
      });
      registerRoutes({ ...scope, app }, context);
    });
  },
};

function registerRoutes(scope: Scope<'public'>, context: Context): void {
  route(scope, getRangeInfo, async ({ request, reply }) => {
    const info = await readRangeInfo(context.readDb);
    const etag = weakETag(JSON.stringify(info));
    reply.headers({ 'cache-control': 'public, max-age=60', etag });
    return matchesETag(request.headers['if-none-match'], etag) ? reply.code(304).send() : info;
  });

  route(scope, getRange, async ({ params, request, reply }) => {
    const range = await readRange(context, params.prefix);
    const etag = weakETag(range);
    reply.headers({ 'cache-control': rangeCaching, etag });
    if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').serializer(String).send(range);
  });
}
