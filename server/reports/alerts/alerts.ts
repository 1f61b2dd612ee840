import { toConfidence, toRiskLevel } from '#shared/blacklist/domains.ts';
import type { BodyOf, QueryOf, ResponseOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import type * as contract from '#shared/reports/alerts.ts';
import type { Alert } from '#shared/reports/alerts.ts';
import type { KeyAlert, listAlertsWithKey } from '#shared/reports/key-websites.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { type CursorPage, createCursors } from '../../platform/http/cursor.ts';
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
      sourceCount,
      independentSourceCount: sourceCount === null ? null : sourceCount - (copies ?? 0),
      at: at.toISOString(),
      readAt: readAt?.toISOString() ?? null,
      reportId: reported.has(`${newestReportId} ${row.domain}`) ? newestReportId : null,
    }),
  );
  return { alerts, pagination: toPagination(page, pageSize, total), unread };
}

/**
 * Marks alerts of the user as read, or those of an earlier call as unread. Ids of other people's alerts are ignored.
 * @returns the number of alerts that are still unread, and the time for `undo`
 * @throws 404 if the user has no such website, and 400 unless the body has one of ids, `all` and `undo`
 */
export async function readAlerts(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  body: BodyOf<typeof contract.readAlerts>,
): Promise<ResponseOf<typeof contract.readAlerts>> {
  const { ids, all, undo, profileId: websiteId } = body;
  if ([ids, all, undo].filter((one) => one !== undefined).length !== 1) {
    throw invalidField('ids', 'Send ids, or all: true.');
  }
  if (websiteId !== undefined) await getOwnWebsite(db, userId, websiteId);
  const readAt = now();
  if (undo === undefined) await store.updateRead(db, userId, { ids, websiteId }, readAt);
  else await store.updateUnread(db, userId, new Date(undo));
  return { unread: await store.countAlerts(db, userId, { unread: true }), readAt: readAt.toISOString() };
}

/** Returns the user's alerts after one, oldest first, for the export of an account. */
export async function listAlertsOfUser(db: Db, userId: number, after: number, limit: number) {
  const rows = await store.listAlertsAfter(db, userId, { after, limit });
  return rows.map(({ from, to, ...row }) => ({ ...row, from: toWord(from), to: toWord(to) }));
}

const cursors = createCursors('alerts');

/** Returns a page of the user's alerts, oldest first, from the time `since` on. */
export async function listAlertsFrom(
  db: Db,
  userId: number,
  { limit, cursor, since }: QueryOf<typeof listAlertsWithKey>,
): Promise<CursorPage<KeyAlert>> {
  const after = cursors.readNumber(cursor, 0);
  const range = { after, since: since === undefined ? undefined : new Date(since), limit: limit + 1 };
  const alerts = (await store.listAlertsAfter(db, userId, range)).map(
    ({ from, to, at, readAt, ...row }): KeyAlert => ({
      ...row,
      from: toWord(from),
      to: toWord(to),
      at: at.toISOString(),
      readAt: readAt?.toISOString() ?? null,
    }),
  );
  return cursors.toPage(alerts, limit, ({ id }) => id);
}
