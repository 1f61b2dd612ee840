import type { Topic } from '../../topic.ts';
import { domainPageRules } from './domain-pages.ts';
import { domainPageRoutes } from './routes.ts';

export const domainPagesTopic: Topic = {
  pool: 'list',
  routes: [domainPageRoutes],
  pages: () => domainPageRules,
};
