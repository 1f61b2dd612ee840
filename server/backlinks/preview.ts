import type { FastifyRequest } from 'fastify';
import { maxPreviewedArchiveBytes, maxUploadFiles, previewBacklinks, type UploadPreview } from '#shared/backlinks.ts';
import type { Context } from '../context.ts';
import type { UploadedFile } from '../files/receive-upload.ts';
import { invalidField, tooLarge, tooManyRequests, unavailable } from '../http/errors.ts';
import type { Identity } from '../http/scope.ts';
import { OutOfMemory } from '../processes/run-in-process.ts';
import { withUploads } from '../storage/storage.ts';
import type { previewFiles } from './preview-files.ts';

const timeoutMs = 60_000;
/** Previews of a server at the same time. Each runs in a process of its own. */
const maxPreviews = 2;

/** The users whose preview this server receives or reads. */
const busyUsers = new Set<number>();
let running = 0;

/**
 * Previews the files of a request, and removes them. Throws 400 without files and for files that take too long, 413 for
 * a file above the limit of previews, 429 while another preview of the user is running, 503 while those of others are,
 * and 507 without space.
 */
export async function previewUpload(
  context: Pick<Context, 'config' | 'db' | 'files' | 'log' | 'processes'>,
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
      if (running >= maxPreviews) throw unavailable('The server is reading other files. Try again in a moment.', 2);
      running += 1;
      try {
        return await preview(context, `account:${user.id}`, uploaded, signal);
      } finally {
        running -= 1;
      }
    });
  } finally {
    busyUsers.delete(user.id);
  }
}

async function preview(
  { files, processes }: Pick<Context, 'files' | 'processes'>,
  key: string,
  uploaded: readonly UploadedFile[],
  signal: AbortSignal,
): Promise<UploadPreview[]> {
  const folder = await files.createFolder();
  try {
    return await processes.run<typeof previewFiles>(
      { key, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) },
      { module: new URL('./preview-files.ts', import.meta.url), name: 'previewFiles' },
      {
        files: uploaded.map(({ path, fileName: name }) => ({ path: files.locate(path), name })),
        folder: files.locate(folder),
      },
    );
  } catch (error) {
    if (error instanceof OutOfMemory) throw tooLarge(error.message);
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw invalidField(previewBacklinks.upload, 'These files take too long to read for a preview.');
  } finally {
    await files.remove(folder);
  }
}
