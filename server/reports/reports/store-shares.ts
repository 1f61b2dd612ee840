import type { Db } from '../../platform/db/database.ts';
import { ownReports } from './store.ts';

interface NewShare {
  tokenHash: Buffer;
  sealed: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** Stores a link of a report. @returns its id; undefined if the user has no such report */
export async function insertShare(
  trx: Db,
  userId: number,
  reportId: number,
  { tokenHash, sealed, createdAt, expiresAt }: NewShare,
): Promise<number | undefined> {
  // Locked, so that the report cannot be deleted, and its website not get another owner, before its link is stored.
  const report = await ownReports(trx, userId)
    .select('reports.id')
    .where('reports.id', '=', reportId)
    .forShare(['reports', 'websites'])
    .executeTakeFirst();
  if (!report) return undefined;
  const { id } = await trx
    .insertInto('report_shares')
    .values({ report_id: reportId, token_hash: tokenHash, sealed, created_at: createdAt, expires_at: expiresAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the links of a report that work now, newest first. */
export function listShares(db: Db, userId: number, reportId: number, now: Date) {
  return ownReports(db, userId)
    .innerJoin('report_shares', 'report_shares.report_id', 'reports.id')
    .select([
      'report_shares.id',
      'report_shares.token_hash as tokenHash',
      'report_shares.sealed',
      'report_shares.created_at as createdAt',
      'report_shares.expires_at as expiresAt',
    ])
    .where('reports.id', '=', reportId)
    .where('report_shares.expires_at', '>', now)
    .orderBy('report_shares.id', 'desc')
    .execute();
}

/** Deletes one link of a report, or all of them. */
export async function deleteShares(
  db: Db,
  userId: number,
  reportId: number,
  linkId: number | undefined,
): Promise<void> {
  await db
    .deleteFrom('report_shares')
    .where('report_id', 'in', ownReports(db, userId).select('reports.id').where('reports.id', '=', reportId))
    .$if(linkId !== undefined, (query) => query.where('id', '=', linkId ?? 0))
    .execute();
}

/** Returns the report of a link that works now, with its owner. Links of disabled accounts do not work. */
export function findSharedReport(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('report_shares')
    .innerJoin('reports', 'reports.id', 'report_shares.report_id')
    .innerJoin('websites', 'websites.id', 'reports.website_id')
    .innerJoin('users', 'users.id', 'websites.user_id')
    .select(['reports.id as reportId', 'users.id as userId', 'report_shares.expires_at as expiresAt'])
    .where('report_shares.token_hash', '=', tokenHash)
    .where('report_shares.expires_at', '>', now)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
}

export async function deleteSharesOfUser(trx: Db, userId: number): Promise<void> {
  await trx
    .deleteFrom('report_shares')
    .where('report_id', 'in', ownReports(trx, userId).select('reports.id'))
    .execute();
}

/** Returns the links of a user's reports that work now, the last to expire first. */
export async function listSharesOfUser(db: Db, userId: number, now: Date) {
  const rows = await ownReports(db, userId)
    .innerJoin('report_shares', 'report_shares.report_id', 'reports.id')
    .select(['reports.id as reportId', 'websites.domain as website', 'report_shares.expires_at as expiresAt'])
    .where('report_shares.expires_at', '>', now)
    .orderBy('report_shares.expires_at', 'desc')
    .execute();
  return rows.map(({ expiresAt, ...share }) => ({ ...share, expiresAt: expiresAt.toISOString() }));
}
