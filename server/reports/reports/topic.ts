import { keptTables, owned, type TableFacts, type Topic, withParent } from '../../topic.ts';
import { repeatedCounting, repeatedPurge } from './jobs.ts';
import { keyReportRoutes } from './key-routes.ts';
import { reportRoutes } from './routes.ts';
import { createSharedReportPage, shareRoutes } from './share-routes.ts';
import { shareRetention } from './store-retention.ts';
import { deleteSharesOfUser, listSharesOfUser } from './store-shares.ts';
import { listSummaries } from './summaries.ts';

/** Rows that background work deletes with what they name. */
const waiting: TableFacts = {
  kept: 'rows that wait for background work, which deletes them',
  exported: { not: 'Ids, and for a minute a report that can be restored.' },
  afterDeletion: 'Until what they name is deleted.',
};

export const reportsTopic: Topic = {
  routes: [reportRoutes, keyReportRoutes, shareRoutes],
  pages: (context) => [createSharedReportPage(context)],
  repeated: [repeatedPurge, repeatedCounting],
  retention: [shareRetention],
  tables: {
    reports: { kept: owned, exported: 'websites' },
    ...keptTables(withParent, 'report_domains', 'report_links'),
    deleted_reports: waiting,
    deleted_websites: waiting,
    report_shares: {},
  },
  personalData: {
    websiteFields: { reports: ({ db }, userId, websiteId) => listSummaries(db, userId, websiteId) },
    access: {
      list: async ({ db, now }, userId) => ({ shares: await listSharesOfUser(db, userId, now()) }),
      end: ({ db }, userId) => deleteSharesOfUser(db, userId),
    },
  },
};
