import { randomUUID } from 'node:crypto';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import {
  type Analysis,
  analyzeBacklinks,
  type answerQuestion,
  type UploadQuestion,
} from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, HttpError, invalidField, notFound } from '../../platform/http/errors.ts';
import { cancelRun, resumeRun, waitForRun } from '../../platform/jobs/runs.ts';
import { readNewDisavowFile, recordUpload } from '../disavow-files/disavow-files.ts';
import { type NewDisavowFile, storeNewFile } from '../disavow-files/read-files.ts';
import { getSummaryWithBacklinks } from '../reports/reports.ts';
import { findOrAddWebsite } from '../websites/websites.ts';
import {
  type AnalysisContext,
  analysisJobs,
  analysisRunKind,
  maxLargeMemoryMb,
  queueAnalysis,
  runAnalysis,
} from './jobs.ts';
import * as store from './store.ts';

/**
 * Analyzes stored files immediately instead of queueing them, for a process that fills a database before it serves.
 * Removes the files.
 * @returns the report's id
 * @throws with the analysis's message if it fails
 */
export async function analyzeStoredFiles(
  context: AnalysisContext,
  {
    userId,
    ask = false,
    ...upload
  }: Pick<store.AnalysisTask, 'websiteId' | 'files'> & { userId: number; ask?: boolean },
): Promise<number> {
  const { db } = context;
  const task = { ...upload, id: randomUUID(), fileName: store.toFileName(upload.files), column: null, ask };
  await store.insertAnalysis(db, userId, task, analysisRunKind.queuedMessage);
  const job = { analysisId: task.id, filePaths: task.files.map(({ path }) => path) };
  await runAnalysis(context, job, new AbortController().signal, { maxMemoryMb: maxLargeMemoryMb });
  const finished = await store.findAnalysis(db, userId, task.id);
  if (!finished?.reportId) throw new Error(`The analysis of ${finished?.fileName} failed: ${finished?.message}`);
  return finished.reportId;
}

/** Returns the paths of the uploaded files that queued, running and waiting analyses still need. */
export async function listAnalysisFiles(db: Db): Promise<string[]> {
  return (await store.listOpen(db)).flatMap(({ files }) => files.map(({ path }) => path));
}

const maxWaitingMs = 7 * 24 * 60 * 60 * 1000;

/** Fails the analyses whose question nobody answered for a week, and removes their files. */
export async function expireQuestions({ db, files, now }: Pick<Context, 'db' | 'files' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - maxWaitingMs);
  const message = 'The question about this upload was not answered within 7 days. Upload the file again.';
  for (const expired of await store.failWaiting(db, before, message)) {
    for (const { path } of expired.files) await files.remove(path);
  }
}

/**
 * Waits until the analysis has finished or asks a question, but not longer than `respondWithinMs`.
 * @throws 400 if its files were refused, 500 if it failed
 */
export async function waitForAnalysis(
  { db, respondWithinMs }: Context,
  userId: number,
  id: string,
  signal: AbortSignal,
): Promise<Analysis> {
  const row = await waitForRun(() => getRow(db, userId, id), respondWithinMs, signal);
  if (row.refused) throw invalidField(analyzeBacklinks.upload, row.message);
  if (row.status === 'failed') throw new HttpError(500, 'internal', row.message);
  return withResult(db, userId, row);
}

/**
 * Stores the answer to the question of a waiting analysis and queues it again.
 * @throws 404 if the user has no such analysis, 409 if it is not waiting, 400 if the answer does not fit the question,
 *   and what prevents a disavow file from being added to the website, or another website from being added
 */
export async function answer(
  context: Context,
  userId: number,
  id: string,
  { given, signal, commit = (work) => work(context) }: AnswerOptions,
): Promise<void> {
  const disavow = given.merge ? await readMergedFile(context, userId, id, signal) : undefined;
  let isStored = false;
  await commit(async (once) => {
    await storeAnswer(once, userId, id, { given, disavow });
    isStored = true;
  });
  if (disavow && isStored) await context.files.remove(disavow.path);
}

interface AnswerOptions {
  given: Answer;
  signal: AbortSignal;
  /** Runs the work on the database, or does not if it was done before. What takes long comes first. */
  commit?(work: (context: Context) => Promise<void>): Promise<unknown>;
}

type Answer = BodyOf<typeof answerQuestion>;

interface MergedFile {
  path: string;
  file: NewDisavowFile;
}

/** Reads the disavow file that a question is about. @returns undefined if the analysis waits for no such answer */
async function readMergedFile(
  context: Context,
  userId: number,
  id: string,
  signal: AbortSignal,
): Promise<MergedFile | undefined> {
  const row = await getRow(context.db, userId, id);
  const uploaded =
    row.question?.about === 'disavow' ? row.files.find(({ name }) => name === row.question?.file) : undefined;
  if (row.status !== 'waiting' || !uploaded) return undefined;
  await recordUpload(context, userId);
  try {
    const website = { userId, websiteId: row.websiteId };
    const file = await readNewDisavowFile(context, website, { ...uploaded, fileName: uploaded.name }, signal);
    return { path: uploaded.path, file };
  } catch (error) {
    // An answer at the same time removes the file.
    if ((await getRow(context.db, userId, id)).status === 'waiting') throw error;
    return undefined;
  }
}

