import { runRetention } from '../../platform/jobs/retention.ts';
import type { Topic } from '../../topic.ts';
import { createOperationMetrics } from './admin.ts';
import { maintenanceJob } from './jobs.ts';
import { adminRoutes } from './routes.ts';
import { updateMaintenanceStarter } from './store-maintenance.ts';

export const adminTopic: Topic = {
  routes: [adminRoutes],
  jobs: [maintenanceJob],
  metrics: createOperationMetrics,
  retention: [runRetention('maintenance_runs')],
  tables: { maintenance_runs: { exported: { not: 'The audit log has them, as auditEvents.' } } },
  personalData: {
    erase: ({ db }, { id }, { deletedUsername }) => updateMaintenanceStarter(db, id, deletedUsername),
  },
};
