import type { Context } from '../context.ts';
import { tidyCountsSoon } from '../domains/domains.ts';
import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { importFile } from './import-file.ts';
import { refreshStatistics } from './merge.ts';
import { findImportedFile, progressColumns } from './store.ts';

/** The row counts the attempts, because stopping a server must not use them up: the queue itself never gives up. */
export const importQueue = { name: 'import', retryLimit: 1000 };

export const importJob = job<{ importId: string }>({
  queue: importQueue,
  async run(context, { importId }, signal) {
    await runImport(context, importId, signal);
    await tidyCountsSoon(context);
  },
});

const imports: RunKind = {
  table: 'imports',
  queuedMessage: '',
  failedMessage: 'Something went wrong on our side. Nothing was imported. Please try again.',
  cleared: { imported_count: 0, updated_count: 0 },
};

/** Enough for any file, since rows are not kept. */
const maxMemoryMb = 128;

/** What the work needs of the process. */
export type ImportContext = Pick<Context, 'db' | 'pool' | 'databaseUrl' | 'files' | 'log' | 'now'>;

/** The work on one import, see executeRun. The file is removed at the end. */
export async function runImport(context: ImportContext, id: string, signal: AbortSignal): Promise<void> {
  const { db, files, now } = context;
  const file = await findImportedFile(db, id);
  if (!file) return;
  await executeRun(context, imports, id, signal, async (run) => {
    const counts = await runInThread<typeof importFile>(
      context,
      { module: new URL('./import-file.ts', import.meta.url), name: 'importFile' },
      { id, ...file, now: now() },
      { signal: run.signal, onProgress: (progress) => run.onProgress(progressColumns(progress)), maxMemoryMb },
    );
    await refreshStatistics(db, counts);
  });
  await files.remove(file.path);
}