async function storeAnswer(
  context: Context,
  userId: number,
  id: string,
  { given, disavow }: { given: Answer; disavow: MergedFile | undefined },
): Promise<void> {
  const row = await getRow(context.db, userId, id);
  if (row.status !== 'waiting' || !row.question) throw conflict(notWaiting);
  if (row.question.about === 'disavow') {
    if (!given.merge) throw invalidField('merge', 'Confirm that you want to merge the disavow file.');
    if (!disavow) throw conflict(notWaiting);
    await mergeDisavowFile(context, userId, row, disavow);
  } else if (row.question.about === 'site' && given.instead) {
    const websiteId = await findOrAddWebsite(context, userId, row.question.site);
    await context.db.transaction().execute((trx) => resumeAnalysis(context, trx, userId, { ...row, websiteId }));
  } else {
    const answers = addAnswer(row.answers, row.question, given);
    await context.db.transaction().execute((trx) => resumeAnalysis(context, trx, userId, { ...row, answers }));
  }
}

/** @throws 409 if the analysis is not waiting */
async function resumeAnalysis(
  context: Context,
  trx: Db,
  userId: number,
  { id, websiteId, files, answers }: Pick<store.AnalysisRow, 'id' | 'websiteId' | 'files' | 'answers'>,
): Promise<void> {
  const changes = { website_id: websiteId, question: null, message: analysisRunKind.queuedMessage };
  const given = {
    answers: JSON.stringify(answers),
    files: JSON.stringify(files),
    file_name: store.toFileName(files),
  };
  if (!(await resumeRun(trx, 'analyses', id, { ...changes, ...given }))) throw conflict(notWaiting);
  // Not with the analysis's id, which belongs to its first job.
  await queueAnalysis(context, trx, { id, userId, files });
}

/** Adds the disavow file of a waiting analysis to those of its website. Other files of the upload are analyzed. */
async function mergeDisavowFile(
  context: Context,
  userId: number,
  { id, websiteId, files, answers }: store.AnalysisRow,
  { path, file }: MergedFile,
): Promise<void> {
  const others = files.filter((one) => one.path !== path);
  await context.db.transaction().execute(async (trx) => {
    // A second answer at the same time would add the file again.
    if (others.length === files.length || !(await store.lockWaiting(trx, id))) throw conflict(notWaiting);
    await storeNewFile(trx, context.config, file);
    if (others.length === 0) await cancelRun(trx, 'analyses', id);
    else await resumeAnalysis(context, trx, userId, { id, websiteId, files: others, answers });
  });
}

const notWaiting = 'This analysis is not waiting for an answer.';

function addAnswer(
  answers: store.AnalysisRow['answers'],
  question: Exclude<UploadQuestion, { about: 'disavow' }>,
  { column, anyway }: Answer,
): store.AnalysisRow['answers'] {
  if (question.about === 'site') {
    if (!anyway) throw invalidField('anyway', 'Confirm that you want to analyze links to another website.');
    return { ...answers, sites: [...answers.sites, question.site] };
  }
  if (column === undefined || column >= question.columns.length) {
    throw invalidField('column', 'Choose the column that contains the linking pages.');
  }
  return { ...answers, columns: { ...answers.columns, [question.file]: column } };
}

/** @throws 404 when the user has no such analysis */
async function getRow(db: Db, userId: number, id: string): Promise<store.AnalysisRow> {
  const row = await store.findAnalysis(db, userId, id);
  if (!row) throw notFound('analysis', id);
  return row;
}

/** Lists the user's unfinished analyses. */
export async function listOpenAnalyses(db: Db, userId: number): Promise<Analysis[]> {
  return (await store.listOpenOfUser(db, userId)).map((row) => toAnalysis(row, null));
}

/** @throws 404 if the user has no such analysis */
export async function getAnalysis(db: Db, userId: number, id: string): Promise<Analysis> {
  return withResult(db, userId, await getRow(db, userId, id));
}

async function withResult(db: Db, userId: number, row: store.AnalysisRow): Promise<Analysis> {
  if (row.reportId === null) return toAnalysis(row, null);
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, row.reportId);
  const { id: reportId, ...result } = summary;
  return toAnalysis(row, { ...result, reportId, toxicBacklinks: backlinks });
}

function toAnalysis(row: Omit<store.AnalysisRow, 'files' | 'answers'>, result: Analysis['result']): Analysis {
  const { id: analysisId, websiteId, status, progress, message, fileName } = row;
  const question = status === 'waiting' ? row.question : null;
  return { analysisId, profileId: websiteId, status, progress, message, fileName, question, result };
}

/**
 * Cancels an analysis and removes its files. A queued or waiting analysis never starts; a running one stops within a
 * second in any process.
 * @throws 404 if the user has no such analysis, 409 if it has completed or failed
 */
export async function cancelAnalysis({ db, jobs, files }: Context, userId: number, id: string): Promise<void> {
  const row = await getRow(db, userId, id);
  if (await cancelRun(db, 'analyses', id)) {
    for (const { queue } of analysisJobs) await jobs.cancel(queue.name, id);
    for (const { path } of row.files) await files.remove(path);
  } else if ((await getRow(db, userId, id)).status !== 'cancelled') {
    throw conflict('This analysis has already finished.');
  }
}
