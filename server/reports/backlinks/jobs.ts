import { fromKysely } from 'pg-boss';
import type { UploadQuestion } from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import { readKind } from '../../platform/archives/kind.ts';
import { isUnreadableFile } from '../../platform/csv/unreadable-file.ts';
import type { Db } from '../../platform/db/database.ts';
import { isTransientDbError } from '../../platform/db/transient-error.ts';
import { isMissing } from '../../platform/files/files.ts';
import { conflict } from '../../platform/http/errors.ts';
import { executeRun, type Run, type RunKind } from '../../platform/jobs/execute-run.ts';
import { job } from '../../platform/jobs/job.ts';
import { isInterrupted, open } from '../../platform/jobs/runs.ts';
import { OutOfMemory, type TaskProcess } from '../../platform/processes/run-in-process.ts';
import type { analyzeFiles } from './analyze-files.ts';
import { type AnalysisFile, type AnalysisTask, countOpenOfUser, findAnalysisTask } from './store.ts';

/** Has the paths too, because deleting a website also deletes the rows of its analyses, but not their files. */
export interface AnalysisJob {
  analysisId: string;
  filePaths: string[];
  /** Another process runs the analysis. This job is for the case that it cannot finish. */
  isSpare?: boolean;
}

/** The delay of a spare job. */
const spareSeconds = 15;

/** Practically unlimited retries: the row limits the attempts, because restarts of the server must not use them up. */
const retryLimit = 1000;

/** The heap grows with the number of distinct hosts: this is enough for about five million. */
export const maxLargeMemoryMb = 1024;
const analysisQueue = { name: 'analyses', retryLimit };

export const analysisJob = job<AnalysisJob>({
  queue: analysisQueue,
  async run(context, data, signal) {
    if (!data.isSpare || (await isInterrupted(context.db, 'analyses', data.analysisId)))
      return runAnalysis(context, data, signal, { maxMemoryMb: maxLargeMemoryMb });
    await context.jobs.send(analysisQueue.name, data, { startAfter: spareSeconds });
  },
});

/** Small uploads have their own queue, so that they never wait for a large one. */
const smallAnalysisJob = job<AnalysisJob>({
  queue: { name: 'small-analyses', retryLimit },
  concurrency: 2,
  run: (context, data, signal) => runAnalysis(context, data, signal, { maxMemoryMb: 256 }),
});

export const analysisJobs = [analysisJob, smallAnalysisJob];

/** An upload of at most this size is small. It is read in well under a second. */
export const maxSmallBytes = 4 * 1024 * 1024;
/** What an archive or workbook contains is usually at most this many times larger. */
const maxUsualRatio = 20;

/**
 * Sends the job of an analysis. Large analyses run one after the other: first those of accounts that have no other one
 * unfinished, so that nobody waits for all files of another account.
 * @param options `jobId`: the id of the job; without it, the job gets another one. `isSpare`: this process runs the
 *   analysis, and the job is for the case that it cannot finish.
 */
export async function queueAnalysis(
  { files: store, jobs }: Pick<Context, 'files' | 'jobs'>,
  trx: Db,
  { id, userId, files }: { id: string; userId: number; files: readonly AnalysisFile[] },
  { jobId, isSpare = false }: { jobId?: string; isSpare?: boolean } = {},
): Promise<AnalysisJob> {
  const data: AnalysisJob = { analysisId: id, filePaths: files.map(({ path }) => path), ...(isSpare && { isSpare }) };
  const isSmall = !isSpare && (await estimateBytes(store, files)) <= maxSmallBytes;
  const { queue } = isSmall ? smallAnalysisJob : analysisJob;
  const priority = 1 - (await countOpenOfUser(trx, userId));
  const sent = await jobs.send(queue.name, data, {
    priority,
    db: fromKysely(trx),
    ...(jobId !== undefined && { id: jobId }),
    ...(isSpare && { startAfter: spareSeconds }),
  });
  // An earlier job with the same id remains, although its analysis was deleted with its website.
  if (sent === null) throw conflict('There is already an upload with this id.');
  return data;
}

/**
 * Returns about how many bytes of text the files contain. Takes a file that this machine does not have for an archive.
 */
async function estimateBytes(store: Context['files'], files: readonly AnalysisFile[]): Promise<number> {
  let total = 0;
  for (const { path, bytes } of files) {
    const kind = await readKind(store.locate(path)).catch((error: unknown) => {
      // Another machine has it, or it is gone, which the analysis reports.
      if (isMissing(error)) return 'unknown';
      throw error;
    });
    total += kind === 'other' ? bytes : bytes * maxUsualRatio;
  }
  return total;
}

export const analysisRunKind = {
  table: 'analyses',
  queuedMessage: 'Waiting to start',
  failedMessage: 'Something went wrong on our side. Please try again.',
} satisfies RunKind;

/** The parts of the context that an analysis needs. */
export type AnalysisContext = Pick<Context, 'db' | 'pool' | 'databaseUrl' | 'runWork' | 'files' | 'log'>;

interface AnalysisOptions {
  maxMemoryMb: number;
  /** A process that may have read the files already (`readAhead`). It ends with the analysis. */
  warm?: TaskProcess | undefined;
}

/** Runs one analysis as `executeRun` describes, and removes the files at the end unless it has not ended. */
export async function runAnalysis(
  context: AnalysisContext,
  { analysisId: id, filePaths }: AnalysisJob,
  signal: AbortSignal,
  { maxMemoryMb, warm }: AnalysisOptions,
): Promise<void> {
  const { db, files } = context;
  const task = await findAnalysisTask(db, id);
  if (task) {
    // A process that is ended cannot remove its temporary files.
    const folder = await files.createFolder();
    try {
      await executeRun(context, analysisRunKind, { id, stopping: signal }, async (run) => {
        const start = (own?: TaskProcess) => analyze(context, { task, folder }, run, { maxMemoryMb, own });
        // What a warm process cannot do is done again without it.
        const question = await (warm?.isRunning()
          ? start(warm).catch((error: unknown) => {
              run.signal.throwIfAborted();
              if ((isUnreadableFile(error) && !(error instanceof OutOfMemory)) || isTransientDbError(error))
                throw error;
              context.log.warn({ err: error, id }, 'an analysis starts again in another process');
              return start();
            })
          : start());
        if (question) run.waitForAnswer(toWaiting(question, task.ownHost));
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

function analyze(
  context: AnalysisContext,
  { task: { status: _, ...task }, folder }: { task: AnalysisTask & { status: string }; folder: string },
  run: Run,
  options: { maxMemoryMb: number; own: TaskProcess | undefined },
): Promise<UploadQuestion | undefined> {
  const paths = task.files.map(({ path }) => path);
  return context.files.withCopies(paths, run.signal, (copies) =>
    context.runWork<typeof analyzeFiles>(
      context,
      { module: new URL('./analyze-files.ts', import.meta.url), name: 'analyzeFiles' },
      {
        task: { ...task, files: task.files.map((file, i) => ({ ...file, path: copies[i] ?? file.path })) },
        folder: context.files.locate(folder),
      },
      { ...run, ...options },
    ),
  );
}

function toWaiting(question: UploadQuestion, ownHost: string) {
  return { question: JSON.stringify(question), message: toMessage(question, ownHost) };
}

function toMessage(question: UploadQuestion, ownHost: string): string {
  if (question.about === 'site') return `This export is for ${question.site}. Analyze it for ${ownHost} anyway?`;
  if (question.about === 'disavow') return `This is a disavow file. Merge it with the decisions for ${ownHost}?`;
  return `Which column of ${question.file} contains the pages that link to you?`;
}
