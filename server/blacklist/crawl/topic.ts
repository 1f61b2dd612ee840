import { readPages } from '../../personal-data.ts';
import { keptTables, type Topic } from '../../topic.ts';
import { listOptOuts } from './opt-outs.ts';
import { crawlRoutes } from './routes.ts';
import { deleteUnverifiedOfUser } from './store.ts';
import { crawlRetention } from './store-retention.ts';

export const crawlTopic: Topic = {
  routes: [crawlRoutes],
  retention: crawlRetention,
  tables: {
    ...keptTables('one row, which admins change', 'crawl_setting'),
    crawl_turns: {},
    crawl_robots: {},
    crawl_opt_outs: {
      exported: 'crawlOptOuts',
      afterDeletion: 'A proven wish of the owner of a domain. It does not name the account.',
    },
  },
  personalData: {
    fields: {
      crawlOptOuts: ({ db }, { id }) => readPages<number>((after = 0, limit) => listOptOuts(db, id, after, limit)),
    },
    // Visits to these domains must not begin again.
    erase: ({ db }, { id }) => deleteUnverifiedOfUser(db, id),
  },
};
