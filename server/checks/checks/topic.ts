import type { Topic } from '../../topic.ts';
import { checkRoutes } from './routes.ts';

export const checksTopic: Topic = {
  pool: 'list',
  routes: [checkRoutes],
};
