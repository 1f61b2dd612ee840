import type { HistoryEntry, ReportShare, SharedReport } from '#shared/reports/report-shares.ts';
import { createLinkToken, hashLinkToken } from '../../accounts/accounts/link-tokens.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { HttpError, notFound } from '../../platform/http/errors.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { getOverview } from './review.ts';
import * as store from './store-shares.ts';
import { getSummary, listSummaries, type Reading } from './summaries.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Requests of one network for all shared reports. Printing a report with 2,000 domains takes 20. */
export const maxSharedRequestsPerHour = 600;

/** A report whose link works, and its owner, as whom it is read. */
export interface SharedTarget {
  userId: number;
  reportId: number;
  expiresAt: Date;
}

/**
 * Creates the link of a report and calls `record` in its transaction. An earlier link stops working.
 * @returns the path of the page, and when it expires
 * @throws 404 if the user has no such report
 */
export async function createShare(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { userId, reportId }: { userId: number; reportId: number },
  days: number,
  record: (trx: Db) => Promise<void>,
): Promise<ReportShare & { path: string }> {
  const { token, tokenHash } = createLinkToken();
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + days * dayMs);
  await db.transaction().execute(async (trx) => {
    const isStored = await store.upsertShare(trx, userId, reportId, { tokenHash, createdAt, expiresAt });
    if (!isStored) throw notFound('report', reportId);
    await record(trx);
  });
  return { path: `/shared/${token}`, expiresAt: expiresAt.toISOString() };
}

/** Returns when the link of a report expires; null without a link. @throws 404 if the user has no such report */
export async function findShare(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  reportId: number,
): Promise<ReportShare | null> {
  await getSummary(db, userId, reportId);
  const share = await store.findShare(db, userId, reportId, now());
  return share ? { expiresAt: share.expiresAt.toISOString() } : null;
}

/** Ends the link of a report, if it has one. @throws 404 if the user has no such report */
export async function revokeShare(db: Context['db'], userId: number, reportId: number): Promise<void> {
  await getSummary(db, userId, reportId);
  await store.deleteShare(db, userId, reportId);
}

/** 32 bytes, as `createLinkToken` writes them. */
const tokenPattern = /^[\w-]{43}$/;

/** Returns the report of a link; undefined if the link has expired, was revoked, or never existed. */
export async function findSharedTarget(
  { db, now }: Pick<Context, 'db' | 'now'>,
  token: string,
): Promise<SharedTarget | undefined> {
  return tokenPattern.test(token) ? store.findSharedReport(db, hashLinkToken(token), now()) : undefined;
}

/**
 * Returns the report of a link for a request from a network.
 * @throws the same 404 for an expired, revoked, unknown or malformed token, and 429 after too many requests
 */
export async function getSharedTarget(
  context: Pick<Context, 'db' | 'now'>,
  token: string,
  network: string,
): Promise<SharedTarget> {
  const limitMessage = 'Too many requests for shared reports from this network. Please try again later.';
  const use = { key: `shared:${network}`, maxPerHour: maxSharedRequestsPerHour, limitMessage };
  // A malformed token costs no query.
  if (tokenPattern.test(token)) await recordUse(context.db, use, context.now());
  const target = await findSharedTarget(context, token);
  if (!target) {
    const sentence = 'This link has expired or was revoked. Ask the person who sent it for a new one.';
    throw new HttpError(404, 'not_found', sentence);
  }
  return target;
}

/** Returns a shared report. The schema of its endpoint removes what readers must not see. */
export async function getSharedReport(
  reading: Reading,
  { userId, reportId, expiresAt }: SharedTarget,
  lost: boolean,
): Promise<SharedReport> {
  const [summary, overview] = await Promise.all([
    getSummary(reading.readDb, userId, reportId),
    getOverview(reading, userId, reportId, lost),
  ]);
  const reports = await listSummaries(reading.readDb, userId, summary.profileId);
  const history: HistoryEntry[] = reports.slice(reports.findIndex(({ id }) => id === reportId));
  return { ...summary, overview, history, expiresAt: expiresAt.toISOString() };
}
