import type { Topic } from '../../topic.ts';
import { apiDocsRoutes } from './routes.ts';

export const apiDocsTopic: Topic = {
  routes: [apiDocsRoutes],
};
