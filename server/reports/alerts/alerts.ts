import { toConfidence, toRiskLevel } from '#shared/blacklist/domains.ts';
import type { BodyOf, QueryOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import type * as contract from '#shared/reports/alerts.ts';
import type { Alert } from '#shared/reports/alerts.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { getOwnWebsite } from '../websites/websites.ts';
import * as store from './store.ts';

const toWord = (level: number | null) => (level === null ? null : toRiskLevel(level));

/**
 * Returns a page of the user's alerts, newest first, and the number of all unread ones.
 * @throws 404 if the user has no such website
 */
export async function listAlerts(
  db: Db,
  userId: number,
  { page, pageSize, profileId: websiteId, ...query }: QueryOf<typeof contract.listAlerts>,
) {
  if (websiteId !== undefined) await getOwnWebsite(db, userId, websiteId);
  const filter = { websiteId, ...query };
  const [rows, total, unread] = await Promise.all([
    store.listAlerts(db, userId, filter, { offset: page * pageSize, limit: pageSize }),
    store.countAlerts(db, userId, filter),
    store.countAlerts(db, userId, { unread: true }),
  ]);
  const reported = await store.findReported(
    db,
    rows.flatMap(({ newestReportId, domain }) => (newestReportId === null ? [] : { reportId: newestReportId, domain })),
  );
  const alerts = rows.map(
    ({ from, to, confidence, sourceCount, copies, newestReportId, at, readAt, ...row }): Alert => ({
      ...row,
      from: toWord(from),
      to: toWord(to),
      confidence: confidence === null ? null : toConfidence(confidence),
      independentSourceCount: sourceCount === null ? null : sourceCount - (copies ?? 0),
      at: at.toISOString(),
      readAt: readAt?.toISOString() ?? null,
      reportId: reported.has(`${newestReportId} ${row.domain}`) ? newestReportId : null,
    }),
  );
  return { alerts, pagination: toPagination(page, pageSize, total), unread };
}

/**
 * Marks alerts of the user as read. Ids of other people's alerts are ignored.
 * @returns the number of alerts that are still unread
 * @throws 404 if the user has no such website, and 400 without ids or `all`, or with both
 */
export async function readAlerts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  body: BodyOf<typeof contract.readAlerts>,
): Promise<number> {
  const { ids, all, profileId: websiteId } = body;
  if ((ids === undefined) === (all === undefined)) throw invalidField('ids', 'Send ids, or all: true.');
  if (websiteId !== undefined) await getOwnWebsite(db, userId, websiteId);
  await store.updateRead(db, userId, { ids, websiteId }, now());
  return await store.countAlerts(db, userId, { unread: true });
}

/** Returns the user's alerts after one, oldest first, for the export of an account. */
export async function listAlertsOfUser(db: Db, userId: number, after: number, limit: number) {
  const rows = await store.listAlertsAfter(db, userId, after, limit);
  return rows.map(({ from, to, ...row }) => ({ ...row, from: toWord(from), to: toWord(to) }));
}
