import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const vite = join(root, 'node_modules/vite/bin/vite.js');
const sources = ['web', 'shared', 'vite.config.ts', 'package-lock.json'];

/** Builds the web app into `folder` when it is missing or older than its sources. */
export async function buildWeb(folder: string): Promise<void> {
  const page = join(folder, 'index.html');
  if (existsSync(page)) {
    const built = (await stat(page)).mtimeMs;
    if ((await newest(sources.map((name) => join(root, name)))) <= built) return;
  }
  // In a process of its own: the builder would keep half a gigabyte of a server's memory.
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: root });
}

async function newest(paths: string[]): Promise<number> {
  let latest = 0;
  for (const path of paths) {
    const found = await stat(path);
    const inside = found.isDirectory() ? await newest((await readdir(path)).map((name) => join(path, name))) : 0;
    latest = Math.max(latest, found.isDirectory() ? inside : found.mtimeMs);
  }
  return latest;
}
