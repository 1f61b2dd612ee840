import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { countHosts, type HostCounts } from '#server/backlinks/read-backlinks.ts';
import { UnreadableFile } from '#server/csv/unreadable-file.ts';
import type { Options } from './read-options.ts';
import { WrongUse } from './stop.ts';

type Question = Pick<Options, 'file' | 'column' | 'ownHost'>;

/**
 * The distinct hosts of a file in the order first met, read as the site reads an upload. Memory grows with their number only.
 * Throws WrongUse when the file can not be used; the signal's reason when aborted.
 */
export async function readHosts(question: Question, signal: AbortSignal): Promise<HostCounts> {
  const { file } = question;
  if (question.ownHost !== '') await judgeOwn(question.ownHost, signal);
  try {
    if (file === '-') return await readPassing(process.stdin, question, signal);
    const kind = await stat(file);
    if (kind.isDirectory()) throw new WrongUse(`${file} is a folder. Name a file in it.`);
    if (!kind.isFile()) return await readPassing(createReadStream(file), question, signal);
    return await count(file, question, signal);
  } catch (error) {
    const name = file === '-' ? 'Standard input' : file;
    if (error instanceof UnreadableFile) throw new WrongUse(`${name}: ${error.message}`);
    throw systemFault(name, error) ?? error;
  }
}

/** The reader of files knows what a domain is: it is given the text as a list of one. */
async function judgeOwn(own: string, signal: AbortSignal): Promise<void> {
  const list: Question = { file: '-', column: undefined, ownHost: '' };
  try {
    const { backlinks } = await readPassing(Readable.from([`${own}\n`]), list, signal);
    if (backlinks === 1) return;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
  throw new WrongUse('--own takes the domain of your website, such as mine.example.');
}

/** What can be read once only (a pipe) is put on disk first: the reader looks at the beginning, then reads all. */
async function readPassing(stream: Readable, question: Question, signal: AbortSignal): Promise<HostCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'check-domains-'));
  const path = join(folder, 'input');
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal });
    return await count(path, question, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function count(path: string, { column, ownHost }: Question, signal: AbortSignal): Promise<HostCounts> {
  return countHosts(path, { ownHost, column, signal });
}

const faults: Record<string, string> = {
  ENOENT: 'is not there. Please check the name',
  ENOTDIR: 'is not there. Please check the name',
  EACCES: 'may not be read or written by you',
  EPERM: 'may not be read or written by you',
  EROFS: 'lies where nothing can be written',
  EISDIR: 'is a folder. Name a file in it',
  ENOSPC: 'does not fit: there is no disk space left',
  EFBIG: 'does not fit: no file may become that large here',
};

/** What the system says about a file that was named, in a sentence; undefined for any other error. */
export function systemFault(name: string, error: unknown): WrongUse | undefined {
  const words = error instanceof Error && 'code' in error ? faults[String(error.code)] : undefined;
  return words === undefined ? undefined : new WrongUse(`${name} ${words}.`);
}
