import type { Db } from '../../platform/db/database.ts';
import { ownReports } from './store.ts';

/** The links of a user's reports that work now, the last to expire first. */
export function listSharesOfUser(db: Db, userId: number, now: Date) {
  return ownReports(db, userId)
    .innerJoin('report_shares', 'report_shares.report_id', 'reports.id')
    .select(['reports.id as reportId', 'websites.domain as website', 'report_shares.expires_at as expiresAt'])
    .where('report_shares.expires_at', '>', now)
    .orderBy('report_shares.expires_at', 'desc')
    .execute();
}
