import type { FastifyRequest } from 'fastify';
import { maxUploadBytes } from '#shared/blacklist/imports.ts';
import { type HttpError, invalid, invalidField, tooLarge } from '../http/errors.ts';
import type { Files } from './files.ts';

export interface UploadedFile {
  path: string;
  bytes: number;
  /**
   * The name on the user's machine, without folders, cut to 255 characters, and with a number if an earlier file of the
   * upload has the same name. For display only, never for opening a file.
   */
  fileName: string;
}

/** A file of an upload while it is received. */
export interface ArrivingFile {
  /** Its place among the files of the upload. */
  index: number;
  path: string;
  fileName: string;
  /** How many bytes have been written. */
  bytes: number;
  /** The fields of the form that came before the file. */
  fields: Readonly<Record<string, string>>;
}

interface Upload {
  files: [UploadedFile, ...UploadedFile[]];
  fields: Record<string, string>;
}

interface ReceiveOptions {
  /** The form field that contains the files. */
  field: string;
  maxFiles: number;
  maxBytes?: number;
  /** What an earlier request of the same upload has received. This request has only the rest of these files. */
  received?: readonly UploadedFile[];
  /** Called repeatedly for each file while it is written. */
  onWritten?: ((file: ArrivingFile) => void) | undefined;
  /** Receives the files if the connection breaks. Without it, they are removed. */
  onInterrupted?: ((files: readonly UploadedFile[]) => Promise<void>) | undefined;
}

/**
 * Streams the files of a multipart request to disk: at least one and at most `maxFiles`.
 * @throws 400 for a missing file, too many files or an incomplete body, and 413 if the files together are above
 *   `maxBytes`; all files are then removed, unless only the connection broke
 */
export async function receiveUploads(
  request: FastifyRequest,
  files: Files,
  { field, maxFiles, maxBytes = maxUploadBytes, received = [], onWritten, onInterrupted }: ReceiveOptions,
): Promise<Upload> {
  if (!request.isMultipart())
    throw invalid('Please send the file as a multipart form.', { [field]: 'Please choose a file.' });
  const fields: Record<string, string> = {};
  const saved: UploadedFile[] = received.map((file) => ({ ...file }));
  let parts = 0;
  let index = 0;
  const keep = async (parts: readonly UploadedFile[]): Promise<boolean> => {
    try {
      await onInterrupted?.(parts);
      return true;
    } catch (error) {
      request.log.warn({ err: error }, 'an interrupted upload could not be kept');
      return false;
    }
  };
  try {
    const before = received.reduce((sum, { bytes }) => sum + bytes, 0);
    for await (const part of request.parts({ limits: { fileSize: Math.max(0, maxBytes - before) } })) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') fields[part.fieldname] = part.value;
        continue;
      }
      parts += 1;
      if (parts > maxFiles) throw invalidField(field, tooManyFiles(maxFiles));
      if (part.fieldname !== field) {
        part.file.resume();
        continue;
      }
      const fileName = findFreeName(toDisplayName(part.filename), saved.slice(0, index));
      const file = saved[index] ?? { path: files.createPath(), fileName, bytes: 0 };
      if (file.fileName !== fileName) throw invalidField(field, `Please send the rest of ${file.fileName}.`);
      saved[index] = file;
      const [place, before] = [index++, file.bytes];
      // No `request.signal` here: it also aborts once the request has been read. A lost connection breaks the part's
      // stream.
      file.bytes += await files.append(file.path, part.file, (bytes) => {
        onWritten?.({ index: place, path: file.path, fileName, bytes: before + bytes, fields });
      });
      const bytes = saved.reduce((sum, one) => sum + one.bytes, 0);
      if (part.file.truncated || bytes > maxBytes) throw uploadTooLarge(maxBytes);
    }
    const [first, ...others] = saved;
    if (!first || saved.some(({ fileName }) => fileName === '')) throw invalidField(field, 'Please choose a file.');
    return { files: [first, ...others], fields };
  } catch (error) {
    const isKept = onInterrupted !== undefined && isLostConnection(request, error) && (await keep(saved));
    if (!isKept) for (const { path } of saved) await files.remove(path);
    throw toHttpError(error, field, maxFiles, maxBytes) ?? error;
  }
}

/** Whether an upload failed only because its connection broke. */
function isLostConnection({ raw }: FastifyRequest, error: unknown): boolean {
  if (raw.complete || !(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return lostConnectionCodes.has(code) || incompleteBody.test(error.message);
}

const lostConnectionCodes = new Set(['FST_MP_PREMATURE_CLOSE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET']);

/** Converts an error of the multipart parser or of the connection; undefined for any other error. */
function toHttpError(error: unknown, field: string, maxFiles: number, maxBytes: number): HttpError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return uploadTooLarge(maxBytes);
  if (code === 'FST_FILES_LIMIT') return invalidField(field, tooManyFiles(maxFiles));
  if (code === 'FST_MP_PREMATURE_CLOSE' || incompleteBody.test(error.message))
    return invalid('The upload was interrupted. Please try again.');
  if (invalidBoundary.test(error.message))
    return invalid('Please send the file as a multipart form with its boundary.');
  return undefined;
}

/** The error for files that are too large together. */
export const uploadTooLarge = (maxBytes: number) => tooLarge(`File size exceeds the limit (${maxBytes / 1024 ** 2}MB)`);
const tooManyFiles = (max: number) => (max === 1 ? 'Please send one file.' : `Please send up to ${max} files.`);
// These errors of the parser have no code.
const incompleteBody = /^Unexpected end of multipart data$|terminated early/;
const invalidBoundary = /^Multipart: Boundary not found$|^The needle /;

function toDisplayName(name: string | undefined): string {
  const printable = [...(name ?? '')].filter((character) => character >= ' ' && character !== '\u007f').join('');
  return (printable.split(/[/\\]/).at(-1) ?? '').slice(0, 255);
}

/** Returns the name, with a number if another file has the same name: `links.csv`, `links (2).csv`. */
function findFreeName(name: string, taken: readonly UploadedFile[]): string {
  const isTaken = (wanted: string) => taken.some(({ fileName }) => fileName === wanted);
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name.slice(0, end)} (${number})${name.slice(end)}`;
  return free;
}
