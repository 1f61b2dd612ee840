import type { Topic } from '../../topic.ts';
import { demoRoutes } from './routes.ts';

export const demoTopic: Topic = {
  pool: 'signIn',
  routes: [demoRoutes],
};
