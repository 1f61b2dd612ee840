import type { Context } from '../context.ts';
import { type Progress, updateProgress } from './store.ts';

/** Keeps the row of an import up to date for whoever polls it, outside the transaction of the import. */
export interface ProgressReport {
  /** What is true from now on. Written at most twice a second. */
  now: Progress;
  set(change: Partial<Progress>): void;
  /** Ends writing; after it the row belongs to the caller. */
  stop(): Promise<void>;
}

const interval = 500;

export function reportProgress({ db, log }: Pick<Context, 'db' | 'log'>, importId: string): ProgressReport {
  const now: Progress = {
    progress: 0,
    processedCount: 0,
    failedCount: 0,
    totalCount: null,
    imported: 0,
    updated: 0,
    message: 'Reading the file.',
  };
  let changed = true;
  let writing: Promise<void> | undefined;
  const write = () => {
    if (!changed || writing) return;
    changed = false;
    writing = updateProgress(db, importId, { ...now })
      .catch((error) => log.warn({ err: error, importId }, 'the progress of an import was not written'))
      .finally(() => {
        writing = undefined;
      });
  };
  write();
  const timer = setInterval(write, interval);
  return {
    now,
    set(change) {
      Object.assign(now, change);
      changed = true;
    },
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
