import type { Topic } from '../../topic.ts';
import { publishedListRoutes } from './routes.ts';

export const publishedListTopic: Topic = {
  pool: 'list',
  routes: [publishedListRoutes],
};
