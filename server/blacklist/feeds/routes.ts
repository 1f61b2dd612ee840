import * as contract from '#shared/blacklist/feeds.ts';
import { toPagination } from '#shared/platform/page.ts';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import {
  acceptRun,
  createFeed,
  deleteFeed,
  listCatalogue,
  listFeedRuns,
  listFeeds,
  startRefresh,
  updateFeed,
} from './feeds.ts';
import { listChanges } from './store-runs.ts';

export const feedRoutes = {
  admin(scope: Scope<'admin'>, context: Context): void {
    const { db } = context;

    route(scope, contract.listFeedCatalogue, () => listCatalogue(db));

    route(scope, contract.listFeeds, () => listFeeds(db));

    route(scope, contract.createFeed, async ({ body, user, audit }) => {
      const { feed } = await createFeed(context, body, user, audit);
      return feed;
    });

    route(scope, contract.updateFeed, ({ params, body, user, audit }) =>
      updateFeed(context, params.id, body, { user, audit }),
    );

    route(scope, contract.deleteFeed, ({ params, query, audit }) =>
      deleteFeed(context, params.id, query.listings, audit),
    );

    route(scope, contract.refreshFeed, ({ params, audit }) => startRefresh(context, params.id, audit));

    route(scope, contract.listFeedRuns, ({ params, query }) => listFeedRuns(db, params.id, query));

    route(scope, contract.acceptFeedRun, ({ params, audit }) => acceptRun(context, params, audit));

    route(scope, contract.listFeedChanges, async ({ params, query: { change, search, page, pageSize } }) => {
      const filter = { isRemoved: change === 'removed', search, offset: page * pageSize, limit: pageSize };
      const found = await listChanges(db, params, filter);
      if (!found) throw notFound('run', params.runId);
      return { names: found.names, pagination: toPagination(page, pageSize, found.total) };
    });
  },
};
