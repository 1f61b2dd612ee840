import compress from '@fastify/compress';
import * as contract from '#shared/blacklist/updates.ts';
import type { Context } from '../../context.ts';
import { getRequestOrigin } from '../../platform/http/address.ts';
import { sendAtom } from '../../platform/http/atom.ts';
import { unavailable } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { toAtomFeed } from './atom.ts';
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
        const feed = toAtomFeed(months, {
          origin: getRequestOrigin(request, config.publicOrigin),
          author: { name, url },
        });
        return sendAtom(request, reply.header('cache-control', 'no-cache'), feed);
      });
    });
  },
};

/** @throws 503 */
function requireKnown(updates: Updates | null): Updates {
  if (updates) return updates;
  throw unavailable('The updates are not available right now. Please try again in a minute.', 60);
}
