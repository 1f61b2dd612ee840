import type { FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import * as z from 'zod/mini';
import { type Analysis, analyzeBacklinks, cancelAnalysis, getAnalysis, listAnalyses } from '#shared/backlinks.ts';
import { idParams } from '#shared/page.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { receiveUpload } from '../files/receive-upload.ts';
import { conflict, HttpError, invalidField, notFound, tooManyRequests } from '../http/errors.ts';
import { refuseOtherUser, route, type Scope } from '../http/scope.ts';
import { cancelRun, waitForRun } from '../jobs/runs.ts';
import { getOwnProfile, lockOwnProfile } from '../profiles/profiles.ts';
import { getSummaryWithBacklinks } from '../reports/reports.ts';
import { type AnalysisJob, analysisJob, analysisRunKind } from './jobs.ts';
import * as store from './store.ts';

const maxUnfinishedAnalyses = 5;

export const backlinkRoutes = {
  user(scope: Scope<'user'>, context: Context): void {
    const { db } = context;

    route(scope, analyzeBacklinks, async ({ user, request, reply, signal }) => {
      const id = await startAnalysis(context, user.id, request);
      const row = await waitForRun(() => getRow(db, user.id, id), context.respondWithinMs, signal);
      if (row.refused) throw invalidField(analyzeBacklinks.upload, row.message);
      if (row.status === 'failed') throw new HttpError(500, 'internal', row.message);
      const analysis = await withResult(db, user.id, row);
      if (analysis.result) return analysis.result;
      reply.code(202);
      return analysis;
    });

    route(scope, listAnalyses, async ({ user }) => {
      const rows = await store.listUnfinishedOfUser(db, user.id);
      return rows.map((row) => toAnalysis(row, null));
    });

    route(scope, getAnalysis, async ({ params, user }) =>
      withResult(db, user.id, await getRow(db, user.id, params.id)),
    );

    route(scope, cancelAnalysis, ({ params, user }) => cancel(context, user.id, params.id));
  },
};

/**
 * Stores an upload and queues its analysis. Any file name is accepted, because the content decides the format. Nothing
 * of the upload is stored if this throws.
 * @returns the id of the analysis
 * @throws 400 without a file or profile, 403 for another user's id, 404 for a profile that is not the user's, 413 for a
 *   file above the limit, 429 while five analyses are unfinished
 */
async function startAnalysis(context: Context, userId: number, request: FastifyRequest): Promise<string> {
  const { db, files, jobs } = context;
  // Checked before the upload, so that a file that would be refused is not stored, and again under the lock.
  await refuseTooMany(db, userId);
  const upload = await receiveUpload(request, analyzeBacklinks.upload, files);
  const { path: filePath, bytes: fileBytes, fileName } = upload;
  try {
    refuseOtherUser(upload.fields, userId);
    const { id: profileId } = await getOwnProfile(db, userId, parseProfileId(upload.fields));
    return await db.transaction().execute(async (trx) => {
      await store.lockStart(trx, userId);
      await lockOwnProfile(trx, userId, profileId);
      await refuseTooMany(trx, userId);
      const row = { userId, profileId, fileName, filePath, fileBytes };
      const analysisId = await store.insertAnalysis(trx, row, analysisRunKind.queuedMessage);
      const data: AnalysisJob = { analysisId, filePath };
      await jobs.send(analysisJob.queue.name, data, { id: analysisId, db: fromKysely(trx) });
      return analysisId;
    });
  } catch (error) {
    await files.remove(filePath);
    throw error;
  }
}

async function refuseTooMany(db: Db, userId: number): Promise<void> {
  if ((await store.listUnfinishedOfUser(db, userId)).length < maxUnfinishedAnalyses) return;
  throw tooManyRequests(
    `You already have ${maxUnfinishedAnalyses} analyses in progress. Please wait until one has finished.`,
    10,
  );
}

function parseProfileId(fields: Record<string, string>): number {
  const parsed = z.safeParse(idParams, { id: fields.profileId });
  if (parsed.success) return parsed.data.id;
  throw invalidField('profileId', 'Please choose a website profile.');
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

function toAnalysis(row: Omit<store.AnalysisRow, 'filePath'>, result: Analysis['result']): Analysis {
  const { id: analysisId, profileId, status, progress, message, fileName } = row;
  return { analysisId, profileId, status, progress, message, fileName, result };
}

/**
 * Cancels an analysis and removes its file. A queued analysis never starts; a running one stops within a second in any
 * process. Throws 404 if the user has no such analysis, 409 if it has completed or failed.
 */
async function cancel({ db, jobs, files }: Context, userId: number, id: string): Promise<void> {
  const { filePath } = await getRow(db, userId, id);
  if (await cancelRun(db, 'analyses', id)) {
    await jobs.cancel(analysisJob.queue.name, id);
    await files.remove(filePath);
  } else if ((await getRow(db, userId, id)).status !== 'cancelled') {
    throw conflict('This analysis has already finished.');
  }
}
