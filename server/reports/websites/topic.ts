import type { Topic } from '../../topic.ts';
import { listWebsitesOfUser } from './queries.ts';
import { websiteRoutes } from './routes.ts';
import { deleteWebsitesOfUser, erasePersonalData } from './store.ts';
import { hiddenWebsiteRetention } from './store-retention.ts';

export const websitesTopic: Topic = {
  routes: [websiteRoutes],
  retention: [hiddenWebsiteRetention],
  tables: {
    websites: { exported: 'websites' },
    earlier_defaults: { kept: 'one row for each setting whose default has changed' },
  },
  personalData: {
    listWebsites: ({ db }, userId) => listWebsitesOfUser(db, userId),
    erase: ({ db }, { id }, { keepReports }) =>
      keepReports ? erasePersonalData(db, id) : deleteWebsitesOfUser(db, id),
  },
};
