import { keptTables, ofBlacklist, type Topic, withParent } from '../../topic.ts';
import { runFeedCommand } from './commands.ts';
import { createFeedMetrics } from './feeds.ts';
import { feedJob, feedRunRetention, feedScheduleJob } from './jobs.ts';
import { feedRoutes } from './routes.ts';

export const feedsTopic: Topic = {
  routes: [feedRoutes],
  jobs: [feedJob, feedScheduleJob],
  commands: { feeds: (context, words) => runFeedCommand(context, words) },
  metrics: createFeedMetrics,
  retention: [feedRunRetention],
  tables: {
    ...keptTables(ofBlacklist, 'feeds'),
    feed_runs: {},
    ...keptTables(withParent, 'feed_names', 'feed_copies', 'feed_changes'),
  },
};
