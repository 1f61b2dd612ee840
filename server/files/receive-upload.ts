import type { FastifyRequest } from 'fastify';
import { type HttpError, invalid, invalidField, tooLarge } from '../http/errors.ts';
import type { Files } from './files.ts';

export interface Upload {
  path: string;
  bytes: number;
  /** The name it had on the sender's machine, without folders, cut to 255 characters: for showing, never for opening. */
  fileName: string;
  fields: Record<string, string>;
}

/**
 * Streams the one file of a multipart request to disk. Nothing stays on disk when it throws: 400 without a file in `field`,
 * with two files and when the body breaks off, 413 above the server's upload limit.
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
        // NOTE: `request.signal` also aborts when a request has been read to its end; a lost sender breaks the part's stream.
        saved = { ...(await files.save(part.file)), fileName: shownName(part.filename) };
        if (part.file.truncated) throw tooLarge(aboveLimit);
      } else {
        part.file.resume();
      }
    }
    if (!saved || saved.fileName === '') throw invalidField(field, 'Please choose a file.');
    return { ...saved, fields };
  } catch (error) {
    if (saved) await files.remove(saved.path);
    throw faultOf(error, field) ?? error;
  }
}

/** What the sender is told about an error of the multipart parser or of the connection; undefined for one of ours. */
function faultOf(error: unknown, field: string): HttpError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(aboveLimit);
  if (code === 'FST_FILES_LIMIT') return invalidField(field, 'Please send one file.');
  if (code === 'FST_MP_PREMATURE_CLOSE' || brokenOff.test(error.message))
    return invalid('The upload broke off. Please try again.');
  if (wrongBoundary.test(error.message)) return invalid('Please send the file as a multipart form with its boundary.');
  return undefined;
}

const aboveLimit = 'File size exceeds the limit (200MB)';
// The parser's errors carry no code.
const brokenOff = /^Unexpected end of multipart data$|terminated early/;
const wrongBoundary = /^Multipart: Boundary not found$|^The needle /;

function shownName(name: string | undefined): string {
  const printable = [...(name ?? '')].filter((letter) => letter >= ' ' && letter !== '\u007f').join('');
  return (printable.split(/[/\\]/).at(-1) ?? '').slice(0, 255);
}
