import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { getErrorMessage, StartError } from './start-error.ts';

const root = join(import.meta.dirname, '..');
const script = join(root, 'scripts/build.ts');
const sources = ['web', 'shared', 'scripts/build.ts', 'vite.config.ts', 'package-lock.json'];

/**
 * Builds the web app into `folder` when it is missing or older than its sources. Throws StartError.
 * @param onBegin called where there is something to build: it takes seconds
 */
export async function buildWeb(folder: string, onBegin?: () => void): Promise<void> {
  // Another process may be replacing the folder.
  const built = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (built !== undefined && (await newest(sources.map((name) => join(root, name)))) <= built) return;
  onBegin?.();
  // In a process of its own: the builder would keep half a gigabyte of a server's memory.
  // Whoever builds, a test run too: what is served is the production build.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [script], { cwd: root, env, maxBuffer: 2 ** 26 }).catch(
    (error: BuildFailure) => {
      throw new StartError(failureOf(error), { cause: error });
    },
  );
}

type BuildFailure = Error & { signal?: string; stderr?: string };

function failureOf({ message, signal, stderr = '' }: BuildFailure): string {
  if (signal)
    return `The pages could not be built: the builder was ended by ${signal}. It needs half a gigabyte of free memory.`;
  const lines = stripVTControlCharacters(stderr).split('\n');
  const reason =
    lines.find((line) => /^\s*(?:\w*Error|\[[^\]]+\]):? /.test(line)) ?? lines.findLast(Boolean) ?? message;
  return `The pages could not be built: ${getErrorMessage(reason)}. \`npm run build\` shows all of it.`;
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
