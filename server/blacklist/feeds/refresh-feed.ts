import { type FeedFormat, maxRemovedShare, minHeldBackNames } from '#shared/blacklist/feeds.ts';
import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import { UnreadableFile } from '../../platform/csv/unreadable-file.ts';
import { inCopyTransaction } from '../../platform/db/copy.ts';
import type { Db } from '../../platform/db/database.ts';
import { locks, takeLock } from '../../platform/db/locks.ts';
import { completeRun } from '../../platform/jobs/runs.ts';
import { createOutbound, type OutboundOptions } from '../../platform/net/outbound.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { withdrawFromSource } from '../domains/domains.ts';
import { loadGuard } from '../guard/guard.ts';
import { holdListings, holdProtected } from '../held/held.ts';
import { mergeRows } from '../imports/merge.ts';
import { stageNames } from '../imports/queries.ts';
import { updateLastSeen } from '../sources/queries.ts';
import { type Download, downloadList, type Validators } from './download.ts';
import { type OpenList, openList, type Rejected } from './read-list.ts';
import * as store from './store-refresh.ts';
import {
  cancelReviews,
  completeFeed,
  deleteReview,
  feedPath,
  findRefresh,
  lockFeed,
  type RefreshCounts,
  type RefreshedFeed,
  toRunColumns,
  updateFeedRun,
} from './store-runs.ts';

export interface RefreshTask {
  runId: number;
  outbound: OutboundOptions;
  /** Replaces the origin of lists of the catalogue, if set. */
  mirror: { from: string; to: string } | undefined;
  /** A folder for the download, which the caller removes. */
  folder: string;
  now: Date;
}

export interface RefreshProgress {
  progress: number;
  message: string;
}

/** A list that protects sites is kept in memory by each import. */
const maxProtectedNames = 200_000;
const batchNames = 5000;

/** The result of a run that was cancelled meanwhile. */
const notNeeded = { isHeldBack: false, listed: 0, delisted: 0 };

/** The copy of a list that a run applies. */
interface Copy {
  /** Writes its names to the table `feed_copy`. */
  stage(trx: Db, copyFrom: Parameters<typeof store.stageCopy>[1]): Promise<void>;
  bytes: number | null;
  format: FeedFormat | null;
  rejected: Rejected;
  validators: Validators;
}

/**
 * Downloads the list of a feed, and lists or protects its names in one transaction, which also completes the run. A
 * copy that would remove many names is saved for a review instead, and changes nothing. Runs in a process of its own.
 * @returns whether the run waits for a review
 * @throws UnreadableFile if the list cannot be downloaded or read, and any database error
 */
export async function refreshFeed(
  { db, pool, onProgress }: ProcessContext<RefreshProgress>,
  task: RefreshTask,
): Promise<{ isHeldBack: boolean; listed: number; delisted: number }> {
  const planned = await findRefresh(db, task.runId);
  if (!planned) return notNeeded;
  await using copy = await openCopy(planned, task, onProgress);
  return await inCopyTransaction(pool, async (trx, copyFrom) => {
    onProgress({ progress: 40, message: 'Reading the list' });
    await copy.stage(trx, copyFrom);
    await takeLock(trx, locks.merge, () => onProgress({ progress: 45, message: 'Waiting for another list or import' }));
    await lockFeed(trx, planned.id);
    // Its name and kind may have changed during the download. A deletion or another address has cancelled the run.
    const feed = await findRefresh(trx, task.runId);
    if (!feed) return notNeeded;
    const { size, lastSize, missing } = await store.compareCopies(trx, feed.id);
    if (feed.kind === 'allow' && size > maxProtectedNames) {
      const limit = maxProtectedNames.toLocaleString('en-US');
      throw new UnreadableFile('too_large', `A list that protects sites can have up to ${limit} names.`);
    }
    if (!feed.isAccepted && missing >= minHeldBackNames && missing > lastSize * maxRemovedShare) {
      const { added, removed, isRepeated } = await store.saveForReview(trx, task.runId, feed);
      const counts = { added, removed, unchanged: size - added, held: 0, listed: 0, delisted: 0 };
      await updateFeedRun(trx, task.runId, toRunColumns(counts, copy));
      await cancelReviews(trx, feed.id, task.runId);
      const name = feed.source?.name ?? feed.name;
      const data = { feedId: feed.id, name, added, removed, url: feedPath(feed.id) };
      if (!isRepeated) await queueWebhookEvents(trx, [{ type: 'feed.review', userId: 'admins', data }], task.now);
      return { isHeldBack: true, listed: 0, delisted: 0 };
    }
    await deleteReview(trx, task.runId);
    const apply = feed.kind === 'block' ? listNames : protectNames;
    const counts = await apply(trx, feed, { ...task, size, onProgress });
    await cancelReviews(trx, feed.id, task.runId);
    await completeFeed(trx, feed, { names: size, isUnchanged: counts.added + counts.removed === 0, ...copy }, task.now);
    await completeRun(trx, 'feed_runs', task.runId, { ...toRunColumns(counts, copy), message: '' });
    return { isHeldBack: false, listed: counts.listed, delisted: counts.delisted };
  });
}

