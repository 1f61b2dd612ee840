import type { Context } from '../context.ts';
import { listFilesInUse } from './store.ts';

/** No upload is still received, imported or analysed after a day. */
const dayLong = 24 * 60 * 60 * 1000;

/** Removes uploaded files that a crash has left behind. */
export async function sweepUploads({ db, files, log }: Context): Promise<void> {
  const removed = await files.sweep(new Set(await listFilesInUse(db)), dayLong);
  if (removed > 0) log.info({ removed }, 'removed uploads that were left behind');
}
