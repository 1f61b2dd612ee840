import type { Context } from '../../context.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { chooseDomains, discoveryQueue, want } from './discoveries.ts';
import { lookAtSite, type VisitPage } from './look-at-site.ts';
import * as store from './store.ts';

/** Sites that are visited side by side. Nearly all of the time, each of them only waits for its turn. */
const sitesAtOnce = 16;
/** Candidates that are added at a time. */
const maxCandidates = 100;
const dayMs = 86_400_000;

/** Wants visits of sites that may sell links: pending submissions, and referring domains with several patterns. */
export async function wantCandidates(context: Pick<Context, 'db' | 'jobs' | 'now'>): Promise<void> {
  const { db, jobs, now } = context;
  const found = await store.listCandidates(db, new Date(now().getTime() - dayMs), maxCandidates);
  const { domains } = await chooseDomains(db, found);
  await db.transaction().execute((trx) => want(context, trx, domains));
  // A job that ended with the process, or while visits were turned off, left some.
  if ((await store.countWanted(db)) > 0) await jobs.send(discoveryQueue.name, {});
}

/**
 * Looks at the sites that wait for a visit until none is left, and stores what was found at each. Ends early if visits
 * are turned off.
 */
export async function visitWanted(
  { db, log, now }: Pick<Context, 'db' | 'log' | 'now'>,
  visit: VisitPage,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stopped = AbortSignal.any([signal, failed.signal]);
  const current = new Set<string>();
  let choosing: Promise<string | undefined> = Promise.resolve(undefined);
  const chooseNext = async () => {
    const [domain] = stopped.aborted ? [] : await store.listWanted(db, 1, [...current]);
    if (domain !== undefined) current.add(domain);
    return domain;
  };
  /** One after the other, so that no two choose the same site. */
  const choose = () => {
    choosing = choosing.then(chooseNext);
    return choosing;
  };
  const visitSites = async () => {
    for (let domain = await choose(); domain !== undefined; domain = await choose()) {
      // A site can be protected since it was named.
      const { domains } = await chooseDomains(db, [domain]);
      if (domains.length === 0) await store.deleteWanted(db, domain);
      else await store.saveSighting(db, domain, await lookAtSite(domain, visit), now());
      current.delete(domain);
    }
  };
  // The first error ends the others too.
  const untilFailure = () => visitSites().catch((error: unknown) => failed.abort(error));
  await Promise.all(Array.from({ length: sitesAtOnce }, untilFailure));
  signal.throwIfAborted();
  if (isCrawlDisabled(failed.signal.reason)) log.info('the search for offers stopped, because visits were turned off');
  else failed.signal.throwIfAborted();
}

const isCrawlDisabled = (error: unknown) => error instanceof HttpError && error.code === 'crawl_disabled';
