import { ofBlacklist, type Topic } from '../../topic.ts';
import { compactCountsJob } from './jobs.ts';
import { createDomainRoutes, type RecordSearch } from './routes.ts';
import { deletedDomainRetention } from './store-deleted.ts';

export const createDomainsTopic = (recordSearch: RecordSearch): Topic => ({
  routes: [createDomainRoutes(recordSearch)],
  jobs: [compactCountsJob],
  retention: [deletedDomainRetention],
  tables: {
    domains: {
      kept: ofBlacklist,
      exported: { not: 'The blacklist, which names who added a domain.' },
      afterDeletion: 'Changes stay traceable to a username.',
    },
    deleted_domains: {
      exported: { not: 'Domains of the blacklist that were just deleted.' },
      afterDeletion: 'For ten minutes after a deletion.',
    },
    domain_counts: { kept: 'counts of the blacklist, compacted each minute' },
    domain_grams: { kept: 'counts of the blacklist' },
    domain_gram_changes: { kept: 'rows that wait for background work, which deletes them' },
  },
});
