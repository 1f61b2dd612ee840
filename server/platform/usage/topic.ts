import type { Topic } from '../../topic.ts';
import { getUsage } from './usage.ts';

export const usageTopic: Topic = {
  tables: {
    account_usage: { kept: 'one row for each account or website and kind, deleted with it', exported: 'storage' },
  },
  personalData: { fields: { storage: ({ db, config }, user) => getUsage(db, config, user) } },
};
