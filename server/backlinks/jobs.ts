import type { Context } from '../context.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { analyzeFile } from './analyze-file.ts';
import { findAnalyzedFile } from './store.ts';

/** Has the path too, because deleting a profile also deletes the rows of its analyses, but not their files. */
export interface AnalysisJob {
  analysisId: string;
  filePath: string;
}

/** Practically unlimited retries: the row limits the attempts, because restarts of the server must not use them up. */
export const analysisJob = job<AnalysisJob>({ queue: { name: 'analyses', retryLimit: 1000 }, run: runAnalysis });

export const analysisRunKind = {
  table: 'analyses',
  queuedMessage: 'Waiting to start',
  failedMessage: 'Something went wrong on our side. Please try again.',
} satisfies RunKind;

/** The parts of the context that an analysis needs. */
export type AnalysisContext = Pick<Context, 'db' | 'pool' | 'databaseUrl' | 'files' | 'log'>;

/** Memory grows with the number of distinct hosts: this is enough for about five million. */
const maxMemoryMb = 1024;

/** Runs one analysis as `executeRun` describes, and removes the file at the end. */
export async function runAnalysis(
  context: AnalysisContext,
  { analysisId: id, filePath: path }: AnalysisJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, files } = context;
  const file = await findAnalyzedFile(db, id);
  if (file) {
    await executeRun(context, analysisRunKind, id, signal, (run) =>
      runInThread<typeof analyzeFile>(
        context,
        { module: new URL('./analyze-file.ts', import.meta.url), name: 'analyzeFile' },
        { id, path, ...file },
        { ...run, maxMemoryMb },
      ).catch(mapOutOfMemory),
    );
  }
  await files.remove(path);
}

/** Turns the out-of-memory error of the thread into an error that tells the user to split the file. */
function mapOutOfMemory(error: unknown): never {
  const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isOutOfMemory) throw error;
  throw new UnreadableFile(
    'too_many_hosts',
    'This file has links from too many different sites for one analysis. Split it into smaller files.',
  );
}
