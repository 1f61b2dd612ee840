import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countHosts } from './backlink-files.ts';
import { type Link, readLink } from './page-spool.ts';

/** Creates a function that reads the content of a file as an export of mine.example, with all of its links. */
export async function createFileReader() {
  const folder = await mkdtemp(join(tmpdir(), 'odd-files-'));
  const path = join(folder, 'upload.csv');

  async function read(content: string | Uint8Array, options: { ask?: boolean; own?: string; sites?: string[] } = {}) {
    await writeFile(path, content);
    const links: (Link & { host: number; flags: number })[] = [];
    const { ask = false, own = 'mine.example', sites = [] } = options;
    const result = await countHosts([{ path, name: 'upload.csv' }], {
      ownHost: own,
      folder,
      ask,
      answers: { columns: {}, sites },
      pages: { add: (host, record, flags) => links.push({ host, flags, ...readLink(record, flags) }) },
    });
    const skipped = result.formats.flatMap((format) => format.skipped.map(({ reason, lines }) => ({ reason, lines })));
    return { ...result, skipped, pages: links.map(({ page }) => page), links };
  }

  return { read, remove: () => rm(folder, { recursive: true }) };
}

/** Returns the text of a file with these lines. */
export const buildLines = (...lines: string[]) => lines.map((line) => `${line}\n`).join('');
