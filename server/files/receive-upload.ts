import type { FastifyRequest } from 'fastify';
import { type HttpError, invalid, invalidField, tooLarge } from '../http/errors.ts';
import type { Files } from './files.ts';

export interface Upload {
  path: string;
  bytes: number;
  /**
   * The name on the user's machine, without folders, at most 255 characters. For display only, never for opening a
   * file.
   */
  fileName: string;
  fields: Record<string, string>;
}

/**
 * Streams the file of a multipart request to disk. Throws 400 for a missing file, two files or an incomplete body, and
 * 413 for a file above the upload limit; the file is then removed.
 * @param field the form field that contains the file
 */
export async function receiveUpload(request: FastifyRequest, field: string, files: Files): Promise<Upload> {
  if (!request.isMultipart())
    throw invalid('Please send the file as a multipart form.', { [field]: 'Please choose a file.' });
  const fields: Record<string, string> = {};
  let saved: { path: string; bytes: number; fileName: string } | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') fields[part.fieldname] = part.value;
      } else if (part.fieldname === field && !saved) {
        // No `request.signal` here: it also aborts once the request has been read. A lost connection breaks the part's
        // stream.
        saved = { ...(await files.save(part.file)), fileName: toDisplayName(part.filename) };
        if (part.file.truncated) throw tooLarge(aboveLimit);
      } else {
        part.file.resume();
      }
    }
    if (!saved || saved.fileName === '') throw invalidField(field, 'Please choose a file.');
    return { ...saved, fields };
  } catch (error) {
    if (saved) await files.remove(saved.path);
    throw toHttpError(error, field) ?? error;
  }
}

/** Converts an error of the multipart parser or of the connection; undefined for any other error. */
function toHttpError(error: unknown, field: string): HttpError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(aboveLimit);
  if (code === 'FST_FILES_LIMIT') return invalidField(field, 'Please send one file.');
  if (code === 'FST_MP_PREMATURE_CLOSE' || incompleteBody.test(error.message))
    return invalid('The upload was interrupted. Please try again.');
  if (invalidBoundary.test(error.message))
    return invalid('Please send the file as a multipart form with its boundary.');
  return undefined;
}

const aboveLimit = 'File size exceeds the limit (200MB)';
// These errors of the parser have no code.
const incompleteBody = /^Unexpected end of multipart data$|terminated early/;
const invalidBoundary = /^Multipart: Boundary not found$|^The needle /;

function toDisplayName(name: string | undefined): string {
  const printable = [...(name ?? '')].filter((character) => character >= ' ' && character !== '\u007f').join('');
  return (printable.split(/[/\\]/).at(-1) ?? '').slice(0, 255);
}
