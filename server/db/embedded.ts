import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync } from 'node:fs';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { clearDeadPostmaster } from './dead-postmaster.ts';
import { freePort } from './free-port.ts';
import { linkLibraries, postgresPrograms } from './postgres-programs.ts';

export interface EmbeddedPostgres {
  url: string;
  /** Ends it cleanly: connections are closed, nothing is lost. */
  stop(): Promise<void>;
}

interface Owner {
  uid: number;
  gid: number;
}

const user = 'linksieve';

/**
 * Starts the PostgreSQL that comes with the packages, on a data folder that is made when it is missing and on a free port of
 * 127.0.0.1. One that a killed process left running on the same folder is taken over.
 */
export async function startEmbedded(folder: string, options: { durable?: boolean } = {}): Promise<EmbeddedPostgres> {
  const programs = await postgresPrograms();
  await linkLibraries(programs.root);
  const owner = process.getuid?.() === 0 ? await unprivilegedOwner() : undefined;
  const passwordFile = join(folder, 'password');
  const cluster = join(folder, 'cluster');
  await mkdir(folder, { recursive: true });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await rm(cluster, { recursive: true, force: true });
    await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (owner) chownSync(passwordFile, owner.uid, owner.gid);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = ['--auth=scram-sha-256', `--username=${user}`, `--pwfile=${passwordFile}`, '--data-checksums'];
    await run(programs.initdb, [`--pgdata=${cluster}`, ...locale, ...access], owner);
  }
  const password = (await readFile(passwordFile, 'utf8')).trim();
  const urlOf = (port: number) => `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const stop = () => run(programs.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '60', '-s'], owner);

  const left = await portOfRunning(cluster);
  if (left && (await answers(urlOf(left)))) return { url: urlOf(left), stop };

  await clearDeadPostmaster(cluster);
  const port = await freePort();
  const settings = Object.entries(settingsFor(port, options.durable ?? true)).map(
    ([name, value]) => `-c ${name}=${value}`,
  );
  const log = join(folder, 'postgres.log');
  await run(
    programs.pgCtl,
    ['start', '-D', cluster, '-l', log, '-w', '-t', '60', '-s', '-o', settings.join(' ')],
    owner,
    log,
  );
  return { url: urlOf(port), stop };
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
    // One that need not be durable is shared by the apps of several test files.
    ...(durable
      ? { max_connections: 60 }
      : { max_connections: 200, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
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

/** PostgreSQL refuses to run as root: `postgres` where there is such a user, else `nobody`. */
async function unprivilegedOwner(): Promise<Owner> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!found)
    throw new Error('PostgreSQL does not run as root. Start Linksieve as an ordinary user, or set DATABASE_URL.');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/**
 * As another user who may still walk through root's folders (CAP_DAC_READ_SEARCH): a clone or a data folder below /root
 * is closed to everybody else. setpriv belongs to util-linux, which every Debian has.
 */
function asOwner({ uid, gid }: Owner, program: string, parameters: string[]): [string, string[]] {
  const caps = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];
  return ['setpriv', [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...caps, '--', program, ...parameters]];
}

async function run(program: string, parameters: string[], owner: Owner | undefined, log?: string): Promise<void> {
  const [command, words] = owner ? asOwner(owner, program, parameters) : [program, parameters];
  const child = spawn(command, words, {
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  if (code === 0) return;
  const last =
    log &&
    (await access(log).then(
      () => readFile(log, 'utf8'),
      () => '',
    ));
  const reasons = [said.trim(), last?.trim().split('\n').slice(-5).join('\n')].filter(Boolean).join('\n');
  throw new Error(
    `The embedded PostgreSQL did not start or stop (${program.split('/').at(-1)} ended with ${code}).\n${reasons}`,
  );
}
