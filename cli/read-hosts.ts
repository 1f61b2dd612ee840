import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countHosts, type HostCounts } from '#server/backlink-files/backlink-files.ts';
import { UnreadableFile } from '#server/csv/unreadable-file.ts';
import { type Options, UsageError } from './options.ts';

/**
 * The distinct hosts of a file in the order of their first rows, read as the site reads an upload. Throws UsageError when the
 * file can not be used, and the signal's reason when aborted.
 */
export async function readHosts(options: Options, signal: AbortSignal): Promise<HostCounts> {
  const { file, ownHost, column } = options;
  const name = file === '-' ? 'Standard input' : file;
  try {
    if (file !== '-' && (await stat(file)).isFile()) return await countHosts(file, { ownHost, column, signal });
    // The reader opens its file twice, and a pipe can only be read once.
    await using folder = await mkdtempDisposable(join(tmpdir(), 'check-domains-'));
    const copy = join(folder.path, 'input');
    await pipeline(file === '-' ? process.stdin : createReadStream(file), createWriteStream(copy), { signal });
    return await countHosts(copy, { ownHost, column, signal });
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UsageError(`${name}: ${error.message}`);
    throw fileError(name, error, UsageError);
  }
}

const sentences: Record<string, string> = {
  ENOENT: 'is not there. Please check the name',
  ENOTDIR: 'is not there. Please check the name',
  EACCES: 'may not be read or written by you',
  EPERM: 'may not be read or written by you',
  EROFS: 'lies where nothing can be written',
  EISDIR: 'is a folder. Name a file in it',
  ENOSPC: 'does not fit: there is no disk space left',
  EFBIG: 'does not fit: no file may become that large here',
};

/** A system error of a file the user named, such as a full disk, as a sentence. Any other error is returned as it is. */
export function fileError(name: string, error: unknown, Kind: new (message: string) => Error): unknown {
  const sentence = error instanceof Error && 'code' in error ? sentences[String(error.code)] : undefined;
  return sentence === undefined ? error : new Kind(`${name} ${sentence}.`);
}
