import type { Topic } from '../../topic.ts';
import { rangeRoutes } from './routes.ts';

export const rangeTopic: Topic = {
  pool: 'list',
  routes: [rangeRoutes],
};
