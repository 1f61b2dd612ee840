import type { UploadQuestion } from '#shared/backlinks.ts';
import type { Context } from '../context.ts';
import { UnreadableFile } from '../csv/unreadable-file.ts';
import { executeRun, type RunKind } from '../jobs/execute-run.ts';
import { job } from '../jobs/job.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { open } from '../jobs/runs.ts';
import type { analyzeFiles } from './analyze-files.ts';
import { findAnalysisTask } from './store.ts';

/** Has the paths too, because deleting a profile also deletes the rows of its analyses, but not their files. */
export interface AnalysisJob {
  analysisId: string;
  filePaths: string[];
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

/** The heap grows with the number of distinct hosts: this is enough for about five million. */
const maxMemoryMb = 1024;

/** Runs one analysis as `executeRun` describes, and removes the files at the end unless it has not ended. */
export async function runAnalysis(
  context: AnalysisContext,
  { analysisId: id, filePaths }: AnalysisJob,
  signal: AbortSignal,
): Promise<void> {
  const { db, files } = context;
  const task = await findAnalysisTask(db, id);
  if (task) {
    const { status: _, ...upload } = task;
    // A thread that is ended cannot remove its temporary files.
    const folder = await files.createFolder();
    try {
      await executeRun(context, analysisRunKind, id, signal, async (run) => {
        const question = await runInThread<typeof analyzeFiles>(
          context,
          { module: new URL('./analyze-files.ts', import.meta.url), name: 'analyzeFiles' },
          { id, folder, ...upload },
          { ...run, maxMemoryMb },
        ).catch(mapOutOfMemory);
        if (question) run.waitForAnswer(toWaiting(question, upload.ownHost));
      });
    } finally {
      await files.remove(folder);
    }
  }
  // The user may already have answered a question, so that the analysis is queued again.
  const status = (await findAnalysisTask(db, id))?.status;
  if (open.some((one) => one === status)) return;
  for (const path of filePaths) await files.remove(path);
}

function toWaiting(question: UploadQuestion, ownHost: string) {
  const message =
    question.about === 'site'
      ? `This export is for ${question.site}. Analyze it for ${ownHost} anyway?`
      : `Which column of ${question.file} contains the pages that link to you?`;
  return { question: JSON.stringify(question), message };
}

/** Turns the out-of-memory error of the thread into an error that tells the user to split the file. */
function mapOutOfMemory(error: unknown): never {
  const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (!isOutOfMemory) throw error;
  throw new UnreadableFile(
    'too_many_hosts',
    'This file has links from too many different sites for one analysis. Split it into smaller uploads.',
  );
}
