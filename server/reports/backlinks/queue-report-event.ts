import { minDomainsForPercentage } from '#shared/reports/reports.ts';
import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import type { Db } from '../../platform/db/database.ts';
import { getSummary } from '../reports/summaries.ts';
import { lockOwner } from './store.ts';

/** Queues the event of a new report for the webhooks of its owner, in the transaction that creates it. */
export async function queueReportEvent(trx: Db, profileId: number, reportId: number): Promise<void> {
  const userId = await lockOwner(trx, profileId);
  // The website of a deleted account has no owner.
  if (userId === null) return;
  const report = await getSummary(trx, userId, reportId);
  const { domain: website, totalBacklinks, uniqueDomains, toxicDomains, toxicityRating } = report;
  const toxicityPercentage = uniqueDomains < minDomainsForPercentage ? null : report.toxicityPercentage;
  const counts = { totalBacklinks, uniqueDomains, toxicDomains, toxicityPercentage, toxicityRating };
  const data = { reportId, profileId, website, ...counts, url: `/reports/${reportId}` };
  await queueWebhookEvents(trx, [{ type: 'report.completed', userId, data }], new Date());
}
