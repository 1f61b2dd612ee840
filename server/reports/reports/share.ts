import {
  getSharedLogo,
  type HistoryEntry,
  maxReportShares,
  type ReportShare,
  type SharedReport,
} from '#shared/reports/report-shares.ts';
import { createLinkToken, hashLinkToken } from '../../accounts/accounts/link-tokens.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { seal, unseal } from '../../platform/db/seal.ts';
import { sealedReportLink } from '../../platform/db/sealed-columns.ts';
import { conflict, HttpError, notFound } from '../../platform/http/errors.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { getBrand } from '../report-brand/report-brand.ts';
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

const toPath = (token: string) => `/shared/${token}`;

/** A link with the path of its page instead of the URL. */
type ShareWithPath = Omit<ReportShare, 'url'> & { path: string | null };

/**
 * Creates a link of a report and calls `record` in its transaction.
 * @throws 404 if the user has no such report, and 409 if it has `maxReportShares` links
 */
export async function createShare(
  { db, now, secretKey }: Pick<Context, 'db' | 'now' | 'secretKey'>,
  { userId, reportId }: { userId: number; reportId: number },
  days: number,
  record: (trx: Db) => Promise<void>,
): Promise<ShareWithPath & { path: string }> {
  const { token, tokenHash } = createLinkToken();
  const sealed = seal(secretKey, sealedReportLink(tokenHash), token);
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + days * dayMs);
  const id = await db.transaction().execute(async (trx) => {
    const inserted = await store.insertShare(trx, userId, reportId, { tokenHash, sealed, createdAt, expiresAt });
    if (inserted === undefined) throw notFound('report', reportId);
    if ((await store.listShares(trx, userId, reportId, createdAt)).length > maxReportShares) {
      throw conflict(`A report can have up to ${maxReportShares} links. Revoke one first.`);
    }
    await record(trx);
    return inserted;
  });
  return { id, path: toPath(token), createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Returns the links of a report that work now, newest first. @throws 404 if the user has no such report */
export async function listShares(
  { db, now, secretKey }: Pick<Context, 'db' | 'now' | 'secretKey'>,
  userId: number,
  reportId: number,
): Promise<ShareWithPath[]> {
  await getSummary(db, userId, reportId);
  const rows = await store.listShares(db, userId, reportId, now());
  return rows.map(({ id, tokenHash, sealed, createdAt, expiresAt }) => {
    const token = sealed && unseal(secretKey, sealedReportLink(tokenHash), sealed);
    const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
    return { id, path: token === null ? null : toPath(token), ...times };
  });
}

/** Ends a link of a report, or all of its links. @throws 404 if the user has no such report */
export async function revokeShares(
  db: Context['db'],
  { userId, reportId }: { userId: number; reportId: number },
  linkId: number | undefined,
): Promise<void> {
  await getSummary(db, userId, reportId);
  await store.deleteShares(db, userId, reportId, linkId);
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
  token: string,
  lost: boolean,
): Promise<SharedReport> {
  const [summary, overview, brand] = await Promise.all([
    getSummary(reading.readDb, userId, reportId),
    getOverview(reading, userId, reportId, lost),
    getBrand(reading.readDb, userId, getSharedLogo.path.replace(':token', token)),
  ]);
  const reports = await listSummaries(reading.readDb, userId, summary.profileId);
  const history: HistoryEntry[] = reports.slice(reports.findIndex(({ id }) => id === reportId));
  return { ...summary, overview, history, brand, expiresAt: expiresAt.toISOString() };
}
