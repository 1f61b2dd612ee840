import type { FastifyRequest } from 'fastify';
import { maxPreviewedArchiveBytes, maxUploadFiles, previewBacklinks, type UploadPreview } from '#shared/backlinks.ts';
import type { Context } from '../context.ts';
import { receiveUploads } from '../files/receive-upload.ts';
import { invalidField, tooLarge, tooManyRequests } from '../http/errors.ts';
import { runInThread } from '../jobs/run-in-thread.ts';
import type { previewFiles } from './preview-files.ts';

const timeoutMs = 60_000;
/** The same as for an analysis. */
const maxMemoryMb = 1024;

/** The users whose preview is running in this process. */
const busyUsers = new Set<number>();

/**
 * Previews the files of a request, and removes them. Throws 400 without files and for files that take too long, 413 for
 * a file above the limit of previews, 429 while another preview of the user is running.
 */
export async function previewUpload(
  context: Pick<Context, 'pool' | 'databaseUrl' | 'files'>,
  userId: number,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<UploadPreview[]> {
  const { files } = context;
  if (busyUsers.has(userId)) throw tooManyRequests('Your other files are still being read. Try again in a moment.', 2);
  busyUsers.add(userId);
  const paths: string[] = [];
  try {
    const upload = await receiveUploads(request, previewBacklinks.upload, files, maxUploadFiles);
    paths.push(...upload.files.map(({ path }) => path));
    const large = upload.files.find(({ bytes }) => bytes > maxPreviewedArchiveBytes);
    if (large) throw tooLarge(`${large.fileName} is too large for a preview.`);
    const folder = await files.createFolder();
    paths.push(folder);
    return await runInThread<typeof previewFiles>(
      context,
      { module: new URL('./preview-files.ts', import.meta.url), name: 'previewFiles' },
      { files: upload.files.map(({ path, fileName: name }) => ({ path, name })), folder },
      { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), maxMemoryMb },
    );
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
    throw invalidField(previewBacklinks.upload, 'These files take too long to read for a preview.');
  } finally {
    busyUsers.delete(userId);
    for (const path of paths) await files.remove(path);
  }
}
