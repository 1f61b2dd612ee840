import { runRetention } from '../../platform/jobs/retention.ts';
import { keptTables, ofBlacklist, type Topic } from '../../topic.ts';
import { queueSourceRunsJob, sourceRunJob } from './jobs.ts';
import { sourceRoutes } from './routes.ts';
import { updateSourceRunStarter } from './store-runs.ts';

export const sourcesTopic: Topic = {
  routes: [sourceRoutes],
  jobs: [sourceRunJob, queueSourceRunsJob],
  retention: [runRetention('source_runs')],
  tables: {
    ...keptTables(ofBlacklist, 'sources', 'source_aliases', 'families', 'listings'),
    source_runs: { exported: { not: 'The audit log has them, as auditEvents.' } },
  },
  personalData: {
    erase: ({ db }, { id }, { deletedUsername }) => updateSourceRunStarter(db, id, deletedUsername),
  },
};
