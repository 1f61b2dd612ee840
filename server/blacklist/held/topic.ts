import { keptTables, ofBlacklist, type Topic } from '../../topic.ts';
import { heldRoutes } from './routes.ts';

export const heldTopic: Topic = {
  routes: [heldRoutes],
  tables: keptTables(ofBlacklist, 'held_listings'),
};
