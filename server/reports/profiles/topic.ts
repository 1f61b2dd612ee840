import { owned, type Topic } from '../../topic.ts';
import { listProfilesOfUser } from './queries.ts';
import { profileRoutes } from './routes.ts';
import { deleteProfilesOfUser, erasePersonalData } from './store.ts';

export const profilesTopic: Topic = {
  routes: [profileRoutes],
  tables: {
    profiles: { kept: owned, exported: 'websites' },
    earlier_defaults: { kept: 'one row for each setting whose default has changed' },
  },
  personalData: {
    listWebsites: ({ db }, userId) => listProfilesOfUser(db, userId),
    erase: ({ db }, { id }, { keepReports }) =>
      keepReports ? erasePersonalData(db, id) : deleteProfilesOfUser(db, id),
  },
};
