import type { Topic } from '../../topic.ts';
import { accountAccessRoutes } from './account-access.ts';
import { accountDataRoutes } from './account-data.ts';

export const accountDataTopic: Topic = { routes: [accountDataRoutes, accountAccessRoutes] };
