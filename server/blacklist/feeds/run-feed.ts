import { queueWebhookEvents } from '../../accounts/webhooks/webhooks.ts';
import type { Context } from '../../context.ts';
import { executeRun, type Run, type RunKind } from '../../platform/jobs/execute-run.ts';
import { refreshAfterMerge } from '../imports/merge.ts';
import { catalogueOrigin } from './catalogue.ts';
import type { refreshFeed } from './refresh-feed.ts';
import { failFeed, feedPath, findAction, postponeFeed } from './store-runs.ts';
import type { withdrawFeed } from './withdraw-feed.ts';

/** The message of a run that waits for its worker. */
export const queuedMessage = 'Waiting to start';

/** Enough for a list of any size, because names are streamed. Lists that protect sites are kept in memory. */
const maxMemoryMb = 256;

/** The parts of the context that a run needs. */
export type RunContext = Pick<
  Context,
  'config' | 'db' | 'pool' | 'databaseUrl' | 'runWork' | 'files' | 'log' | 'now' | 'outbound'
>;

/** Runs one refresh or withdrawal as `executeRun` describes. */
export async function runFeed(context: RunContext, runId: number, signal: AbortSignal): Promise<void> {
  const { db, now } = context;
  const action = await findAction(db, runId);
  if (!action) return;
  const kind: RunKind = {
    table: 'feed_runs',
    queuedMessage,
    failedMessage: 'Something went wrong on our side. Linksieve tries again later.',
    // A withdrawal has no next download to plan.
    ...(action === 'refresh' && {
      async onFailure(trx, fail) {
        const failed = await failFeed(trx, runId, now(), fail);
        if (!failed) return;
        const data = { ...failed, url: feedPath(failed.feedId) };
        await queueWebhookEvents(trx, [{ type: 'feed.failed', userId: 'admins', data }], now());
      },
    }),
  };
  await executeRun(context, kind, { id: runId, stopping: signal }, (run) =>
    action === 'refresh' ? refresh(context, runId, run) : withdraw(context, runId, run),
  );
}

async function refresh(context: RunContext, runId: number, run: Run): Promise<void> {
  const { config, db, files, now, outbound } = context;
  // A process that is ended cannot remove its temporary files.
  const folder = await files.createFolder();
  const mirror = config.feedMirrorUrl ? { from: catalogueOrigin, to: config.feedMirrorUrl } : undefined;
  try {
    const { isHeldBack, listed, delisted } = await context.runWork<typeof refreshFeed>(
      context,
      { module: new URL('./refresh-feed.ts', import.meta.url), name: 'refreshFeed' },
      { runId, outbound: outbound.options, mirror, folder: files.locate(folder), now: now() },
      { signal: run.signal, onProgress: run.onProgress, maxMemoryMb },
    );
    if (isHeldBack) {
      await postponeFeed(db, runId, now());
      run.waitForAnswer({ progress: 100, message: '' });
    } else {
      await refreshAfterMerge(db, { imported: listed, updated: delisted });
    }
  } finally {
    await files.remove(folder);
  }
}

async function withdraw(context: RunContext, runId: number, run: Run): Promise<void> {
  await context.runWork<typeof withdrawFeed>(
    context,
    { module: new URL('./withdraw-feed.ts', import.meta.url), name: 'withdrawFeed' },
    { runId, now: context.now() },
    { signal: run.signal, onProgress: run.onProgress, maxMemoryMb },
  );
}
