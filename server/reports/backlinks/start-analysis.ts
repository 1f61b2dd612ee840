import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { idParams } from '#shared/platform/page.ts';
import { analyzeBacklinks, maxUploadFiles } from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { type Identity, refuseOtherUser } from '../../platform/http/scope.ts';
import { readIdentity } from '../../platform/storage/interrupted.ts';
import { type AdmittedUpload, getExpectedBytes, refuseTooMany, withUploads } from '../../platform/storage/storage.ts';
import { getOwnProfile, lockOwnProfile } from '../profiles/profiles.ts';
import {
  type AnalysisJob,
  analysisRunKind,
  maxLargeMemoryMb,
  maxSmallBytes,
  queueAnalysis,
  runAnalysis,
} from './jobs.ts';
import { createReadAhead, type ReadAhead } from './read-ahead.ts';
import * as store from './store.ts';

/**
 * Stores an upload and starts its analysis: in this process if the file was read while it arrived, otherwise through
 * the queue. Any file name is accepted, because the content decides the format. Nothing of the upload is stored if this
 * throws.
 * @returns the id of the analysis
 * @throws 400 without a file or profile, 403 for another user's id, 404 for a profile that is not the user's, 413 for
 *   files above the limit, 429 while five uploads and analyses are unfinished, 507 without space for the files
 */
export async function startAnalysis(context: Context, user: Identity, request: FastifyRequest): Promise<string> {
  const { background, log } = context;
  const identity = readIdentity(request, user.id);
  const id = identity?.id ?? randomUUID();
  const expectedBytes = getExpectedBytes(request) + (identity?.offset ?? 0);
  const readAhead =
    background && expectedBytes > maxSmallBytes
      ? createReadAhead(context, {
          id,
          expectedBytes,
          findTask: (fields) => readTask(context, user, fields),
        })
      : undefined;
  const options = {
    field: analyzeBacklinks.upload,
    maxFiles: maxUploadFiles,
    isAnalyzed: true,
    keepFiles: true,
    onWritten: readAhead?.onWritten,
  };
  try {
    const job = await withUploads(context, { user, request }, options, (upload) =>
      storeAnalysis(context, user, upload, { id, readAhead }),
    );
    if (job.isSpare && background) {
      void runAnalysis(context, job, background, { maxMemoryMb: maxLargeMemoryMb, readAhead })
        .catch((error: unknown) => log.warn({ err: error, id: job.analysisId }, 'an analysis returned to the queue'))
        .finally(() => readAhead?.abort());
    }
    return job.analysisId;
  } catch (error) {
    readAhead?.abort();
    throw error;
  }
}

/** Stores and queues the analysis of an upload. @returns its job, which is a spare one if `readAhead` reads the file */
async function storeAnalysis(
  context: Context,
  user: Identity,
  { files, fields, release }: AdmittedUpload,
  { id, readAhead }: { id: string; readAhead: ReadAhead | undefined },
): Promise<AnalysisJob> {
  refuseOtherUser(fields, user.id);
  const task = await readTask(context, user, fields);
  const isSpare = (await readAhead?.complete(task)) ?? false;
  return context.db.transaction().execute(async (trx) => {
    await store.lockStart(trx, user.id);
    await lockOwnProfile(trx, user.id, task.profileId);
    // The analysis counts from now on. Its upload may have been counted no longer if this process was suspended.
    await release(trx);
    await refuseTooMany(trx, user.id);
    const analysis = {
      id,
      userId: user.id,
      profileId: task.profileId,
      files: files.map(({ path, bytes, fileName: name }) => ({ path, name, bytes })),
      column: task.column,
      ask: task.ask,
    };
    await store.insertAnalysis(trx, analysis, analysisRunKind.queuedMessage);
    return queueAnalysis(context, trx, analysis, { jobId: id, isSpare });
  });
}

/**
 * Reads what to analyze from the fields of the form.
 * @throws 400 without a profile, 404 for one that is not the user's
 */
async function readTask(
  { db }: Context,
  user: Identity,
  { profileId: id, column, ask }: Readonly<Record<string, string>>,
) {
  const parsed = z.safeParse(idParams, { id });
  if (!parsed.success) throw invalidField('profileId', 'Please choose a website profile.');
  const { id: profileId, domain: ownHost } = await getOwnProfile(db, user.id, parsed.data.id);
  return { profileId, ownHost, column: column?.trim() || null, ask: ask === '1' || ask === 'true' };
}
