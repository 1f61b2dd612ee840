import { runRetention } from '../../platform/jobs/retention.ts';
import { keptTables, type Topic, withParent } from '../../topic.ts';
import { linkCheckJob } from './jobs.ts';
import { liveLinkRoutes } from './routes.ts';

export const liveLinksTopic: Topic = {
  routes: [liveLinkRoutes],
  jobs: [linkCheckJob],
  retention: [runRetention('link_checks')],
  tables: {
    link_checks: {},
    ...keptTables(withParent, 'live_pages', 'live_domains'),
  },
};
