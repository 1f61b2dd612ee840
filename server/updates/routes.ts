import compress from '@fastify/compress';
import * as contract from '#shared/updates.ts';
import type { Context } from '../context.ts';
import { getRequestOrigin } from '../http/address.ts';
import { unavailable } from '../http/errors.ts';
import { matchesETag, weakETag } from '../http/headers.ts';
import { route, type Scope } from '../http/scope.ts';
import { getFeedDate, renderAtom } from './atom.ts';
import { cachedUpdates, listPublishedUrls, type Updates } from './updates.ts';

export const updateRoutes = {
  public(scope: Scope<'public'>, context: Context): void {
    const { config } = context;
    const readUpdates = cachedUpdates(context);

    route(scope, contract.getUpdates, async ({ request }) => {
      const updates = requireKnown(await readUpdates());
      return { ...updates, published: listPublishedUrls(config, getRequestOrigin(request, config.publicOrigin)) };
    });

    scope.app.register(async (app) => {
      await app.register(compress, { global: false, encodings: ['br', 'gzip'] });
      route({ ...scope, app }, contract.getUpdatesFeed, async ({ request, reply }) => {
        const { months } = requireKnown(await readUpdates());
        const { name = 'Linksieve', url } = config.operator ?? {};
        const document = renderAtom(months, {
          origin: getRequestOrigin(request, config.publicOrigin),
          author: { name, url },
        });
        const tag = weakETag(document);
        const changedAt = getFeedDate(months);
        reply.headers({ 'cache-control': 'no-cache', etag: tag, 'last-modified': changedAt.toUTCString() });
        const { 'if-none-match': known, 'if-modified-since': since } = request.headers;
        const isKnown = known === undefined ? isUnmodifiedSince(changedAt, since) : matchesETag(known, tag);
        if (isKnown) return reply.code(304).send();
        reply.code(200).type('application/atom+xml; charset=utf-8').compress(document);
        return reply;
      });
    });
  },
};

/** Throws 503. */
function requireKnown(updates: Updates | null): Updates {
  if (updates) return updates;
  throw unavailable('The updates are not available right now. Please try again in a minute.', 60);
}

/** The header has a precision of a second. */
const isUnmodifiedSince = (changedAt: Date, since: string | undefined) =>
  since !== undefined && Math.floor(changedAt.getTime() / 1000) * 1000 <= Date.parse(since);
