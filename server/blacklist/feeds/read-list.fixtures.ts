import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeedFormat } from '#shared/blacklist/feeds.ts';
import { openList } from './read-list.ts';

/** Starts a reader of lists in a temporary folder, which `stop` removes. */
export async function startListReader() {
  const root = await mkdtemp(join(tmpdir(), 'lists-'));
  const path = join(root, 'download');
  const folder = join(root, 'unpacked');
  await mkdir(folder);

  /** Reads a whole list and counts what is rejected. `left` are the files that were not removed. */
  async function readFile(path: string, given: FeedFormat | 'auto' = 'auto') {
    const names = new Set<string>();
    const rejected: Record<string, number> = {};
    const shares: number[] = [];
    let format: FeedFormat;
    {
      await using list = await openList(path, given, folder);
      format = list.format;
      for await (const part of list.parts) {
        for (const { name } of part.names) names.add(name);
        for (const [reason, count] of Object.entries(part.rejected)) rejected[reason] = (rejected[reason] ?? 0) + count;
        shares.push(part.share);
      }
    }
    return { format, names: [...names], rejected, shares, left: await readdir(folder) };
  }

  return {
    readFile,
    async read(content: string | Uint8Array, format: FeedFormat | 'auto' = 'auto') {
      await writeFile(path, content);
      return readFile(path, format);
    },
    listLeftFiles: () => readdir(folder),
    stop: () => rm(root, { recursive: true }),
  };
}
