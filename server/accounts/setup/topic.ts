import type { Topic } from '../../topic.ts';
import { setupRoutes } from './routes.ts';

export const setupTopic: Topic = {
  pool: 'signIn',
  routes: [setupRoutes],
};
