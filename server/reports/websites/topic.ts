import { owned, type Topic } from '../../topic.ts';
import { listWebsitesOfUser } from './queries.ts';
import { websiteRoutes } from './routes.ts';
import { deleteWebsitesOfUser, erasePersonalData } from './store.ts';

export const websitesTopic: Topic = {
  routes: [websiteRoutes],
  tables: {
    websites: { kept: owned, exported: 'websites' },
    earlier_defaults: { kept: 'one row for each setting whose default has changed' },
  },
  personalData: {
    listWebsites: ({ db }, userId) => listWebsitesOfUser(db, userId),
    erase: ({ db }, { id }, { keepReports }) =>
      keepReports ? erasePersonalData(db, id) : deleteWebsitesOfUser(db, id),
  },
};
