import type { FastifyRequest } from 'fastify';
import {
  maxPreviewedArchiveBytes,
  maxUploadFiles,
  previewBacklinks,
  type UploadPreview,
} from '#shared/reports/backlinks.ts';
import type { Context } from '../../context.ts';
import { tooLarge } from '../../platform/http/errors.ts';
import type { Identity } from '../../platform/http/scope.ts';
import { admitUpload } from '../../platform/storage/storage.ts';
import type { previewFiles } from '../backlink-files/preview.ts';

/**
 * Previews the files of a request, and removes them.
 * @throws 400 without files, 413 for a file above the limit of previews and for files that take too much memory or
 *   time, 503 while the server reads the files of many others, and 507 without space
 */
export async function previewUpload(
  context: Pick<Context, 'config' | 'db' | 'files' | 'log' | 'processes'>,
  user: Identity,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<UploadPreview[]> {
  const options = { field: previewBacklinks.upload, maxFiles: maxUploadFiles };
  await using upload = await admitUpload(context, { user, request }, options);
  const { files: uploaded } = await upload.receive();
  const large = uploaded.find(({ bytes }) => bytes > maxPreviewedArchiveBytes);
  if (large) throw tooLarge(`${large.fileName} is too large for a preview.`);
  const { files, processes } = context;
  // A process that is ended cannot remove its temporary files.
  const folder = await files.createFolder();
  try {
    return await processes.runInTurn<typeof previewFiles>(
      { key: `account:${user.id}`, signal },
      { module: new URL('../backlink-files/preview.ts', import.meta.url), name: 'previewFiles' },
      {
        files: uploaded.map(({ path, fileName: name }) => ({ path: files.locate(path), name })),
        folder: files.locate(folder),
      },
    );
  } finally {
    await files.remove(folder);
  }
}
