import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UnreadableFile } from '#server/platform/csv/unreadable-file.ts';
import { countHosts, type HostCounts } from '#server/reports/backlink-files/backlink-files.ts';
import { type Options, toFileError, UsageError } from './options.ts';

/** Returns the distinct hosts of a file, in order of first appearance. @throws UsageError if the file cannot be used */
export async function readHosts({ file, ownHost, column }: Options, signal: AbortSignal): Promise<HostCounts> {
  const name = file === '-' ? 'Standard input' : basename(file);
  try {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'check-domains-'));
    const folder = temporary.path;
    let path = file;
    if (file === '-' || !(await stat(file)).isFile()) {
      // The reader opens its file several times, and a pipe can only be read once.
      path = join(folder, 'input');
      await pipeline(file === '-' ? process.stdin : createReadStream(file), createWriteStream(path), { signal });
    }
    return await countHosts([{ path, name }], { ownHost, folder, column, signal });
  } catch (error) {
    if (error instanceof UnreadableFile) throw new UsageError(`${file === '-' ? name : file}: ${error.message}`);
    throw toFileError(file === '-' ? name : file, error, UsageError);
  }
}
