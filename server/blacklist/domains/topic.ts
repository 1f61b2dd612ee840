import { ofBlacklist, type Topic } from '../../topic.ts';
import { compactCountsJob } from './jobs.ts';
import { domainRoutes } from './routes.ts';

export const domainsTopic: Topic = {
  routes: [domainRoutes],
  jobs: [compactCountsJob],
  tables: {
    domains: {
      kept: ofBlacklist,
      exported: { not: 'The blacklist, which names who added a domain.' },
      afterDeletion: 'Changes stay traceable to a username.',
    },
    domain_counts: { kept: 'counts of the blacklist, compacted each minute' },
    domain_grams: { kept: 'counts of the blacklist' },
    domain_gram_changes: { kept: 'rows that wait for background work, which deletes them' },
  },
};
