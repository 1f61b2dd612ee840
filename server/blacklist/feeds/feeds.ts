import { fromKysely } from 'pg-boss';
import { Registry } from 'prom-client';
import {
  type CatalogueEntry,
  type Feed,
  type FeedChange,
  type FeedInput,
  type FeedRun,
  urlMessage,
} from '#shared/blacklist/feeds.ts';
import { publishedListUrl } from '#shared/blacklist/published-list.ts';
import { communitySource } from '#shared/blacklist/submissions.ts';
import type { Context } from '../../context.ts';
import type { Db, Trx } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import { addGauges } from '../../platform/http/gauges.ts';
import type { Audit, Identity } from '../../platform/http/scope.ts';
import { isUnfinished, resumeRun, waitForRun } from '../../platform/jobs/runs.ts';
import { runHere } from '../../platform/processes/run-in-process.ts';
import { mapLockError } from '../domains/domains.ts';
import { setLockTimeout } from '../domains/queries.ts';
import { changeSource, prepareFeedSource } from '../sources/change-source.ts';
import type { NewSourceRun } from '../sources/queue-runs.ts';
import { insertSourceRun, sourceRunQueue } from '../sources/queue-runs.ts';
import { readSources } from '../sources/sources.ts';
import { catalogue } from './catalogue.ts';
import { queuedMessage, type RunContext, runFeed } from './run-feed.ts';
import * as store from './store.ts';
import * as runs from './store-runs.ts';

/** Practically unlimited retries: the row limits the attempts, because restarts of the server must not use them up. */
export const feedQueue = { name: 'feeds', retryLimit: 1000 };

type FeedContext = Pick<Context, 'db' | 'jobs' | 'now'>;
/** The user who changes a feed. `id` is null for a command on the server. */
type Actor = Pick<Identity, 'username'> & { id: number | null };

/** Returns the public lists that an installation can subscribe to. */
export async function listCatalogue(db: Db): Promise<CatalogueEntry[]> {
  const subscribed = await store.listSubscribed(db);
  return catalogue.map((entry) => ({ ...entry, subscribed: subscribed.has(entry.key) }));
}

/** Returns the feeds by name. */
export async function listFeeds(db: Db): Promise<Feed[]> {
  return await toFeeds(db, await store.listFeedRows(db));
}

/** @throws 404 */
export async function getFeed(db: Db, id: number): Promise<Feed> {
  const [feed] = await toFeeds(db, await store.listFeedRows(db, id));
  if (!feed) throw notFound('feed', id);
  return feed;
}

async function toFeeds(db: Db, rows: readonly store.FeedRow[]): Promise<Feed[]> {
  const ids = rows.map(({ id }) => id);
  const [lastRuns, reviews] = [await runs.listLastRuns(db, ids), await runs.listLastRuns(db, ids, 'waiting')];
  return rows.map(({ lastRunAt, lastSuccessAt, nextRunAt, ...row }) => {
    const [run, review] = [lastRuns.get(row.id), reviews.get(row.id)];
    return {
      ...row,
      lastRunAt: lastRunAt?.toISOString() ?? null,
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
      nextRunAt: row.enabled ? nextRunAt.toISOString() : null,
      lastRun: run ? runs.toFeedRun(run) : null,
      review: review ? runs.toFeedRun(review) : null,
    };
  });
}

/** A feed to add, whether from the catalogue or not. */
interface FeedPlan {
  catalogueKey: string | null;
  name: string;
  url: string;
  format: Feed['format'];
  kind: Feed['kind'];
  sourceKind: NonNullable<Feed['sourceKind']>;
  family: string | null;
  intervalHours: number;
  licence: string | null;
  homepage: string | null;
}

/** Installations publish domains from the same public lists, so together they count as one source. */
const installationsFamily = 'Linksieve installations';

