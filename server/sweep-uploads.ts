import { listAnalysisFiles } from './backlinks/backlinks.ts';
import type { Context } from './context.ts';
import { listImportFiles } from './imports/imports.ts';
import { job } from './jobs/job.ts';

/** A file younger than this may belong to an upload whose row is not written yet. */
const dayLong = 24 * 60 * 60 * 1000;

/** Uploads share one folder, so this belongs to no topic: each that keeps files there says which it still needs. */
export const sweepUploadsJob = job<object>({
  queue: { name: 'sweep-uploads', retryLimit: 0 },
  cron: '17 * * * *',
  run: sweepUploads,
});

/** Removes uploaded files that a crash has left behind. Work that waits keeps its file, however long. */
async function sweepUploads({ db, files, log }: Context): Promise<void> {
  const inUse = await Promise.all([listImportFiles(db), listAnalysisFiles(db)]);
  const removed = await files.sweep(new Set(inUse.flat()), dayLong);
  if (removed > 0) log.info({ removed }, 'removed uploads that were left behind');
}
