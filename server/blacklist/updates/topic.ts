import type { Topic } from '../../topic.ts';
import { updateRoutes } from './routes.ts';

export const updatesTopic: Topic = {
  pool: 'list',
  routes: [updateRoutes],
};