function toPlan(input: FeedInput): FeedPlan {
  if (input.catalogueKey === undefined) {
    const { licence, homepage, url, ...feed } = input;
    if (input.name === undefined) throw invalidField('name', 'Please enter a name');
    if (url === undefined) throw invalidField('url', urlMessage);
    return {
      ...feed,
      name: toSourceName(input.name),
      url,
      catalogueKey: null,
      family: publishedListUrl.test(url) ? installationsFamily : null,
      licence: licence || null,
      homepage: homepage ?? null,
    };
  }
  const entry = catalogue.find(({ key }) => key === input.catalogueKey);
  if (!entry) throw invalidField('catalogueKey', `The catalogue has no list with the key ${input.catalogueKey}.`);
  const { key, name, url, kind, sourceKind, family, intervalHours, licence, homepage } = entry;
  return {
    catalogueKey: key,
    name,
    url,
    format: 'auto',
    kind,
    sourceKind: sourceKind ?? 'list',
    family,
    intervalHours,
    licence,
    homepage,
  };
}

/** Returns the name as it is stored. @throws 400 if it cannot be the name of a source */
function toSourceName(given: string): string {
  const read = readSources(given);
  const [name] = 'reason' in read ? [] : read.sources;
  if (name === undefined) throw invalidField('name', 'Please enter a name of up to 100 characters');
  if (name.toLowerCase() === communitySource) {
    throw invalidField('name', `The name ${communitySource} is reserved for sites that users submit.`);
  }
  return name;
}

/**
 * Adds a feed and starts its first download. The domains of a block list get the feed's name as their source.
 * @throws 400 for an unknown catalogue key or a name that cannot be used, 409 with `existingId` for a list of the
 *   catalogue that has a feed already, 409 for a taken name or while the listings of an earlier feed are being
 *   withdrawn
 */
export async function createFeed(
  { db, jobs, now }: FeedContext,
  input: FeedInput,
  user: Actor,
  audit: Audit,
): Promise<{ feed: Feed; runId: number }> {
  const { sourceKind: kind, family, ...plan } = toPlan(input);
  const created = db.transaction().execute(async (trx) => {
    const existingId = (await store.listSubscribed(trx)).get(plan.catalogueKey ?? '');
    if (existingId !== undefined) throw conflict(`You already subscribe to ${plan.name}.`, { existingId });
    const source = plan.kind === 'block' ? await prepareFeedSource(trx, { name: plan.name, kind, family }) : undefined;
    if (source?.run) await startSourceRun(trx, jobs, user, source.run);
    if (source && (await store.isWithdrawing(trx, source.id))) {
      throw conflict(`The listings of ${source.name} are being withdrawn. Try again in a few minutes.`);
    }
    const feed = { ...plan, name: source?.name ?? plan.name, sourceId: source?.id ?? null };
    const id = await store.insertFeed(trx, feed, now());
    const runId = await queueRun(trx, jobs, { feedId: id, now: now() });
    await audit(trx, { feed: feed.name, url: plan.url, kind: plan.kind });
    return { feed: await getFeed(trx, id), runId };
  });
  return await created.catch((error: unknown) => {
    throw isUniqueViolation(error) ? conflict(`There is already a feed with the name ${plan.name}.`) : error;
  });
}

async function startSourceRun(trx: Trx, jobs: Context['jobs'], user: Actor, run: NewSourceRun): Promise<void> {
  const { id } = await insertSourceRun(trx, user, run);
  await jobs.send(sourceRunQueue.name, { runId: id }, { db: fromKysely(trx) });
}

async function queueRun(
  trx: Trx,
  jobs: Context['jobs'],
  { feedId, now, action = 'refresh' }: { feedId: number; now: Date; action?: 'refresh' | 'withdraw' },
): Promise<number> {
  const runId = await runs.insertRun(trx, feedId, { action, now, message: queuedMessage });
  await jobs.send(feedQueue.name, { runId }, { db: fromKysely(trx) });
  return runId;
}

/**
 * Runs a change of a feed in a transaction.
 * @throws 503 if it would have to wait long for a run that writes the list
 */
function changeFeed<T>(db: Db, change: (trx: Trx) => Promise<T>): Promise<T> {
  return mapLockError(
    db.transaction().execute(async (trx) => {
      await setLockTimeout(trx, 10);
      return await change(trx);
    }),
  );
}

