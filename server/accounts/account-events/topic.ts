import { readPages } from '../../personal-data.ts';
import type { Topic } from '../../topic.ts';
import { accountEventRetention, repeatedNotices } from './jobs.ts';
import { accountEventRoutes } from './routes.ts';
import { listEventsAfter } from './store.ts';

export const accountEventsTopic: Topic = {
  routes: [accountEventRoutes],
  repeated: [repeatedNotices],
  retention: [accountEventRetention],
  tables: { account_events: { exported: 'securityActivity' } },
  personalData: {
    fields: {
      securityActivity: ({ db }, { id }) =>
        readPages<number>((after = 0, limit) => listEventsAfter(db, id, after, limit)),
    },
  },
};
