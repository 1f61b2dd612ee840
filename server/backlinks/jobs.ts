import type { Context } from '../context.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { analyseFile } from './analyse-file.ts';
import { findAnalysedFile } from './store.ts';

/** The path is here too, because a deleted profile takes the row of its analysis with it. */
export interface AnalysisJob {
  analysisId: string;
  filePath: string;
}

/** The row counts the attempts, because stopping a server must not use them up: the queue itself never gives up. */
export const analysisJob = job<AnalysisJob>({ queue: { name: 'analyses', retryLimit: 1000 }, run: runAnalysis });

export const analyses = {
  table: 'analyses',
  queuedMessage: 'Waiting for its turn',
  failedMessage: 'Something went wrong on our side. Please try again.',
} satisfies RunKind;

/** What the work needs of the process. */
export type AnalysisContext = Pick<Context, 'db' | 'pool' | 'databaseUrl' | 'files' | 'log'>;

/** Distinct hosts are what takes memory: this is enough for some five million. */
const maxMemoryMb = 1024;

/** The work on one analysis, see executeRun. The file is removed at the end. */
export async function runAnalysis(
  context: AnalysisContext,
  { analysisId: id, filePath: path }: AnalysisJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, files } = context;
  const file = await findAnalysedFile(db, id);
  if (file) {
    await executeRun(context, analyses, id, signal, (run) =>
      runInThread<typeof analyseFile>(
        context,
        { module: new URL('./analyse-file.ts', import.meta.url), name: 'analyseFile' },
        { id, path, ...file },
        { ...run, maxMemoryMb },
      ).catch(refuseTooManyHosts),
    );
  }
  await files.remove(path);
}

function refuseTooManyHosts(error: unknown): never {
  const isTooMuch = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isTooMuch) throw error;
  throw new UnreadableFile(
    'too_many_hosts',
    'This file names too many different sites for one analysis. Please split it into smaller files.',
  );
}
