import { crawlManners } from '#shared/blacklist/crawl.ts';
import type { Crawler } from '../../blacklist/crawl/crawler.ts';
import type { Context } from '../../context.ts';
import type { Run } from '../../platform/jobs/execute-run.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import { judgePage, leadsTo } from './judge-page.ts';
import * as store from './store.ts';

type CheckContext = Pick<Context, 'db' | 'now'>;

/** Hosts that a check visits side by side. Nearly all of the time, each of them only waits for its turn. */
const hostsAtOnce = 32;

/** Checks all links of a report in this process, with the pages of a crawler: those of the demo are made up. */
export async function checkReport(context: CheckContext, reportId: number, crawler: Crawler): Promise<void> {
  const input = { onlyUndecided: false, domains: null, message: '' };
  const checkId = await store.insertCheck(context.db, reportId, input);
  if (checkId === undefined) return;
  const { signal } = new AbortController();
  await checkLinks(context, checkId, { signal, onProgress: () => undefined }, crawler);
}

/**
 * Visits the pages of a check. Each page is stored when it was read, so that a check that was interrupted continues
 * with the others.
 */
export async function checkLinks(
  context: CheckContext,
  checkId: number,
  { signal, onProgress }: Pick<Run, 'signal' | 'onProgress'>,
  crawler: Crawler,
): Promise<void> {
  const { db, now } = context;
  let before: number | undefined;
  // An attempt that stores pages makes progress, so the attempts before it do not count.
  const report = async () => {
    const { pages, visited } = await store.getVisited(db, checkId);
    before ??= visited;
    const progress = Math.min(99, Math.floor((100 * visited) / Math.max(1, pages)));
    const message = `${visited.toLocaleString('en-US')} of ${pages.toLocaleString('en-US')} pages`;
    onProgress({ progress, message, ...(visited > before && { attempts: 1 }) });
  };
  const task = await store.findTask(db, checkId);
  if (!task) return;
  const { reportId, site } = task;
  await plan(context, checkId, signal);
  await report();

  const failed = new AbortController();
  const stopped = AbortSignal.any([signal, failed.signal]);
  async function visitHost(host: string): Promise<void> {
    for (const { page, pageHash, targets } of await store.listWantedPages(db, checkId, host)) {
      stopped.throwIfAborted();
      const visit = await crawler.visit(page, { signal: stopped, stopAt: (target) => leadsTo(site, target) });
      const facts = await judgePage(visit, { page, site, targets });
      const seen = { checkId, reportId, pageHash, now: now() };
      await db.transaction().execute((trx) => store.savePage(trx, seen, facts));
      await report();
    }
  }

  const hosts = listHosts(context, checkId);
  const visitHosts = async () => {
    try {
      for await (const host of hosts) await visitHost(host);
    } catch (error) {
      // The first error ends the others too, and is that of the run.
      failed.abort(error);
    }
  };
  await Promise.all(Array.from({ length: hostsAtOnce }, visitHosts));
  failed.signal.throwIfAborted();
  const { visited } = await store.getVisited(db, checkId);
  await completeRun(db, 'link_checks', checkId, {
    message: visited === 1 ? '1 page was visited' : `${visited.toLocaleString('en-US')} pages were visited`,
  });
}

/** Chooses the pages of the check, some domains in a transaction. */
async function plan({ db }: CheckContext, checkId: number, signal: AbortSignal): Promise<void> {
  const planNext = () =>
    db.transaction().execute(async (trx) => {
      const task = await store.lockTask(trx, checkId);
      const domains = task ? await store.listNextDomains(trx, task) : [];
      if (!task || domains.length === 0) return false;
      await store.planPages(trx, { checkId, reportId: task.reportId }, domains, crawlManners.pagesPerHost);
      return true;
    });
  while (await planNext()) signal.throwIfAborted();
}

const hostsPerQuery = 500;

/** Yields the hosts that a check has not visited yet. Several loops can share it. */
async function* listHosts({ db }: CheckContext, checkId: number): AsyncGenerator<string> {
  let after = '';
  for (;;) {
    const hosts = await store.listWantedHosts(db, checkId, after, hostsPerQuery);
    if (hosts.length === 0) return;
    yield* hosts;
    after = hosts.at(-1) ?? '';
  }
}
