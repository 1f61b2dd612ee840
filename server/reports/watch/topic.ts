import { type Topic, withParent } from '../../topic.ts';
import { repeatedMatching } from './jobs.ts';
import { watchRoutes } from './routes.ts';
import { deleteWatches } from './store.ts';
import { watchRetention } from './store-retention.ts';
import { getWatch, listHostsOfUser } from './watch.ts';

export const watchTopic: Topic = {
  routes: [watchRoutes],
  repeated: [repeatedMatching],
  retention: watchRetention,
  tables: {
    watches: { kept: withParent, exported: 'websites' },
    website_hosts: { exported: 'linkingHosts' },
    domain_changes: {},
  },
  personalData: {
    fields: { linkingHosts: ({ db }, { id }) => listHostsOfUser(db, id) },
    websiteFields: { watch: ({ db }, userId, websiteId) => getWatch(db, userId, websiteId) },
    erase: async ({ db }, { id }, { keepReports }) => {
      if (keepReports) await deleteWatches(db, id);
    },
  },
};
