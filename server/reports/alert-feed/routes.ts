import compress from '@fastify/compress';
import { getAlertFeed, readAlertFeed, replaceAlertFeed, toAlertFeedPath } from '#shared/reports/alert-feed.ts';
import { recordAccountEvent } from '../../accounts/account-events/account-events.ts';
import type { Context } from '../../context.ts';
import { getClientNetwork, getRequestOrigin } from '../../platform/http/address.ts';
import { sendAtom } from '../../platform/http/atom.ts';
import { matchesETag, weakETag } from '../../platform/http/headers.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { getFeedOwner, getFeedPath, listFeedRuns, readFeed, replaceFeedPath } from './alert-feed.ts';

/** The URL is the secret: it must not reach other sites, search engines or shared caches. */
const secretUrlHeaders = {
  'cache-control': 'private, no-cache',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const;

export const alertFeedRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { config } = context;

    route(scope, getAlertFeed, async ({ user, request }) => {
      // Anyone with the address can read the alerts long after this session.
      if (!user.isProven) return { url: null, isHidden: true as const };
      return { url: getRequestOrigin(request, config.publicOrigin) + (await getFeedPath(context, user.id)) };
    });

    route(scope, replaceAlertFeed, ({ user, request }) =>
      context.db.transaction().execute(async (trx) => {
        const path = await replaceFeedPath({ ...context, db: trx }, user.id);
        await recordAccountEvent(trx, request, { userId: user.id, kind: 'alert-feed-replaced', now: context.now() });
        return { url: getRequestOrigin(request, config.publicOrigin) + path };
      }),
    );
  },

  public(scope: Scope<'public'>, context: Context): void {
    const { config } = context;
    scope.app.register(async (app) => {
      await app.register(compress, { global: false, encodings: ['br', 'gzip'] });
      route({ ...scope, app }, readAlertFeed, async ({ params: { token }, request, reply }) => {
        reply.headers(secretUrlHeaders);
        const userId = await getFeedOwner(context, token, getClientNetwork(request));
        const { name = 'Linksieve', url } = config.operator ?? {};
        const options = {
          origin: getRequestOrigin(request, config.publicOrigin),
          path: toAlertFeedPath(token),
          author: { name, url },
        };
        const runs = await listFeedRuns(context.db, userId);
        const tag = weakETag(JSON.stringify([options, runs]));
        if (matchesETag(request.headers['if-none-match'], tag)) return reply.code(304).header('etag', tag).send();
        return sendAtom(request, reply, await readFeed(context, userId, runs, options), tag);
      });
    });
  },
};
