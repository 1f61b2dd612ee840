import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { build, type InlineConfig } from 'wxt';
import { ZipFile } from 'yazl';
import { extensionFiles } from '#shared/checks/extension-links.ts';

/** ZIP has no earlier time. */
const mtime = new Date(1980, 0, 1);

/**
 * Builds the browser extension for each browser and packs it. The same sources give the same bytes, so that anyone can
 * compare a download with their own build.
 * @param site folder of the built web app
 */
export async function buildExtension(site: string): Promise<void> {
  const outDir = join(site, 'unpacked');
  for (const [browser, file] of Object.entries(extensionFiles)) {
    const root = join(import.meta.dirname, '../extension');
    await build({ root, browser, outDir, outDirTemplate: '{{browser}}', logger });
    const path = join(site, file);
    await mkdir(dirname(path), { recursive: true });
    await pack(join(outDir, browser), path);
  }
  await rm(outDir, { recursive: true });
}

async function pack(folder: string, path: string): Promise<void> {
  const zip = new ZipFile();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of names.toSorted()) {
    // Without the other format of ZIP, which stores the time in UTC, so that the time zone does not matter.
    zip.addBuffer(await readFile(file), file.slice(folder.length + 1), {
      mtime,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
}

/** Prints only what needs attention. */
const nothing = () => undefined;
const logger: InlineConfig['logger'] = {
  debug: nothing,
  log: nothing,
  info: nothing,
  success: nothing,
  warn: console.warn,
  error: console.error,
  fatal: console.error,
  level: 1,
};

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Usage: node scripts/build-extension.ts FOLDER');
  await buildExtension(folder);
}
