import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { getErrorMessage, StartError } from './start-error.ts';

const root = join(import.meta.dirname, '..');
const script = join(root, 'scripts/build.ts');
const sources = [
  'web',
  'shared',
  'lookup',
  'extension',
  'server/hostnames/coverage',
  'server/platform/csv',
  'scripts/build.ts',
  'scripts/build-extension.ts',
  'vite.config.ts',
  'package-lock.json',
];

/**
 * Builds the web app into `folder` if it is missing or older than its sources.
 * @param onStart called before a build, which takes seconds
 * @throws StartError
 */
export async function buildWeb(folder: string, onStart?: () => void): Promise<void> {
  // The file can be missing while another process replaces the folder.
  const built = statSync(join(folder, 'render/files.json'), { throwIfNoEntry: false })?.mtimeMs;
  if (built !== undefined && (await getNewestMtime(sources.map((name) => join(root, name)))) <= built) return;
  onStart?.();
  // The build runs in a separate process, because it would keep half a gigabyte of the server's memory.
  // Tests also serve the production build.
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [script], { cwd: root, env, maxBuffer: 2 ** 26 }).catch(
    (error: BuildFailure) => {
      throw new StartError(describeBuildFailure(error), { cause: error });
    },
  );
}

type BuildFailure = Error & { signal?: string; stderr?: string };

function describeBuildFailure({ message, signal, stderr = '' }: BuildFailure): string {
  if (signal)
    return `The pages could not be built: the build was stopped by ${signal}. It needs half a gigabyte of free memory.`;
  const lines = stripVTControlCharacters(stderr).split('\n');
  const reason =
    lines.find((line) => /^\s*(?:\w*Error|\[[^\]]+\]):? /.test(line)) ?? lines.findLast(Boolean) ?? message;
  return `The pages could not be built: ${getErrorMessage(reason)}. Run \`npm run build\` to see the whole error.`;
}

async function getNewestMtime(paths: string[]): Promise<number> {
  let latest = 0;
  for (const path of paths) {
    const found = await stat(path);
    // The build writes into hidden folders.
    const names = found.isDirectory() ? (await readdir(path)).filter((name) => !name.startsWith('.')) : [];
    const inside = await getNewestMtime(names.map((name) => join(path, name)));
    latest = Math.max(latest, found.isDirectory() ? inside : found.mtimeMs);
  }
  return latest;
}