/**
 * Changes a feed. A new address or format cancels a run in progress and starts a refresh.
 * @throws 404, 400 for a value that cannot be used, 409 for a taken name, 503 while a run writes a long list
 */
export async function updateFeed(
  { db, jobs, now }: FeedContext,
  id: number,
  change: FeedChange,
  { user, audit }: { user: Actor; audit: Audit },
): Promise<Feed> {
  const name = change.name === undefined ? undefined : toSourceName(change.name);
  const updated = changeFeed(db, async (trx) => {
    const before = await store.findFeedForUpdate(trx, id);
    if (!before) throw notFound('feed', id);
    if (before.kind === 'allow' && change.sourceKind) {
      throw invalidField('sourceKind', 'A list that protects sites has no source kind.');
    }
    if (before.sourceId !== null && (name !== undefined || change.sourceKind)) {
      const { run } = await changeSource(trx, before.sourceId, { name, kind: change.sourceKind });
      if (run) await startSourceRun(trx, jobs, user, run);
    }
    const { url = before.url, format = before.format, enabled = before.enabled } = change;
    const { intervalHours = before.intervalHours } = change;
    const isOtherList = url !== before.url || format !== before.format;
    await store.updateFeedRow(trx, id, {
      url,
      format,
      enabled,
      interval_hours: intervalHours,
      ...(name !== undefined && { name }),
      ...(change.licence !== undefined && { licence: change.licence || null }),
      ...(change.homepage !== undefined && { homepage: change.homepage }),
      ...(isOtherList && { etag: null, last_modified: null, body_hash: null }),
      ...((intervalHours !== before.intervalHours || (enabled && !before.enabled)) && {
        next_run_at: store.nextRunAfter(intervalHours, now()),
      }),
    });
    if (isOtherList) {
      await runs.cancelRuns(trx, id, 'The address or the format of the list was changed.');
      if (enabled) await queueRun(trx, jobs, { feedId: id, now: now() });
    }
    await audit(trx, { feed: before.name, ...change });
    return await getFeed(trx, id);
  });
  return await updated.catch((error: unknown) => {
    throw isUniqueViolation(error) ? conflict(`There is already a source with the name ${name}.`) : error;
  });
}

/**
 * Deletes a feed. Its listings stay, as if they were imported, or are withdrawn in a run; the response waits for a
 * short one. The names of a list that protects sites are no longer protected.
 * @throws 404, 503 while a run writes a long list
 */
export async function deleteFeed(
  { db, jobs, now, respondWithinMs }: FeedContext & Pick<Context, 'respondWithinMs'>,
  id: number,
  listings: 'keep' | 'withdraw',
  audit: Audit,
): Promise<void> {
  const runId = await changeFeed(db, async (trx) => {
    const feed = await store.findFeedForUpdate(trx, id);
    if (!feed) throw notFound('feed', id);
    await runs.cancelRuns(trx, id, 'The feed was deleted.');
    await store.updateFeedRow(trx, id, { deleted_at: now(), name: feed.name, enabled: false });
    await audit(trx, { feed: feed.name, url: feed.url, listings });
    if (feed.sourceId === null || listings === 'keep') {
      await store.deleteNames(trx, id);
      return undefined;
    }
    return await queueRun(trx, jobs, { feedId: id, now: now(), action: 'withdraw' });
  });
  if (runId !== undefined) await waitUntilFinished(db, runId, respondWithinMs);
}

/** Waits until a run has finished, at most `timeoutMs`. */
export async function waitUntilFinished(db: Db, runId: number, timeoutMs: number): Promise<void> {
  const read = async () => ({ status: (await isUnfinished(db, 'feed_runs', runId)) ? 'processing' : 'completed' });
  await waitForRun(read, timeoutMs, new AbortController().signal);
}

