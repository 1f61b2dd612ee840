import type { Topic } from '../../topic.ts';
import { updateRoutes } from './routes.ts';
import { createUpdatesPage } from './updates.ts';

export const updatesTopic: Topic = {
  pool: 'list',
  routes: [updateRoutes],
  pages: (context, webFolder) => [createUpdatesPage(context, webFolder)],
};
