import { crawlManners } from '#shared/blacklist/crawl.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { job } from '../../platform/jobs/job.ts';
import { type Crawler, createCrawler } from '../crawl/crawler.ts';
import { isCrawlEnabled } from '../crawl/setting.ts';
import { refreshDomains } from '../sources/queries.ts';
import { judgeEvidence, type ProofFacts } from './judge-evidence.ts';
import * as store from './store.ts';

const dayMs = 86_400_000;
/** When evidence is visited again, in days. */
const seenDays = 90;
const goneDays = 30;
const unreachableDays = 7;
/** How long one process has a page. */
const takenMs = 3_600_000;
/** Pages that are visited side by side, of different hosts as a rule. */
const pagesAtOnce = 16;
/** A run ends before the next one starts. */
const maxRunMs = 50 * 60_000;
const maxRaised = 1000;

/** Visits the evidence of listings that is due. */
export const proofJob = job<object>({
  queue: { name: 'evidence-proofs', retryLimit: 0, policy: 'stately' },
  cron: '37 * * * *',
  run: (context, _, signal) => visitEvidence(context, createCrawler(context), signal),
});

type ProofContext = Pick<Context, 'config' | 'db' | 'now' | 'log'>;

/** Visits all pages that are due, until an admin turns visits off. */
export async function visitEvidence(context: ProofContext, crawler: Crawler, signal: AbortSignal): Promise<void> {
  const { db, now, log } = context;
  if (!(await isCrawlEnabled(context))) return;
  await store.planProofs(db, now());
  const raised = await store.listRaised(db, maxRaised);
  if (raised.length > 0) await db.transaction().execute((trx) => refreshDomains(trx, raised, now()));
  const until = performance.now() + maxRunMs;
  /** Pages of each host in this run. */
  const visits = new Map<string, number>();
  const visitPages = async () => {
    while (!signal.aborted && performance.now() < until) {
      const url = await store.takeDuePage(db, now(), new Date(now().getTime() + takenMs));
      if (url === undefined) return;
      const host = URL.canParse(url) ? new URL(url).hostname : url;
      const count = visits.get(host) ?? 0;
      // The others of the host wait for the next run.
      if (count >= crawlManners.pagesPerHost) continue;
      visits.set(host, count + 1);
      await visitPage(context, crawler, url, signal);
    }
  };
  try {
    await Promise.all(Array.from({ length: pagesAtOnce }, visitPages));
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'crawl_disabled') throw error;
    log.info('visits to evidence ended, because an admin turned them off');
  }
}

async function visitPage({ db, now }: ProofContext, crawler: Crawler, url: string, signal: AbortSignal): Promise<void> {
  const visit = await crawler.visit(url, { signal });
  const listings = await store.listEvidence(db, url);
  const facts = await judgeEvidence(visit, listings);
  await db.transaction().execute(async (trx) => {
    const changed: string[] = [];
    for (const [i, { name, sourceId, ...before }] of listings.entries()) {
      const found = facts[i];
      if (!found) continue;
      const next = toNext(before, found, now());
      await store.saveProof(trx, url, { ...found, ...next, name, sourceId }, now());
      if (next.isGone !== before.isGone) changed.push(name);
    }
    await refreshDomains(trx, changed, now());
  });
}

/** Two visits at least 30 days apart that find the page gone lower the proof, and one that sees it restores it. */
function toNext(before: { goneSince: Date | null; isGone: boolean }, { status }: ProofFacts, now: Date) {
  const after = (days: number) => new Date(now.getTime() + days * dayMs);
  if (status === 'unreachable') return { ...before, nextAt: after(unreachableDays) };
  if (status === 'seen') return { goneSince: null, isGone: false, nextAt: after(seenDays) };
  if (status === 'changed') return { goneSince: null, isGone: before.isGone, nextAt: after(seenDays) };
  const goneSince = before.goneSince ?? now;
  const isGone = before.isGone || now.getTime() - goneSince.getTime() >= goneDays * dayMs;
  return { goneSince, isGone, nextAt: after(before.isGone ? seenDays : goneDays) };
}