/** Starts a refresh, or returns the id of the one in progress. @throws 404, 503 while a run writes a long list */
export async function startRefresh(
  { db, jobs, now }: FeedContext,
  id: number,
  audit: Audit,
): Promise<{ runId: number }> {
  return await changeFeed(db, async (trx) => {
    const feed = await store.findFeedForUpdate(trx, id);
    if (!feed) throw notFound('feed', id);
    const runId = (await runs.findUnfinishedRun(trx, id)) ?? (await queueRun(trx, jobs, { feedId: id, now: now() }));
    await audit(trx, { feed: feed.name, run: runId });
    return { runId };
  });
}

/** Executes a run at once, in a process without workers. Its job finds it finished then. */
export function executeFeedRun(context: RunContext, runId: number): Promise<void> {
  return runFeed({ ...context, runWork: runHere }, runId, new AbortController().signal);
}

/** Starts a refresh of each feed that is due, and continues withdrawals that failed. */
export async function startDueRuns({ db, jobs, now }: FeedContext): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const id of await store.lockDueFeeds(trx, now())) await queueRun(trx, jobs, { feedId: id, now: now() });
    for (const runId of await store.requeueFailedWithdrawals(trx, now(), queuedMessage)) {
      await jobs.send(feedQueue.name, { runId }, { db: fromKysely(trx) });
    }
  });
}

/** More than the 24 months that the updates page shows. */
const maxRunAgeMs = 25 * 31 * 24 * 60 * 60 * 1000;

/** Deletes runs that are too old for the updates page, and feeds that were deleted and have no runs. */
export async function deleteOldRuns(db: Db, now: Date): Promise<void> {
  await runs.deleteRunsBefore(db, new Date(now.getTime() - maxRunAgeMs));
}

/** Applies the copy of a run that needs review. @throws 404, 409 if it no longer needs it, 503 like `updateFeed` */
export async function acceptRun(
  { db, jobs }: FeedContext,
  { id, runId }: { id: number; runId: number },
  audit: Audit,
): Promise<{ runId: number }> {
  return await changeFeed(db, async (trx) => {
    const feed = await store.findFeedForUpdate(trx, id);
    const run = feed && (await runs.findRun(trx, id, runId));
    if (!feed || !run) throw notFound('run', runId);
    if (await runs.findUnfinishedRun(trx, id)) {
      throw conflict('A refresh of this feed is running. Try again when it has finished.');
    }
    if (!(await resumeRun(trx, 'feed_runs', runId, { accepted: true, message: queuedMessage }))) {
      throw conflict('This copy no longer needs review. Refresh the page.');
    }
    await jobs.send(feedQueue.name, { runId }, { db: fromKysely(trx) });
    await audit(trx, { feed: feed.name, run: runId });
    return { runId };
  });
}

/** Returns a page of the runs of a feed, newest first. @throws 404 */
export async function listFeedRuns(
  db: Db,
  id: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<FeedRun[]> {
  await getFeed(db, id);
  return (await runs.listRuns(db, id, { offset: page * pageSize, limit: pageSize })).map(runs.toFeedRun);
}

/** Returns metrics of the feeds for Prometheus. */
export function createFeedMetrics({ db, log }: Pick<Context, 'db' | 'log'>): Registry {
  const registry = new Registry();
  addGauges(registry, log, {
    read: async () => (await store.listFeedRows(db)).map((row) => ({ ...row, feed: row.name })),
    labels: ['feed'],
    gauges: {
      linksieve_feed_domains: {
        help: 'Domains that the feed lists or protects.',
        value: ({ domains }) => domains,
      },
      linksieve_feed_failures: { help: 'Failed runs since the last good one.', value: ({ failures }) => failures },
      linksieve_feed_needs_review: {
        help: 'Whether a copy needs review, 0 or 1.',
        value: ({ state }) => (state === 'review' ? 1 : 0),
      },
      linksieve_feed_last_success_timestamp_seconds: {
        help: 'When the list was last downloaded.',
        value: ({ lastSuccessAt }) => (lastSuccessAt ? lastSuccessAt.getTime() / 1000 : undefined),
      },
    },
  });
  return registry;
}
