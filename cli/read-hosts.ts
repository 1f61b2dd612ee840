import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countHosts, type HostCounts } from '#server/backlink-files/backlink-files.ts';
import { UnreadableFile } from '#server/csv/unreadable-file.ts';
import { type Options, toFileError, UsageError } from './options.ts';

/** Returns the distinct hosts of a file, in order of first appearance. Throws UsageError if the file cannot be used. */
export async function readHosts({ file, ownHost, column }: Options, signal: AbortSignal): Promise<HostCounts> {
  const name = file === '-' ? 'Standard input' : file;
  const read = (path: string) => countHosts(path, { ownHost, column, signal });
  try {
    if (file !== '-' && (await stat(file)).isFile()) return await read(file);
    // The reader opens its file twice, and a pipe can only be read once.
    await using folder = await mkdtempDisposable(join(tmpdir(), 'check-domains-'));
    const copy = join(folder.path, 'input');
    await pipeline(file === '-' ? process.stdin : createReadStream(file), createWriteStream(copy), { signal });
    return await read(copy);
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UsageError(`${name}: ${error.message}`);
    throw toFileError(name, error, UsageError);
  }
}
