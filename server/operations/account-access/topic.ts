import type { Topic } from '../../topic.ts';
import { accountAccessRoutes } from './routes.ts';

export const accountAccessTopic: Topic = { routes: [accountAccessRoutes] };
