import { keptTables, ofBlacklist, type Topic } from '../../topic.ts';
import { candidateJob, discoveryJob } from './jobs.ts';
import { discoveryRoutes } from './routes.ts';

export const discoveriesTopic: Topic = {
  routes: [discoveryRoutes],
  jobs: [discoveryJob, candidateJob],
  tables: keptTables(ofBlacklist, 'discoveries'),
};
