import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { idParams } from '#shared/platform/page.ts';
import { analyzeBacklinks, maxUploadFiles } from '#shared/reports/backlinks.ts';
import type { UploadOnce } from '../../accounts/api-keys/idempotency.ts';
import type { Context } from '../../context.ts';
import { readKind } from '../../platform/archives/kind.ts';
import { invalidField } from '../../platform/http/errors.ts';
import { type Identity, refuseOtherUser } from '../../platform/http/scope.ts';
import { startProcess, type TaskProcess } from '../../platform/processes/run-in-process.ts';
import type { UploadedFile } from '../../platform/storage/receive.ts';
import { admitUpload, refuseTooMany, refuseUsedId, type Upload } from '../../platform/storage/storage.ts';
import { getOwnWebsite, lockOwnWebsite } from '../websites/websites.ts';
import type { readAhead } from './analyze-files.ts';
import {
  type AnalysisJob,
  analysisRunKind,
  maxLargeMemoryMb,
  maxSmallBytes,
  queueAnalysis,
  runAnalysis,
} from './jobs.ts';
import * as store from './store.ts';

/**
 * Stores an upload and starts its analysis: in this process if the file was read while it arrived, otherwise through
 * the queue. Any file name is accepted, because the content decides the format. Nothing of the upload is stored if this
 * throws.
 * @returns the id of the analysis
 * @throws 400 without a file or website, 403 for another user's id, 404 for a website that is not the user's, 413 for
 *   files above the limit, 429 while five uploads and analyses are unfinished, 507 without space for the files
 */
export async function startAnalysis(
  context: Context,
  user: Uploader,
  request: FastifyRequest,
  { field = analyzeBacklinks.upload, websiteId, once }: AnalysisOptions = {},
): Promise<string> {
  const { background, log } = context;
  const options = { field, maxFiles: maxUploadFiles, isAnalyzed: true, publishes: true, once };
  await using upload = await admitUpload(context, { user, request }, options);
  const id = upload.id ?? randomUUID();
  const starting =
    background && upload.expectedBytes > maxSmallBytes
      ? startReading(context, user, { id, upload, background, websiteId }).catch((error: unknown) => {
          log.debug({ err: error }, 'an upload is not read while it arrives');
        })
      : undefined;
  await using reading = new AsyncDisposableStack();
  reading.defer(async () => (await starting)?.kill());
  upload.hasSecondFile.addEventListener('abort', async () => (await starting)?.kill());
  const { files, fields } = await upload.receive();
  refuseOtherUser(fields, user.id);
  const known = await once?.find();
  if (known) return known.id;
  const task = await readTask(context, user, { id, files, fields, websiteId });
  const warm = files.length === 1 ? ((await starting) ?? undefined) : undefined;
  const job = await storeAnalysis(context, user, upload, { task, isSpare: warm !== undefined, once });
  upload.keep();
  if (background && warm) {
    const running = reading.move();
    runAnalysis(context, job, background, { maxMemoryMb: maxLargeMemoryMb, warm })
      .catch((error: unknown) => log.warn({ err: error, id }, 'an analysis returned to the queue'))
      .finally(() => running.disposeAsync());
  }
  return id;
}

type Uploader = Pick<Identity, 'id' | 'isAdmin'>;

interface AnalysisOptions {
  /** The form field that contains the files. */
  field?: string;
  /** By default, the form says which website. */
  websiteId?: number | undefined;
  /** For an upload that starts one analysis, however often it is sent. */
  once?: UploadOnce<{ id: string }> | undefined;
}

/** Maximum number of uploads that a server reads while they arrive. Others are read once they are complete. */
const maxReadAheads = 2;
/** The heap limit of each process. An upload with too many hosts for it is read again. */
const maxReadAheadMb = 512;
let warmProcesses: TaskProcess[] = [];

/**
 * Reads the first file of an upload in a process of its own while it arrives, so that the report of a single file is
 * ready soon after the last byte. It must be a file of text that comes after the fields of its form.
 * @returns the process, for `runAnalysis`; undefined if the file is not read before it is complete
 * @throws errors of `readTask`, and what prevents a process from starting
 */
async function startReading(
  context: Context,
  user: Uploader,
  {
    id,
    upload,
    background,
    websiteId,
  }: { id: string; upload: Upload; background: AbortSignal; websiteId: number | undefined },
): Promise<TaskProcess | undefined> {
  const first = await upload.firstFile;
  if (!first) return undefined;
  const path = context.files.locate(first.path);
  if ((await readKind(path)) !== 'other') return undefined;
  const task = await readTask(context, user, { id, files: [first], fields: first.fields, websiteId });
  warmProcesses = warmProcesses.filter((one) => one.isRunning());
  if (warmProcesses.length >= maxReadAheads) return undefined;
  const warm = startProcess(context, { maxMemoryMb: maxReadAheadMb, isReused: true });
  warmProcesses.push(warm);
  try {
    await warm.run<typeof readAhead>(
      { module: new URL('./analyze-files.ts', import.meta.url), name: 'readAhead' },
      {
        task: { ...task, files: task.files.map((file) => ({ ...file, path })) },
        folder: dirname(path),
        expectedBytes: upload.expectedBytes,
      },
      { signal: background },
    );
    return warm;
  } catch (error) {
    await warm.kill();
    throw error;
  }
}

/** Stores and queues the analysis of an upload. @returns its job, which is a spare one if this process runs it */
async function storeAnalysis(
  context: Context,
  user: Uploader,
  upload: Upload,
  { task, isSpare, once }: { task: store.AnalysisTask; isSpare: boolean; once: AnalysisOptions['once'] },
): Promise<AnalysisJob> {
  return context.db
    .transaction()
    .execute(async (trx) => {
      await store.lockStart(trx, user.id);
      await lockOwnWebsite(trx, user.id, task.websiteId);
      // The analysis counts from now on. Its upload may have been counted no longer if this process was suspended.
      await upload.release(trx);
      await refuseTooMany(trx, user.id);
      await store.insertAnalysis(trx, user.id, task, analysisRunKind.queuedMessage);
      await once?.store(trx, { id: task.id });
      return queueAnalysis(context, trx, { ...task, userId: user.id }, { jobId: task.id, isSpare });
    })
    .catch(refuseUsedId);
}

/**
 * Reads what to analyze from the fields of the form.
 * @throws 400 without a website, 404 for one that is not the user's
 */
async function readTask(
  { db }: Context,
  user: Uploader,
  upload: {
    id: string;
    files: readonly UploadedFile[];
    fields: Readonly<Record<string, string>>;
    websiteId: number | undefined;
  },
): Promise<store.AnalysisTask> {
  const { profileId, column, ask } = upload.fields;
  const parsed = z.safeParse(idParams, { id: upload.websiteId ?? profileId });
  if (!parsed.success) throw invalidField('profileId', 'Please choose a website profile.');
  const { id: websiteId, domain: ownHost } = await getOwnWebsite(db, user.id, parsed.data.id);
  const files = upload.files.map(({ path, bytes, fileName: name }) => ({ path, name, bytes }));
  return {
    id: upload.id,
    websiteId,
    ownHost,
    fileName: store.toFileName(files),
    files,
    column: column?.trim() || null,
    answers: { columns: {}, sites: [] },
    ask: ask === '1' || ask === 'true',
  };
}
