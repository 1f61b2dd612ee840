import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../net/ports.ts';
import { getErrorMessage, StartError } from '../start-error.ts';
import { clearDeadPostmaster, findPostgresPrograms, type Owner, type PostgresPrograms } from './postgres-programs.ts';

export interface EmbeddedPostgres {
  url: string;
  /** Closes all connections and shuts the server down cleanly. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** False for tests: faster, but a power failure may lose data, and the settings suit many small databases. */
  durable?: boolean;
  /** See `findPostgresPrograms`. */
  cacheDir?: string;
  /** Picks a free TCP port of 127.0.0.1. */
  findPort?: () => Promise<number>;
}

const user = 'linksieve';

/**
 * Starts the PostgreSQL from the npm packages on a free port of 127.0.0.1. Creates the data folder if it is missing.
 * Reuses a server that a killed process left running on the same folder. Throws StartError.
 */
export async function startEmbedded(
  folder: string,
  { durable = true, cacheDir = '/var/cache/linksieve', findPort = findFreePort }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = join(folder, 'cluster');
  const owner = await findOwner(cluster);
  const programs = await findPostgresPrograms(owner, cacheDir);
  if (!(await hasCluster(folder))) await createCluster(folder, programs, owner, durable);
  if (owner) await chown(folder, owner.uid, owner.gid);
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const toUrl = (port: number) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const pgCtl = (...parameters: string[]) => run(programs.pgCtl, parameters, cluster, owner);
  const stop = () => pgCtl('stop', '-D', dataFolder(cluster, owner), '-m', 'fast', '-w', '-t', '60', '-s');

  const runningPort = await readRunningPort(cluster);
  if (runningPort && (await canConnect(toUrl(runningPort)))) return { url: toUrl(runningPort), stop };

  await clearDeadPostmaster(cluster);
  const log = join(folder, 'postgres.log');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findPort();
    const settings = Object.entries(buildSettings(port, durable)).map(([name, value]) => `-c ${name}=${value}`);
    const logSize = await getSize(log);
    const failure = await pgCtl(
      ...['start', '-D', dataFolder(cluster, owner), '-l', '../postgres.log'],
      ...['-w', '-t', '60', '-s', '-o', settings.join(' ')],
    ).catch(getErrorMessage);
    if (failure === undefined) return { url: toUrl(port), stop };
    const reason = findReason(await readTextFrom(log, logSize)) ?? failure;
    // Another program may have taken the port since it was picked.
    if (attempt < 3 && reason.includes('could not create any TCP/IP sockets')) continue;
    throw new StartError(`The embedded PostgreSQL did not start: ${reason}. See its log: ${log}`);
  }
}

/**
 * Creates the data folder under a temporary name and renames it when it is complete, so that a killed start leaves
 * nothing that looks like a database.
 */
async function createCluster(
  path: string,
  programs: PostgresPrograms,
  owner: Owner | undefined,
  durable: boolean,
): Promise<void> {
  // The path may be a link to a folder on another disk.
  const folder = await realpath(path).catch(() => path);
  const parent = dirname(folder);
  const prefix = `${basename(folder)}.unfinished-`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    // The initdb of the killed start may still be writing to this folder.
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const draft = await mkdtemp(join(parent, prefix));
  const cluster = join(draft, 'cluster');
  const password = join(draft, 'password');
  try {
    await mkdir(cluster, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    // The folder must come last: its owner could replace the files in it by links to any file of this machine.
    if (owner) for (const created of [cluster, password, draft]) await lchown(created, owner.uid, owner.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--username=${user}`, '--pwfile=../password', '--data-checksums'];
    const sync = durable ? [] : ['--no-sync'];
    await run(
      programs.initdb,
      [`--pgdata=${dataFolder(cluster, owner)}`, ...locale, ...access, ...sync],
      cluster,
      owner,
    ).catch((error: unknown) => {
      throw new StartError(`The embedded database could not be created in ${parent}: ${getErrorMessage(error)}`);
    });
    await moveCluster(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // Windows cannot open a folder.
  if (process.platform === 'win32') return;
  const handle = await open(parent);
  await handle.sync().finally(() => handle.close());
}

async function moveCluster(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    // Another process created the database first.
    if (await hasCluster(folder)) return;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EBUSY')
      throw new StartError(
        `The database cannot be created in ${folder}, because a disk is mounted there. Mount it on the parent folder, or set another DATA_DIR.`,
        { cause: error },
      );
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    const sentence =
      `The database in ${folder} is incomplete. Restore this folder from a backup, ` +
      'or delete it if it was never used, and start again.';
    throw new StartError(sentence, { cause: error });
  }
}

/** Whether a data folder contains pg_control, without which PostgreSQL cannot read any other file. */
async function hasCluster(folder: string): Promise<boolean> {
  return await stat(join(folder, 'cluster/global/pg_control')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      // A folder that this user cannot read may contain a database.
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
}

/** PostgreSQL settings for a database that shares the machine with the application. */
function buildSettings(port: number, durable: boolean): Record<string, string | number> {
  const megabytes = Math.floor(totalmem() / 1024 / 1024);
  return {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: "''",
    shared_buffers: `${Math.max(64, Math.min(Math.floor(megabytes / 6), 4096))}MB`,
    effective_cache_size: `${Math.max(128, Math.floor(megabytes / 2))}MB`,
    work_mem: '32MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    random_page_cost: 1.1,
    max_parallel_workers_per_gather: Math.min(2, availableParallelism()),
    timezone: 'UTC',
    // Each test file creates and drops a database, and PostgreSQL scans all shared buffers both times.
    ...(durable
      ? { max_connections: 60 }
      : {
          max_connections: 200,
          shared_buffers: '128MB',
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
        }),
  };
}

/** Reads the port from the lock file of a running server: the fourth line of postmaster.pid. */
async function readRunningPort(cluster: string): Promise<number | undefined> {
  const lines = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  return Number(lines[3]) || undefined;
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns the user to run PostgreSQL as if Linksieve runs as root, which PostgreSQL refuses: the owner of the existing
 * data, or else the user `postgres` or `nobody`. Undefined if Linksieve does not run as root.
 */
async function findOwner(cluster: string): Promise<Owner | undefined> {
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
function dataFolder(cluster: string, owner: Owner | undefined): string {
  return owner ? '/proc/self/cwd' : cluster;
}

/** Runs a program in the cluster folder. Throws an error whose message is the reason in one line. */
async function run(program: string, parameters: string[], cluster: string, owner: Owner | undefined): Promise<void> {
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
function findReason(text: string): string | undefined {
  const [, message] = text.match(/(?:FATAL|PANIC|error):\s+(.+)/) ?? [];
  return message ?? (text.trim().split('\n').at(-1) || undefined);
}

async function getSize(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readTextFrom(path: string, start: number): Promise<string> {
  return await readFile(path).then(
    (bytes) => bytes.subarray(start).toString(),
    () => '',
  );
}
