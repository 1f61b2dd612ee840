import { type Topic, withParent } from '../../topic.ts';
import { listHostsOfUser } from './hosts.ts';
import { repeatedMatching, repeatedMoving } from './jobs.ts';
import { watchRoutes } from './routes.ts';
import { deleteWatches } from './store.ts';
import { watchRetention } from './store-retention.ts';
import { getWatch } from './watch.ts';

export const watchTopic: Topic = {
  routes: [watchRoutes],
  repeated: [repeatedMatching, repeatedMoving],
  retention: watchRetention,
  tables: {
    watches: { kept: withParent, exported: 'websites' },
    website_host_blocks: { exported: 'linkingHosts' },
    website_hosts: { kept: 'what an earlier version stored, until a job has moved it', exported: 'linkingHosts' },
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
