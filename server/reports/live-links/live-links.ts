import { fromKysely } from 'pg-boss';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import { type LinkCheck, type LivePage, liveStates, type startLinkCheck } from '#shared/reports/live-links.ts';
import { requireCrawl } from '../../blacklist/crawl/setting.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import { cancelRun } from '../../platform/jobs/runs.ts';
import { countLiveStates } from '../reports/queries.ts';
import { linkCheckQueue, queuedMessage } from './jobs.ts';
import * as store from './store.ts';

/**
 * Starts a check of the links of a report, or returns the one that has not finished.
 * @throws 404 if the user has no such report, 409 `crawl_disabled`
 */
export async function startCheck(
  context: Pick<Context, 'config' | 'db' | 'jobs'>,
  userId: number,
  reportId: number,
  { domains, which }: BodyOf<typeof startLinkCheck>,
): Promise<{ jobId: string }> {
  await requireOwn(context.db, userId, reportId);
  await requireCrawl(context);
  const id = await context.db.transaction().execute(async (trx) => {
    const input = { onlyUndecided: which === 'undecided', domains: domains ?? null, message: queuedMessage };
    const checkId = await store.insertCheck(trx, reportId, input);
    if (checkId === undefined) return await store.findOpenCheck(trx, reportId);
    await context.jobs.send(linkCheckQueue.name, { checkId }, { db: fromKysely(trx) });
    return checkId;
  });
  // The other check finished in this moment.
  if (id === undefined) throw conflict('A check has just finished. Try again.');
  return { jobId: String(id) };
}

/** @throws 404 if the user has no such report, 409 `crawl_disabled` */
export async function getCheck(
  context: Pick<Context, 'config' | 'db'>,
  userId: number,
  reportId: number,
): Promise<LinkCheck> {
  const { db } = context;
  await requireOwn(db, userId, reportId);
  await requireCrawl(context);
  const last = await store.findLastCheck(db, reportId);
  const { id, ...run } = last ?? {
    id: null,
    status: 'none' as const,
    progress: 0,
    message: '',
    pages: 0,
    visited: 0,
  };
  return {
    ...run,
    jobId: id === null ? null : String(id),
    ...(await countLiveStates(db, reportId)),
  };
}

/** Stops the check of a report. @throws 404 if the user has no such report, or it is not being checked */
export async function cancelCheck(db: Db, userId: number, reportId: number): Promise<void> {
  await requireOwn(db, userId, reportId);
  const id = await store.findOpenCheck(db, reportId);
  if (id === undefined || !(await cancelRun(db, 'link_checks', id, 'Stopped. What was found is kept.')))
    throw notFound('running check');
}

/** Returns what was seen on the pages of a domain. @throws 404 if the user has no such report */
export async function listLivePages(db: Db, userId: number, reportId: number, domain: string): Promise<LivePage[]> {
  await requireOwn(db, userId, reportId);
  return (await store.listPages(db, reportId, domain)).flatMap(({ state, checkedAt, ...row }) => {
    const status = liveStates[state ?? -1];
    return status && checkedAt ? [{ ...row, status, checkedAt: checkedAt.toISOString() }] : [];
  });
}

async function requireOwn(db: Db, userId: number, reportId: number): Promise<void> {
  if (!(await store.findReport(db, userId, reportId))) throw notFound('report', reportId);
}
