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
import { freePort } from '../net/ports.ts';
import { getErrorMessage, StartError } from '../start-error.ts';
import { clearDeadPostmaster, type Owner, type PostgresPrograms, postgresPrograms } from './postgres-programs.ts';

export interface EmbeddedPostgres {
  url: string;
  /** Ends it cleanly: connections are closed, nothing is lost. */
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  /** False for tests: faster, but the data may be lost in a power cut, and the settings suit many small databases. */
  durable?: boolean;
  /** See `postgresPrograms`. */
  cacheDir?: string;
  /** Picks a free TCP port of 127.0.0.1. */
  findPort?: () => Promise<number>;
}

const user = 'linksieve';

/**
 * Starts the PostgreSQL that comes with the packages, on a data folder that is created when it is missing and on a free port of
 * 127.0.0.1. Takes over a server that a killed process left running on the same folder. Throws StartError.
 */
export async function startEmbedded(
  folder: string,
  { durable = true, cacheDir = '/var/cache/linksieve', findPort = freePort }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = join(folder, 'cluster');
  const owner = await findOwner(cluster);
  const programs = await postgresPrograms(owner, cacheDir);
  if (!(await isWhole(folder))) await createCluster(folder, programs, owner, durable);
  if (owner) await chown(folder, owner.uid, owner.gid);
  const password = (await readFile(join(folder, 'password'), 'utf8')).trim();
  const urlOf = (port: number) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const pgCtl = (...parameters: string[]) => run(programs.pgCtl, parameters, cluster, owner);
  const stop = () => pgCtl('stop', '-D', dataFolder(cluster, owner), '-m', 'fast', '-w', '-t', '60', '-s');

  const left = await portOfRunning(cluster);
  if (left && (await answers(urlOf(left)))) return { url: urlOf(left), stop };

  await clearDeadPostmaster(cluster);
  const log = join(folder, 'postgres.log');
  for (let attempt = 1; ; attempt += 1) {
    const port = await findPort();
    const settings = Object.entries(settingsFor(port, durable)).map(([name, value]) => `-c ${name}=${value}`);
    const logged = await sizeOf(log);
    const failure = await pgCtl(
      ...['start', '-D', dataFolder(cluster, owner), '-l', '../postgres.log'],
      ...['-w', '-t', '60', '-s', '-o', settings.join(' ')],
    ).catch(getErrorMessage);
    if (failure === undefined) return { url: urlOf(port), stop };
    const reason = reasonIn(await textFrom(log, logged)) ?? failure;
    // Another program can take the port between its choice and its use.
    if (attempt < 3 && reason.includes('could not create any TCP/IP sockets')) continue;
    throw new StartError(`The embedded PostgreSQL did not start: ${reason}. Its log is ${log}`);
  }
}

/**
 * Makes the data folder beside its place and moves it there when it is complete: a start that is killed meanwhile leaves nothing
 * that the next one could take for a database.
 */
async function createCluster(
  place: string,
  programs: PostgresPrograms,
  owner: Owner | undefined,
  durable: boolean,
): Promise<void> {
  // Whoever keeps the database on another disk may have put a link here.
  const folder = await realpath(place).catch(() => place);
  const parent = dirname(folder);
  const prefix = `${basename(folder)}.unfinished-`;
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    // The killed start's initdb may still write into it for a moment.
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const draft = await mkdtemp(join(parent, prefix));
  const cluster = join(draft, 'cluster');
  const password = join(draft, 'password');
  try {
    await mkdir(cluster, { mode: 0o700 });
    await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true });
    // The folder comes last: its owner could put a link to any file of this machine in the place of what is in it.
    if (owner) for (const path of [cluster, password, draft]) await lchown(path, owner.uid, owner.gid);
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
    await moveTo(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  // Windows keeps no folder open.
  if (process.platform === 'win32') return;
  const handle = await open(parent);
  await handle.sync().finally(() => handle.close());
}

async function moveTo(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    // Another start was faster.
    if (await isWhole(folder)) return;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EBUSY')
      throw new StartError(
        `The database cannot be created in ${folder}, because a disk is mounted there. Mount it on the folder above, or set another DATA_DIR.`,
        { cause: error },
      );
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    const sentence =
      `The database in ${folder} is incomplete: restore a backup of this folder, ` +
      'or delete it when it was never in use, and start again.';
    throw new StartError(sentence, { cause: error });
  }
}

/** Whether a data folder has the file without which PostgreSQL cannot read any other. */
async function isWhole(folder: string): Promise<boolean> {
  return await stat(join(folder, 'cluster/global/pg_control')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      // A folder that is closed to this user may well contain a database.
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
}

/** Settings that fit a database beside an application on one machine. */
function settingsFor(port: number, durable: boolean): Record<string, string | number> {
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
    // Tests share one server, and each file creates and drops a database: PostgreSQL scans all shared buffers both times.
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

/** The port in the lock file that a running server keeps in its data folder (postmaster.pid, fourth line). */
async function portOfRunning(cluster: string): Promise<number | undefined> {
  const lines = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  return Number(lines[3]) || undefined;
}

async function answers(url: string): Promise<boolean> {
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
 * The user that PostgreSQL runs as where Linksieve runs as root, which PostgreSQL refuses: the owner of the existing data, else
 * `postgres` where there is such a user, else `nobody`.
 */
async function findOwner(cluster: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await stat(cluster).catch(() => undefined);
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new StartError('PostgreSQL does not run as root. Start Linksieve as an ordinary user, or set DATABASE_URL.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/**
 * The cluster as its owner can reach it. Folders above it may be closed to the owner, as root's home is, but a process is always
 * let into its own working directory, and PostgreSQL's processes work in the cluster.
 */
function dataFolder(cluster: string, owner: Owner | undefined): string {
  return owner ? '/proc/self/cwd' : cluster;
}

/** Runs a program in the cluster. Throws an error with its reason in one line. */
async function run(program: string, parameters: string[], cluster: string, owner: Owner | undefined): Promise<void> {
  const child = spawn(program, parameters, {
    ...owner,
    cwd: cluster,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Other processes of its user can read what a process was started with: our settings hold passwords.
    env: { ...(owner ? pick(process.env, 'PATH', 'LD_LIBRARY_PATH', 'TZ') : process.env), LC_ALL: 'C' },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const code = await new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status, signal) => resolve(status ?? signal));
  });
  if (code !== 0) throw new Error(reasonIn(said) ?? `${basename(program)} ended with ${code}`);
}

function pick(environment: NodeJS.ProcessEnv, ...names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** What PostgreSQL's programs call fatal or an error, else their last line. */
function reasonIn(text: string): string | undefined {
  const [, named] = text.match(/(?:FATAL|PANIC|error):\s+(.+)/) ?? [];
  return named ?? (text.trim().split('\n').at(-1) || undefined);
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function textFrom(path: string, start: number): Promise<string> {
  return await readFile(path).then(
    (bytes) => bytes.subarray(start).toString(),
    () => '',
  );
}
