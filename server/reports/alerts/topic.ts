import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { listAlertsOfUser } from './alerts.ts';
import { alertRoutes } from './routes.ts';
import { alertRetention } from './store-retention.ts';

export const alertsTopic: Topic = {
  routes: [alertRoutes],
  retention: [alertRetention],
  tables: { alerts: { exported: 'alerts' } },
  personalData: {
    fields: {
      alerts: ({ db }, { id }) => readPages<number>((after = 0, limit) => listAlertsOfUser(db, id, after, limit)),
    },
  },
};
