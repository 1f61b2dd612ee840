import type { Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { headBytes } from '../csv/file-bytes.ts';
import type { Files } from '../files/files.ts';
import { invalid, invalidField, tooLarge } from '../http/errors.ts';

export interface UploadedFile {
  path: string;
  bytes: number;
  /**
   * The name on the user's machine, without folders, cut to 255 characters, and with a number if an earlier file of the
   * upload has the same name. For display only, never for opening a file.
   */
  fileName: string;
}

/** The first file of an upload while it is received. */
export interface ArrivingFile extends UploadedFile {
  /** The fields of the form that came before the file. */
  fields: Readonly<Record<string, string>>;
}

interface ReceiveOptions {
  /** The form field that contains the files. */
  field: string;
  maxFiles: number;
  maxBytes: number;
  /** Receives the fields, and the names and contents of the files. */
  digest?: Hash | undefined;
  /** Called for the first file while it arrives, once `headBytes` of it are on the disk. */
  onFirstFile(first: ArrivingFile): void;
  /** Called when the second file starts. */
  onSecondFile(): void;
}

/**
 * Streams the files of a multipart request to disk: at least one and at most `maxFiles`.
 * @param received the files of an earlier request of the same upload, of which this request has only the rest. Receives
 *   each file of this request; what has arrived of them stays if this throws.
 * @returns the fields of the form
 * @throws 400 for a missing file, too many files or an incomplete body, and 413 if the files together are above
 *   `maxBytes`
 */
export async function receiveFiles(
  request: FastifyRequest,
  files: Files,
  received: UploadedFile[],
  { field, maxFiles, maxBytes, digest, onFirstFile, onSecondFile }: ReceiveOptions,
): Promise<Record<string, string>> {
  const fields: Record<string, string> = {};
  let parts = 0;
  let index = 0;
  const before = sumBytes(received);
  for await (const part of request.parts({ limits: { fileSize: Math.max(0, maxBytes - before) } })) {
    if (part.type === 'field') {
      if (typeof part.value === 'string') fields[part.fieldname] = part.value;
      digest?.update(JSON.stringify([part.fieldname, part.value]));
      continue;
    }
    parts += 1;
    if (parts > maxFiles) throw invalidField(field, tooManyFiles(maxFiles));
    if (part.fieldname !== field) {
      part.file.resume();
      continue;
    }
    const fileName = findFreeName(toDisplayName(part.filename), received.slice(0, index));
    const file = received[index] ?? { path: files.createPath(), fileName, bytes: 0 };
    if (file.fileName !== fileName) throw invalidField(field, `Please send the rest of ${file.fileName}.`);
    received[index] = file;
    index += 1;
    if (index === 2) onSecondFile();
    digest?.update(JSON.stringify([fileName]));
    const bytesBefore = file.bytes;
    // No `request.signal` here: it also aborts once the request has been read. A lost connection breaks the part's
    // stream.
    for await (const written of files.append(file.path, digest ? passOn(part.file, digest) : part.file)) {
      file.bytes = bytesBefore + written;
      if (index === 1 && file.bytes >= headBytes) onFirstFile({ ...file, fields });
    }
    if (part.file.truncated || sumBytes(received) > maxBytes) throw uploadTooLarge(maxBytes);
  }
  if (received.length === 0 || received.some(({ fileName }) => fileName === ''))
    throw invalidField(field, 'Please choose a file.');
  return fields;
}

async function* passOn(stream: AsyncIterable<Buffer>, digest: Hash): AsyncIterable<Buffer> {
  for await (const bytes of stream) {
    digest.update(bytes);
    yield bytes;
  }
}

export const sumBytes = (files: readonly UploadedFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether an upload failed only because its connection broke. */
export function isLostConnection({ raw }: FastifyRequest, error: unknown): boolean {
  if (raw.complete || !(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return lostConnectionCodes.has(code) || incompleteBody.test(error.message);
}

const lostConnectionCodes = new Set(['FST_MP_PREMATURE_CLOSE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET']);

/** Converts an error of the multipart parser or of the connection. Returns any other error unchanged. */
export function toHttpError(
  error: unknown,
  { field, maxFiles, maxBytes }: Pick<ReceiveOptions, 'field' | 'maxFiles' | 'maxBytes'>,
): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return uploadTooLarge(maxBytes);
  if (code === 'FST_FILES_LIMIT') return invalidField(field, tooManyFiles(maxFiles));
  if (code === 'FST_MP_PREMATURE_CLOSE' || incompleteBody.test(error.message))
    return invalid('The upload was interrupted. Please try again.');
  if (invalidBoundary.test(error.message))
    return invalid('Please send the file as a multipart form with its boundary.');
  return error;
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
