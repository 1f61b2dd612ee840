import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { findPostgresPrograms, type Owner, type PostgresPrograms } from '../../server/platform/db/postgres-programs.ts';
import { findFreePort } from '../../server/platform/net/ports.ts';
import { waitFor } from './with-server.ts';

/** `nobody`, because PostgreSQL does not run as root. */
export const owner: Owner | undefined = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

/** Letters of all languages, because Linksieve refuses a database with the locale C. */
const builtinLocale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

interface PairOptions {
  /** The programs of both servers, by default the ones of the embedded PostgreSQL. */
  programs?: Pick<PostgresPrograms, 'initdb' | 'postgres'>;
  /** Arguments of initdb for the locale. PostgreSQL before 17 does not know the default ones. */
  locale?: readonly string[];
  /** Settings of both servers, as `name=value`. */
  settings?: readonly string[];
}

interface Server {
  port: number;
  folder: string;
  child: ChildProcess;
}

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;

/**
 * Starts a PostgreSQL primary and a synchronous hot standby, and a proxy that connects its clients to one of them, as
 * HAProxy does in front of Patroni.
 */
export async function startPostgresPair({ programs, locale = builtinLocale, settings = [] }: PairOptions = {}) {
  // Not below a home folder, which another user cannot open.
  const folder = await mkdtemp('/tmp/linksieve-pair-');
  const { initdb, postgres } = programs ?? (await findPostgresPrograms(owner, join(folder, 'programs')));
  if (owner) await chown(folder, owner.uid, owner.gid);
  const startServer = (name: string) => startPostgres(postgres, join(folder, name), settings);
  await createCluster(initdb, join(folder, 'primary'), locale);
  const primary = await startServer('primary');
  await copyCluster(primary, join(folder, 'standby'));
  const standby = await startServer('standby');
  await execute(primary.port, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
  const proxy = await startProxy(primary.port);
  return {
    /** Connects to the primary, until `switchToStandby`. */
    url: `postgres://linksieve@127.0.0.1:${proxy.port}/postgres`,
    /** Connects to the standby, which is read-only until it is promoted. */
    standbyUrl: `postgres://linksieve@127.0.0.1:${standby.port}/postgres`,
    async killPrimary(): Promise<void> {
      await end(primary, 'SIGKILL');
    },
    /** Cuts all connections and sends new ones to the standby, which is still read-only. */
    switchToStandby: () => proxy.switchTo(standby.port),
    async promoteStandby(): Promise<void> {
      await execute(standby.port, "alter system set synchronous_standby_names = ''", 'select pg_promote()');
    },
    /** Stops what the standby applies. It still receives all changes. */
    pauseReplay: () => execute(standby.port, 'select pg_wal_replay_pause()'),
    resumeReplay: () => execute(standby.port, 'select pg_wal_replay_resume()'),
    /**
     * Freezes the standby and its open connections.
     * @returns a function that lets them continue; a second call does nothing
     */
    async freezeStandby(): Promise<() => void> {
      const client = await openClient(standby.port);
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      await client.end();
      const pids = [standby.child.pid, ...rows.map(({ pid }) => pid)].filter((pid) => pid !== undefined);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT');
      };
    },
    async killStandby(): Promise<void> {
      // Otherwise, the primary would wait for it.
      await execute(primary.port, "alter system set synchronous_standby_names = ''", 'select pg_reload_conf()');
      await end(standby, 'SIGKILL');
    },
    async stop(): Promise<void> {
      proxy.close();
      for (const server of [primary, standby]) await end(server, 'SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createCluster(initdb: string, folder: string, locale: readonly string[]): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (owner) await chown(folder, owner.uid, owner.gid);
  const child = start(initdb, ['-D', folder, '-U', 'linksieve', '--auth=trust', '-E', 'UTF8', ...locale], folder);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`initdb exited with ${code}.`);
}

/**
 * Copies the running primary as pg_basebackup does. The copy starts as a hot standby. Its slot makes the primary keep
 * the WAL that it has not received. Without it, a checkpoint can remove a segment during a large write, and all commits
 * would wait for the standby forever.
 */
async function copyCluster(primary: Server, folder: string): Promise<void> {
  const client = await openClient(primary.port);
  await client.query("select pg_create_physical_replication_slot('standby', true), pg_backup_start('standby', true)");
  const omitted = ['postmaster.pid', 'pg_replslot/standby'].map((name) => join(primary.folder, name));
  await cp(primary.folder, folder, { recursive: true, filter: (path) => !omitted.includes(path) });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  await writeFile(join(folder, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(folder, 'standby.signal'), '');
  await appendFile(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=linksieve application_name=standby'\nprimary_slot_name = 'standby'\n`,
  );
  if (owner) {
    for (const name of ['', ...(await readdir(folder, { recursive: true }))])
      await chown(join(folder, name), owner.uid, owner.gid);
  }
}

async function startPostgres(program: string, folder: string, extraSettings: readonly string[]): Promise<Server> {
  const port = await findFreePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=120',
    ...extraSettings,
  ];
  const child = start(program, ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])], folder);
  await waitFor(async () => (await openClient(port)).end().then(() => true), 60_000);
  return { port, folder, child };
}

function start(program: string, parameters: string[], folder: string): ChildProcess {
  return spawn(program, parameters, { ...owner, cwd: folder, stdio: 'ignore', env: { LC_ALL: 'C', TZ: 'UTC' } });
}

async function end({ child }: Server, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function openClient(port: number): Promise<pg.Client> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'linksieve', database: 'postgres' });
  await client.connect();
  return client;
}

async function execute(port: number, ...statements: string[]): Promise<void> {
  const client = await openClient(port);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startProxy(firstTarget: number) {
  let target = firstTarget;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    switchTo(port: number): void {
      target = port;
      cut();
    },
    close(): void {
      server.close();
      cut();
    },
  };
}
