import type { FastifyReply } from 'fastify';
import type { BodyOf } from '#shared/platform/endpoint.ts';
import {
  type Analysis,
  type AnalysisResult,
  analyzeBacklinks,
  answerQuestion,
  cancelAnalysis,
  getAnalysis,
  listAnalyses,
  previewBacklinks,
  type UploadQuestion,
} from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, HttpError, invalidField, notFound } from '../../platform/http/errors.ts';
import { route, type Scope } from '../../platform/http/scope.ts';
import { cancelRun, resumeRun, waitForRun } from '../../platform/jobs/runs.ts';
import { getSummaryWithBacklinks } from '../reports/reports.ts';
import { analysisJobs, analysisRunKind, queueAnalysis } from './jobs.ts';
import { previewUpload } from './preview.ts';
import { startAnalysis } from './start-analysis.ts';
import * as store from './store.ts';

export const backlinkRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, analyzeBacklinks, async ({ user, request, reply, signal }) => {
      const id = await startAnalysis(context, user, request);
      return respond(await waitForResult(context, user.id, id, signal), reply);
    });

    route(scope, previewBacklinks, ({ user, request, signal }) => previewUpload(context, user, request, signal));

    route(scope, answerQuestion, async ({ params, body, user, reply, signal }) => {
      await answer(context, user.id, params.id, body);
      return respond(await waitForResult(context, user.id, params.id, signal), reply);
    });

    route(scope, listAnalyses, async ({ user }) => {
      const rows = await store.listOpenOfUser(db, user.id);
      return rows.map((row) => toAnalysis(row, null));
    });

    route(scope, getAnalysis, async ({ params, user }) =>
      withResult(db, user.id, await getRow(db, user.id, params.id)),
    );

    route(scope, cancelAnalysis, ({ params, user }) => cancel(context, user.id, params.id));
  },
};

/**
 * Waits until the analysis has finished or asks a question, but not longer than `respondWithinMs`. Throws 400 if its
 * files were refused, 500 if it failed.
 */
async function waitForResult(
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

/** Responds with the result, or with 202 and the unfinished analysis. */
function respond(analysis: Analysis, reply: FastifyReply): Analysis | AnalysisResult {
  if (analysis.result) return analysis.result;
  reply.code(202);
  return analysis;
}

/**
 * Stores the answer to the question of a waiting analysis and queues it again. Throws 404 if the user has no such
 * analysis, 409 if it is not waiting, 400 if the answer does not fit the question.
 */
async function answer(
  context: Context,
  userId: number,
  id: string,
  given: BodyOf<typeof answerQuestion>,
): Promise<void> {
  const { db } = context;
  const { status, question, files, answers } = await getRow(db, userId, id);
  if (status !== 'waiting' || !question) throw conflict(notWaiting);
  const answered = JSON.stringify(addAnswer(answers, question, given));
  await db.transaction().execute(async (trx) => {
    const changes = { answers: answered, question: null, message: analysisRunKind.queuedMessage };
    if (!(await resumeRun(trx, 'analyses', id, changes))) throw conflict(notWaiting);
    // Not with the analysis's id, which belongs to its first job.
    await queueAnalysis(context, trx, { id, userId, files });
  });
}

const notWaiting = 'This analysis is not waiting for an answer.';

function addAnswer(
  answers: store.AnalysisRow['answers'],
  question: UploadQuestion,
  { column, anyway }: BodyOf<typeof answerQuestion>,
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

/** Throws 404 when the user has no such analysis. */
async function getRow(db: Db, userId: number, id: string): Promise<store.AnalysisRow> {
  const row = await store.findAnalysis(db, userId, id);
  if (!row) throw notFound('analysis', id);
  return row;
}

async function withResult(db: Db, userId: number, row: store.AnalysisRow): Promise<Analysis> {
  if (row.reportId === null) return toAnalysis(row, null);
  const { summary, backlinks } = await getSummaryWithBacklinks(db, userId, row.reportId);
  const { id: reportId, ...result } = summary;
  return toAnalysis(row, { ...result, reportId, toxicBacklinks: backlinks });
}

function toAnalysis(row: Omit<store.AnalysisRow, 'files' | 'answers'>, result: Analysis['result']): Analysis {
  const { id: analysisId, profileId, status, progress, message, fileName } = row;
  const question = status === 'waiting' ? row.question : null;
  return { analysisId, profileId, status, progress, message, fileName, question, result };
}

/**
 * Cancels an analysis and removes its files. A queued or waiting analysis never starts; a running one stops within a
 * second in any process. Throws 404 if the user has no such analysis, 409 if it has completed or failed.
 */
async function cancel({ db, jobs, files }: Context, userId: number, id: string): Promise<void> {
  const row = await getRow(db, userId, id);
  if (await cancelRun(db, 'analyses', id)) {
    for (const { queue } of analysisJobs) await jobs.cancel(queue.name, id);
    for (const { path } of row.files) await files.remove(path);
  } else if ((await getRow(db, userId, id)).status !== 'cancelled') {
    throw conflict('This analysis has already finished.');
  }
}
