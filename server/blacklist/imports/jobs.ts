import type { Context } from '../../context.ts';
import { executeRun, type RunKind } from '../../platform/jobs/execute-run.ts';
import { job } from '../../platform/jobs/job.ts';
import { queueCompactCounts } from '../domains/domains.ts';
import { queueSourceRuns } from '../sources/queue-runs.ts';
import type { importFile } from './import-file.ts';
import { refreshAfterMerge } from './merge.ts';
import { findImportedFile, progressColumns } from './store.ts';

/** Practically unlimited retries: the row limits the attempts, because restarts of the server must not use them up. */
export const importQueue = { name: 'import', retryLimit: 1000 };

export const importJob = job<{ importId: string }>({
  queue: importQueue,
  async run(context, { importId }, signal) {
    await runImport(context, importId, signal);
    await queueSourceRuns(context);
    await queueCompactCounts(context);
  },
});

const importRunKind: RunKind = {
  table: 'imports',
  queuedMessage: '',
  failedMessage: 'Something went wrong on our side. Nothing was imported. Please try again.',
  cleared: { imported_count: 0, updated_count: 0, unchanged_count: 0 },
};

/** Enough for a file of any size, because rows are streamed. */
const maxMemoryMb = 128;

/** The parts of the context that an import needs. */
export type ImportContext = Pick<Context, 'db' | 'pool' | 'databaseUrl' | 'runWork' | 'files' | 'log' | 'now'>;

/** Runs one import as `executeRun` describes, and removes the file at the end. */
export async function runImport(context: ImportContext, id: string, signal: AbortSignal): Promise<void> {
  const { db, files, now } = context;
  const file = await findImportedFile(db, id);
  if (!file) return;
  await executeRun(context, importRunKind, { id, stopping: signal }, async (run) => {
    // A process that is ended cannot remove its temporary files.
    const folder = await files.createFolder();
    try {
      const counts = await files.withCopies([file.path], run.signal, ([path = '']) =>
        context.runWork<typeof importFile>(
          context,
          { module: new URL('./import-file.ts', import.meta.url), name: 'importFile' },
          { id, ...file, path, folder: files.locate(folder), now: now() },
          { signal: run.signal, onProgress: (progress) => run.onProgress(progressColumns(progress)), maxMemoryMb },
        ),
      );
      if (!file.dryRun) await refreshAfterMerge(db, counts);
    } finally {
      await files.remove(folder);
    }
  });
  await files.remove(file.path);
}
