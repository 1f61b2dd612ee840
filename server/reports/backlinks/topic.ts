import { readPages } from '../../personal-data.ts';
import { runRetention } from '../../platform/jobs/retention.ts';
import type { Topic } from '../../topic.ts';
import { listAnalysisFiles } from './backlinks.ts';
import { analysisJobs } from './jobs.ts';
import { backlinkRoutes } from './routes.ts';
import { listAnalysesOfUser } from './store.ts';

export const backlinksTopic: Topic = {
  routes: [backlinkRoutes],
  jobs: analysisJobs,
  retention: [runRetention('analyses')],
  tables: { analyses: { exported: 'analyses' } },
  personalData: {
    fields: {
      analyses: ({ db }, { id }) => readPages<string>((after, limit) => listAnalysesOfUser(db, id, after, limit)),
    },
  },
  listFiles: ({ db }) => listAnalysisFiles(db),
};