/** Opens the copy that waited for a review, the downloaded list, or the last good copy if the list has not changed. */
async function openCopy(
  feed: RefreshedFeed,
  { runId, outbound, mirror, folder }: RefreshTask,
  onProgress: (now: RefreshProgress) => void,
): Promise<Copy & AsyncDisposable> {
  const close = async () => undefined;
  if (feed.isAccepted) {
    const { bytes, detectedFormat: format, rejected, ...validators } = feed.reviewed;
    const stage = (trx: Db) => store.stageReviewedCopy(trx, runId);
    return { stage, bytes, format, rejected, validators, [Symbol.asyncDispose]: close };
  }
  const isMirrored = mirror !== undefined && feed.isFromCatalogue && feed.url.startsWith(`${mirror.from}/`);
  const url = isMirrored ? mirror.to + feed.url.slice(mirror.from.length) : feed.url;
  const report = (bytes: number, total = 1_000_000) =>
    onProgress({ progress: Math.min(39, Math.floor((40 * bytes) / total)), message: 'Downloading the list' });
  report(0);
  const download: Download = await downloadList(createOutbound(outbound), { url, known: feed.known }, folder, {
    onBytes: report,
  });
  const { bytes, path, validators } = download;
  if (path === undefined) {
    const stage = (trx: Db) => store.stageLastCopy(trx, feed.id);
    return { stage, bytes, format: feed.detectedFormat, rejected: {}, validators, [Symbol.asyncDispose]: close };
  }
  const list = await openList(path, feed.format, folder);
  const rejected: Rejected = {};
  return {
    stage: (trx, copyFrom) => store.stageCopy(trx, copyFrom, readNames(list, rejected)),
    bytes,
    format: list.format,
    rejected,
    validators,
    [Symbol.asyncDispose]: () => list[Symbol.asyncDispose](),
  };
}

/** Yields the names of a list, and adds the rejected lines to `rejected`. */
async function* readNames(list: OpenList, rejected: Rejected) {
  for await (const part of list.parts) {
    for (const [reason, count] of Object.entries(part.rejected)) {
      rejected[reason] = (rejected[reason] ?? 0) + count;
    }
    if (part.names.length > 0) yield part.names;
  }
}

interface ApplyOptions extends RefreshTask {
  /** The number of names in the copy. */
  size: number;
  onProgress(now: RefreshProgress): void;
}

