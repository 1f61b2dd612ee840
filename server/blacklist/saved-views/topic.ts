import { owned, type Topic } from '../../topic.ts';
import { savedViewRoutes } from './routes.ts';
import { listViews } from './store.ts';

export const savedViewsTopic: Topic = {
  routes: [savedViewRoutes],
  tables: { saved_views: { kept: owned, exported: 'savedViews' } },
  personalData: { fields: { savedViews: ({ db }, { id }) => listViews(db, id) } },
};
