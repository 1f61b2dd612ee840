import type { FastifyRequest } from 'fastify';
import { maxPreviewedArchiveBytes, maxUploadFiles, previewBacklinks, type UploadPreview } from '#shared/backlinks.ts';
import type { Context } from '../context.ts';
import type { UploadedFile } from '../files/receive-upload.ts';
import { invalidField, tooLarge, tooManyRequests, unavailable } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import { withUploads } from '../storage/storage.ts';
import type { previewFiles } from './preview-files.ts';

const timeoutMs = 60_000;
/** Enough for the largest workbook that is previewed. */
const maxMemoryMb = 256;
/** Previews of a process at the same time. Each can take `maxMemoryMb`. */
const maxPreviews = 2;

/** The users whose preview is being uploaded or read in this process. */
const busyUsers = new Set<number>();
let running = 0;

/**
 * Previews the files of a request, and removes them. Throws 400 without files and for files that take too long, 413 for
 * a file above the limit of previews, 429 while another preview of the user is running, 503 while those of others are,
 * and 507 without space.
 */
export async function previewUpload(
  context: Pick<Context, 'config' | 'db' | 'pool' | 'databaseUrl' | 'files' | 'log'>,
  user: Identity,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<UploadPreview[]> {
  if (busyUsers.has(user.id)) throw tooManyRequests('Your other files are still being read. Try again in a moment.', 2);
  busyUsers.add(user.id);
  try {
    const options = { field: previewBacklinks.upload, maxFiles: maxUploadFiles };
    return await withUploads(context, { user, request }, options, async ({ files: uploaded }) => {
      const large = uploaded.find(({ bytes }) => bytes > maxPreviewedArchiveBytes);
      if (large) throw tooLarge(`${large.fileName} is too large for a preview.`);
      if (running >= maxPreviews) throw unavailable('The files of others are being read. Try again in a moment.', 2);
      running += 1;
      try {
        return await preview(context, uploaded, signal);
      } finally {
        running -= 1;
      }
    });
  } finally {
    busyUsers.delete(user.id);
  }
}

async function preview(
  context: Pick<Context, 'pool' | 'databaseUrl' | 'files'>,
  uploaded: readonly UploadedFile[],
  signal: AbortSignal,
): Promise<UploadPreview[]> {
  const { files } = context;
  const folder = await files.createFolder();
  try {
    return await runInThread<typeof previewFiles>(
      context,
      { module: new URL('./preview-files.ts', import.meta.url), name: 'previewFiles' },
      {
        files: uploaded.map(({ path, fileName: name }) => ({ path: files.locate(path), name })),
        folder: files.locate(folder),
      },
      { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), maxMemoryMb },
    );
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw invalidField(previewBacklinks.upload, 'These files take too long to read for a preview.');
  } finally {
    await files.remove(folder);
  }
}
