import type { Context } from './context.ts';
import { job } from './platform/jobs/job.ts';
import { expireQuestions } from './reports/backlinks/backlinks.ts';
import { topics } from './topics.ts';

/** A younger file may belong to an upload whose row is not written yet. */
const minAgeMs = 24 * 60 * 60 * 1000;

/** All topics store their uploads in one folder. Each topic lists the files that it still needs. */
export const sweepUploadsJob = job<object>({
  queue: { name: 'sweep-uploads', retryLimit: 0 },
  cron: '17 * * * *',
  run: sweepUploads,
});

/** Removes uploaded files that a crash left behind. Files of unfinished work stay, however old they are. */
async function sweepUploads(context: Context): Promise<void> {
  await expireQuestions(context);
  await removeOrphans(context, minAgeMs);
}

/**
 * Removes what killed processes left, including temporary folders. Only for a process that has the files for itself:
 * what is older than it and in no row belongs to nobody.
 */
export async function removeLeftovers(context: Context): Promise<void> {
  await removeOrphans(context, process.uptime() * 1000);
}

async function removeOrphans(context: Context, olderThanMs: number): Promise<void> {
  const { files, log } = context;
  const inUse = await Promise.all(topics.map(({ listFiles }) => listFiles?.(context) ?? []));
  const removed = await files.sweep(new Set(inUse.flat()), olderThanMs);
  if (removed > 0) log.info({ removed }, 'removed orphaned uploads');
}
