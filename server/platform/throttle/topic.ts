import type { Topic } from '../../topic.ts';
import { sharedLimitRetention } from './store-retention.ts';
import { deleteExpiredUses } from './throttle.ts';

export const throttleTopic: Topic = {
  retention: [{ table: 'login_failures', expired: { delete: deleteExpiredUses } }, sharedLimitRetention],
  tables: {
    login_failures: {
      exported: { not: 'Counts for limits, which expire within days.' },
      afterDeletion: 'They expire within days.',
    },
    shared_limits: {},
  },
};
