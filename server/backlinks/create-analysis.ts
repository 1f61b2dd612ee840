import type { FastifyRequest } from 'fastify';
import { fromKysely } from 'pg-boss';
import * as z from 'zod/mini';
import { analyzeBacklinks } from '#shared/backlinks.ts';
import { idParams } from '#shared/page.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { receiveUpload } from '../files/receive-upload.ts';
import { invalid, tooManyRequests } from '../http/errors.ts';
import { refuseOtherUser } from '../http/scope.ts';
import { getOwnProfile, holdOwnProfile } from '../profiles/profiles.ts';
import { analysisJob } from './jobs.ts';
import type { AnalysisTask } from './run-analysis.ts';
import { insertAnalysis, listRunning, lockBeginning } from './store.ts';

const mostRunning = 5;

/**
 * Takes an upload in and queues its analysis. The file's name is not judged: what it holds decides. Throws 400 without a file
 * or profile, 403 in another user's name, 404 for a profile that is not the user's, 413 for a file above the limit, 429 when
 * five are under way; then nothing of the upload is kept.
 * @returns the id of the analysis
 */
export async function createAnalysis(context: Context, userId: number, request: FastifyRequest): Promise<string> {
  const { db, files, jobs } = context;
  // Before the upload, to spare it; and again where it counts.
  await refuseTooMany(db, userId);
  const upload = await receiveUpload(request, analyzeBacklinks.upload, files, 'File size exceeds the limit (200MB)');
  try {
    refuseOtherUser(upload.fields, userId);
    const profile = await getOwnProfile(db, userId, profileIdOf(upload.fields));
    return await db.transaction().execute(async (trx) => {
      await lockBeginning(trx, userId);
      await holdOwnProfile(trx, userId, profile.id);
      await refuseTooMany(trx, userId);
      const { path: filePath, fileName, bytes: fileBytes } = upload;
      const analysisId = await insertAnalysis(trx, { userId, profileId: profile.id, fileName, filePath, fileBytes });
      const task: AnalysisTask = { analysisId, filePath };
      await jobs.send(analysisJob.queue.name, task, { id: analysisId, db: fromKysely(trx) });
      return analysisId;
    });
  } catch (error) {
    await files.remove(upload.path);
    throw error;
  }
}

async function refuseTooMany(db: Db, userId: number): Promise<void> {
  if ((await listRunning(db, userId)).length < mostRunning) return;
  throw tooManyRequests(`${mostRunning} of your analyses are still running. Please wait until one is done.`, 10);
}

function profileIdOf(fields: Record<string, string>): number {
  const parsed = z.safeParse(idParams, { id: fields.profileId });
  if (parsed.success) return parsed.data.id;
  throw invalid('Please choose a website profile.', { profileId: 'Please choose a website profile.' });
}