/** Lists the names of the copy by the feed's source, and withdraws those that two copies in a row do not have. */
async function listNames(
  trx: Db,
  feed: RefreshedFeed,
  { runId, size, now, onProgress }: ApplyOptions,
): Promise<RefreshCounts> {
  const { source } = feed;
  if (!source) throw new Error(`The feed ${feed.id} has no source.`);
  const wanted = await store.stageNewNames(trx, source.id);
  await store.replaceNames(trx, feed.id, feed.isAccepted);
  const held = await holdGuardedNames(trx, source.id, now);
  await store.deleteSettledHeld(trx, source.id);
  await store.keepListed(trx, source.id);
  const merged = await mergeRows(trx, () => stageNames(trx, 'new_names', source), {
    addedBy: source.name,
    now,
    onRead: () => undefined,
    onWait: () => undefined,
    onLocked: async () => undefined,
    onProgress: (done, total) =>
      onProgress({ progress: 50 + Math.floor((40 * done) / Math.max(1, total)), message: 'Writing the domains' }),
  });
  onProgress({ progress: 90, message: 'Withdrawing listings' });
  const withdrawn = await withdrawNames(trx, source.id, now);
  await store.updateSeen(trx, source.id, now);
  await updateLastSeen(trx, [source.id], now);
  await store.insertChanges(trx, runId, 'new_names', false);
  await store.insertChanges(trx, runId, 'withdrawn_names', true);
  return {
    added: wanted - held.guarded,
    removed: withdrawn.withdrawn,
    unchanged: size - wanted,
    held: held.waiting,
    listed: merged.imported,
    delisted: withdrawn.delisted,
  };
}

/**
 * Moves the new names that the guard protects to the review queue.
 * @returns how many names are protected, and how many of these wait for a decision
 */
async function holdGuardedNames(trx: Db, sourceId: number, now: Date): Promise<{ guarded: number; waiting: number }> {
  const guard = await loadGuard(trx);
  const result = { guarded: 0, waiting: 0 };
  for await (const names of store.readNames(trx, 'new_names', batchNames)) {
    const rows = names.flatMap((domain) => {
      const protection = guard(domain);
      return protection ? [{ domain, sourceIds: [sourceId], reason: protection.reason, cells: {} }] : [];
    });
    if (rows.length === 0) continue;
    const { held } = await holdListings(trx, rows, now);
    const guarded = rows.map(({ domain }) => domain);
    await store.removeNewNames(trx, guarded);
    result.guarded += rows.length;
    result.waiting += held;
  }
  return result;
}

async function withdrawNames(trx: Db, sourceId: number, now: Date): Promise<{ withdrawn: number; delisted: number }> {
  const total = { withdrawn: 0, delisted: 0 };
  for await (const names of store.readNames(trx, 'withdrawn_names', batchNames)) {
    const { withdrawn, delisted } = await withdrawFromSource(trx, sourceId, names, now);
    total.withdrawn += withdrawn;
    total.delisted += delisted;
  }
  return total;
}

/**
 * Protects the names of the copy from being listed. Those that are on the blacklist move to the review queue, with
 * their subdomains.
 */
async function protectNames(
  trx: Db,
  feed: RefreshedFeed,
  { runId, size, now, onProgress }: ApplyOptions,
): Promise<RefreshCounts> {
  const added = await store.stageUnprotectedNames(trx, feed.id);
  const removed = await store.replaceNames(trx, feed.id, feed.isAccepted);
  await store.insertChanges(trx, runId, 'new_names', false);
  await store.insertChanges(trx, runId, 'withdrawn_names', true);
  let delisted = 0;
  if (added > 0) {
    const context = {
      db: trx,
      inTransaction: (change: (transaction: Db) => Promise<number>) => change(trx),
      now: () => now,
      onPage: (checked: number) =>
        onProgress({
          progress: 60,
          message: `Looking for protected sites on the blacklist, ${checked.toLocaleString('en-US')} checked`,
        }),
      onWait: () => undefined,
    };
    delisted = await holdProtected(context, { id: runId, userId: null, username: feed.name });
  }
  return { added, removed, unchanged: size - added, held: delisted, listed: 0, delisted };
}
