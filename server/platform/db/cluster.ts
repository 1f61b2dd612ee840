import { randomBytes } from 'node:crypto';
import { lchown, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { getErrorMessage, StartError } from '../../start-error.ts';
import { type Owner, type PostgresPrograms, runProgram } from './postgres-programs.ts';

/** The superuser that `initdb` creates. Earlier versions of Linksieve used it for everything. */
export const superuser = 'linksieve';

/**
 * Creates the folder of the embedded database, with the folder `cluster` and the superuser's `password`, unless it
 * contains a database. Starts over if an earlier start was killed before it had finished. The caller holds the lock of
 * the folder.
 * @throws StartError
 */
export async function createCluster(
  folder: string,
  programs: PostgresPrograms,
  owner: Owner | undefined,
  durable: boolean,
): Promise<void> {
  const parent = dirname(folder);
  const prefix = `${basename(folder)}.unfinished-`;
  for (const name of await readdir(parent)) {
    // The initdb of the killed start may still be writing to this folder.
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  if (await wasUsed(folder)) return await requireComplete(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EBUSY' ? mountedError(folder, error) : error;
  });
  // A killed start must leave nothing that looks like a database: the folder gets its name when it is complete.
  const draft = await mkdtemp(join(parent, prefix));
  const cluster = join(draft, 'cluster');
  const password = join(draft, 'password');
  try {
    await mkdir(cluster, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    // The folder must come last: its owner could replace the files in it by links to any file of this machine.
    if (owner) for (const created of [cluster, password, draft]) await lchown(created, owner.uid, owner.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--username=${superuser}`, '--pwfile=../password', '--data-checksums'];
    const sync = durable ? [] : ['--no-sync'];
    await runProgram(
      programs.initdb,
      [`--pgdata=${dataFolder(cluster, owner)}`, ...locale, ...access, ...sync],
      cluster,
      owner,
    ).catch((error: unknown) => {
      throw new StartError(`The embedded database could not be created in ${parent}: ${getErrorMessage(error)}`);
    });
    await rename(draft, folder).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EBUSY' ? mountedError(folder, error) : error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // Windows cannot open a folder.
  if (process.platform === 'win32') return;
  const handle = await open(parent);
  await handle.sync().finally(() => handle.close());
}

const mountedError = (folder: string, cause: Error) =>
  new StartError(
    `The database cannot be created in ${folder}, because a disk is mounted there. Mount it on the parent folder, or set another DATA_DIR.`,
    { cause },
  );

/** What `initdb` and a killed start leave, apart from files whose number tells more. */
const initialEntry = /^(?:cluster|password|postgres\.log)(?:\/|$)/;
/** Only a running server or a backup creates these. */
const laterEntry =
  /^cluster\/(?:postmaster\.opts|backup_label|backup_manifest|tablespace_map|(?:recovery|standby)\.signal|pg_tblspc\/.+)$/;
/** PostgreSQL numbers databases, tables and indexes that users create from this number. */
const firstUserNumber = 16_384;

/**
 * Whether a database server may have run on the folder. If not, the folder contains at most a database that `initdb`
 * was creating, as earlier versions of Linksieve did it in this place. Any file that does not come from `initdb` counts
 * as use: a table, a second segment of the write-ahead log, or an unknown name.
 */
async function wasUsed(folder: string): Promise<boolean> {
  const paths = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    // A folder that this user cannot read may contain a database.
    throw error;
  });
  return paths.some((native) => {
    const path = native.replaceAll(sep, '/');
    if (!initialEntry.test(path) || laterEntry.test(path)) return true;
    const [, segment] = /^cluster\/pg_wal\/([0-9A-F]{24})/.exec(path) ?? [];
    if (segment !== undefined) return segment !== '000000010000000000000001';
    return (
      /^cluster\/(?:base|global)\//.test(path) && path.split(/[/._]/).some((part) => Number(part) >= firstUserNumber)
    );
  });
}

/** @throws StartError if the password is missing, or pg_control, without which PostgreSQL cannot read any other file */
async function requireComplete(folder: string): Promise<void> {
  for (const file of ['password', 'cluster/global/pg_control']) {
    await stat(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new StartError(
        `The database in ${folder} is incomplete: ${file} is missing. Restore this folder from a backup, or delete it if it was never used, and start again.`,
        { cause: error },
      );
    });
  }
}

/**
 * Returns the user to run PostgreSQL as if Linksieve runs as root, which PostgreSQL refuses: the owner of the existing
 * data, or else the user `postgres` or `nobody`. Undefined if Linksieve does not run as root.
 */
export async function findOwner(cluster: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await stat(cluster).catch(() => undefined);
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new StartError('PostgreSQL does not run as root. Start Linksieve as a regular user, or set DATABASE_URL.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/**
 * Returns a path under which the owner can reach the cluster. The owner may not have access to its parent folders, such
 * as root's home, but a process can always access its own working directory, and PostgreSQL's processes run in the
 * cluster.
 */
export function dataFolder(cluster: string, owner: Owner | undefined): string {
  return owner ? '/proc/self/cwd' : cluster;
}
