import type { Feed } from '#shared/blacklist/feeds.ts';
import type { Context } from '../../context.ts';
import { auditCommand } from '../../platform/audit/audit.ts';
import { HttpError, invalid } from '../../platform/http/errors.ts';
import { runCommand } from '../../run-command.ts';
import { createFeed, feedQueue, getFeed, listCatalogue, waitUntilFinished } from './feeds.ts';
import { type RunContext, runFeed } from './run-feed.ts';

const usage = 'Usage: npm run admin -- feeds list, or feeds add KEY';

/**
 * Runs `npm run admin -- feeds list`, which prints the catalogue, or `feeds add KEY`, which subscribes to one of its
 * lists and downloads it. On failure prints the reason and sets the exit code to 1.
 */
export async function runFeedCommand(
  context: RunContext & Pick<Context, 'jobs'>,
  [command, key]: string[],
  print?: (line: string) => void,
): Promise<void> {
  await runCommand(async () => {
    if (command === 'list') return await printCatalogue(context);
    if (command === 'add' && key) return await addFeed(context, key);
    throw invalid(usage);
  }, print);
}

async function printCatalogue({ db }: Pick<Context, 'db'>): Promise<string> {
  const entries = await listCatalogue(db);
  const width = Math.max(...entries.map(({ key }) => key.length));
  return entries
    .map(({ key, name, approximateSize, licence, subscribed }) => {
      const size = `${approximateSize.toLocaleString('en-US')} domains`;
      return `${key.padEnd(width)}  ${name}, ${size}, ${licence}${subscribed ? ' (added)' : ''}`;
    })
    .join('\n');
}

async function addFeed(context: RunContext & Pick<Context, 'jobs'>, catalogueKey: string): Promise<string> {
  const { db, now } = context;
  const input = { catalogueKey, format: 'auto', kind: 'block', sourceKind: 'list', intervalHours: 24 } as const;
  const { feed, runId } = await createFeed(
    context,
    input,
    { id: null, username: 'command line' },
    (trx, details = {}) => auditCommand({ db: trx, now }, 'Added a feed', details),
  );
  await workUntilFinished(context, runId);
  return describeResult(await getFeed(db, feed.id));
}

/** Works on the queue until a run has finished. If a server is running too, only one of them downloads the list. */
async function workUntilFinished(context: RunContext & Pick<Context, 'jobs'>, runId: number): Promise<void> {
  const { db, jobs } = context;
  await jobs.work<{ runId: number }>(feedQueue.name, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await runFeed(context, job.data.runId, job.signal);
  });
  try {
    await waitUntilFinished(db, runId, Number.POSITIVE_INFINITY);
  } finally {
    await jobs.offWork(feedQueue.name);
  }
}

function describeResult({ name, kind, domains, lastRun }: Feed): string {
  const error = lastRun?.error;
  if (error) {
    throw new HttpError(
      503,
      'unavailable',
      `${name} was added, but its list could not be loaded: ${error} The server tries again.`,
    );
  }
  const count = domains === 1 ? '1 domain' : `${domains.toLocaleString('en-US')} domains`;
  const held = lastRun?.held
    ? ` ${lastRun.held.toLocaleString('en-US')}${lastRun.held === 1 ? ' is' : ' are'} held for review.`
    : '';
  return `${name} was added. It ${kind === 'block' ? 'lists' : 'protects'} ${count}.${held}`;
}
