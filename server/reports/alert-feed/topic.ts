import type { Topic } from '../../topic.ts';
import { replaceFeedPath } from './alert-feed.ts';
import { alertFeedRoutes } from './routes.ts';

export const alertFeedTopic: Topic = {
  routes: [alertFeedRoutes],
  personalData: {
    access: { end: async (context, userId) => void (await replaceFeedPath(context, userId)) },
  },
};
