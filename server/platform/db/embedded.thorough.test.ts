import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, type TestContext, test, vi } from 'vitest';
import { openQueues } from '../../worker.ts';
import { applicationRole, protectTable } from './application-role.ts';
import { findRunningEmbedded, startEmbedded } from './embedded.ts';
import { withFreeSpace } from './free-space.fixtures.ts';
import { migrate } from './migrate.ts';
import { isPostmasterAlive, readPostmaster } from './postmaster.ts';
import { limitLogSize } from './text-log.ts';

// The tests start PostgreSQL several times, and several tests share the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Contains `created`, the folder of a database without tables. */
let shared: string;

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'linksieve-embedded-'));
  await chmod(shared, 0o755);
  await (await startEmbedded(join(shared, 'created'), { durable: false })).stop();
});

afterAll(() => rm(shared, { recursive: true, force: true }));

test('a second start on the same folder is refused, also while the database loses all its processes', async (context) => {
  const { folder, cluster, start } = await createFolder(context);
  const server = await start();
  const refusal = `Another Linksieve process is using the data folder ${dirname(folder)}.`;
  await expect(startEmbedded(folder)).rejects.toThrow(refusal);
  const others = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()';
  await query(server.superuserUrl, others);
  await expect(startEmbedded(folder)).rejects.toThrow(refusal);
  process.kill(await getPid(cluster), 'SIGKILL');
  await expect(startEmbedded(folder)).rejects.toThrow(refusal);
  await server.stop();
  expect(await isPostmasterAlive(cluster)).toBe(false);
  await start();
});

test('a start is refused while a process that only knows the advisory lock uses the database, which goes on', async (context) => {
  const { folder, start } = await createFolder(context);
  const server = await start();
  await rm(`${folder}.lock`);
  await expect(startEmbedded(folder)).rejects.toThrow('Another Linksieve process is using the data folder');
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a killed database is restarted on the same port, although a query of it goes on, and reports it', async (context) => {
  const { cluster, start } = await createFolder(context);
  const lines: string[] = [];
  const write = (line: unknown) => lines.push(String(line));
  const server = await start({ durable: true, log: { info: write, warn: write, error: write } });
  await query(server.url, 'create table kept as select 1 as id');
  const before = await readPostmaster(cluster);
  // Such a query does not notice that the main process is gone.
  const endless = query(
    server.url,
    'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b',
  );
  endless.catch(() => undefined);
  await expect
    .poll(() => query(server.url, "select state from pg_stat_activity where query ~ '^select count'"), {
      timeout: 60_000,
    })
    .toEqual([{ state: 'active' }]);
  process.kill(before?.pid ?? 0, 'SIGKILL');
  await expect
    .poll(() => query(server.url, 'select id from kept').catch(() => []), { timeout: 60_000 })
    .toEqual([{ id: 1 }]);
  await expect(endless).rejects.toThrow();
  const after = await readPostmaster(cluster);
  expect([after?.port, after?.pid === before?.pid]).toEqual([before?.port, false]);
  await expect
    .poll(() => lines, { timeout: 60_000 })
    .toEqual([
      'The embedded PostgreSQL has stopped. Linksieve is restarting it.',
      expect.stringMatching(/^The embedded PostgreSQL accepts connections again after [\d.]+ s\.$/),
    ]);
  expect(server.failure()).toBeUndefined();
});

test('a database that was just killed, or is being restarted, can be stopped', async (context) => {
  const { cluster, start } = await createFolder(context);
  for (const milliseconds of [0, 300, 900]) {
    const server = await start();
    process.kill(await getPid(cluster), 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await server.stop();
    expect(await isPostmasterAlive(cluster)).toBe(false);
  }
});

test.for<[string, string[]]>([
  ['a folder and its password', ['cluster', 'postgres.log']],
  ['PG_VERSION', ['cluster/base', 'cluster/global', 'cluster/pg_wal', 'cluster/postmaster.opts']],
  ['everything but pg_control', ['cluster/global/pg_control', 'cluster/postmaster.opts']],
  ['pg_control, but not all databases', ['cluster/base/4', 'cluster/base/5', 'cluster/postmaster.opts']],
])('a database that initdb did not finish is created again: %s', async ([, missing], context) => {
  const { folder, start } = await createFolder(context);
  for (const path of missing) await rm(join(folder, path), { recursive: true });
  const password = await readFile(join(folder, 'password'), 'utf8');
  const server = await start();
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await readFile(join(folder, 'password'), 'utf8')).not.toBe(password);
});

test.for<[string, string[], string[]]>([
  ['a server has run', ['cluster/global/pg_control'], []],
  ['there is a table', ['cluster/global/pg_control', 'cluster/postmaster.opts'], ['cluster/base/5/16384']],
  [
    'there is a second database',
    ['cluster/base/5', 'cluster/global/pg_control', 'cluster/postmaster.opts'],
    ['cluster/base/16390/1'],
  ],
  [
    'the log of changes has a second part',
    ['cluster/global/pg_control', 'cluster/postmaster.opts'],
    ['cluster/pg_wal/000000010000000000000002'],
  ],
  ['there is an unknown file', ['cluster/global/pg_control', 'cluster/postmaster.opts'], ['backup.tar']],
  ['only the password is missing', ['password'], []],
])(
  'an incomplete database that may have been used is reported and left unchanged: %s',
  async ([, missing, added], context) => {
    const { folder } = await createFolder(context);
    for (const path of missing) await rm(join(folder, path), { recursive: true });
    for (const path of added) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), '');
    }
    const before = await readdir(folder, { recursive: true });
    await expect(startEmbedded(folder)).rejects.toThrow(`The database in ${folder} is incomplete: `);
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  },
);

test('the database of an earlier version gets a role for the application, which is no superuser and cannot change the audit log', async (context) => {
  const { start } = await createFolder(context);
  const earlier = await start();
  await migrate(earlier.superuserUrl);
  await (await openQueues(earlier.superuserUrl, () => undefined)).stop({ graceful: false });
  await query(
    earlier.superuserUrl,
    `insert into users (username, email) values ('ada', 'ada@mail.example');
     insert into audit_events (user_id, username, event, details) select id, username, 'Kept', '{}' from users;
     drop owned by ${applicationRole};
     drop role ${applicationRole}`,
  );
  await earlier.stop();

  const { url, superuserUrl } = await start();
  expect(await migrate(url)).toEqual([]);
  const jobs = await openQueues(url, () => undefined);
  await jobs.send('import', {});
  await jobs.stop({ graceful: false });
  await protectTable(superuserUrl, 'audit_events');
  const roles = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
  expect(await query(url, roles)).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: true }]);
  const owners = `
    select distinct relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'S')
    and relowner <> (select oid from pg_roles where rolname = current_user) order by name`;
  expect(await query(url, owners)).toEqual([{ name: 'audit_events' }, { name: 'audit_events_id_seq' }]);

  const add =
    "insert into audit_events (user_id, username, event, details) values ((select id from users), 'ada', 'Added', '{}')";
  await query(url, add);
  await query(url, 'delete from users');
  expect(await query(url, 'select event, user_id from audit_events order by id')).toEqual([
    { event: 'Kept', user_id: null },
    { event: 'Added', user_id: null },
  ]);
  for (const statement of [
    "update audit_events set event = 'x'",
    'delete from audit_events',
    'truncate audit_events',
    'drop table audit_events',
    'drop schema public cascade',
    'alter table audit_events disable trigger user',
    'create or replace function protect_audit_events() returns trigger language plpgsql as $$ begin return old; end $$',
    'set session_replication_role = replica',
    "copy audit_events from program 'true'",
    "select pg_read_file('PG_VERSION')",
    'create role other superuser',
  ]) {
    await expect(query(url, statement), statement).rejects.toThrow(/permission denied|must be owner/);
  }
});

test('the password of the application appears in no log of the database', async (context) => {
  const { folder, start } = await createFolder(context);
  const server = await start();
  await query(server.superuserUrl, "alter system set log_statement = 'all'");
  await query(server.superuserUrl, 'select pg_reload_conf()');
  await server.stop();
  const again = await start();
  const log = await readFile(join(folder, 'postgres.log'), 'utf8');
  expect(log).toContain(`alter role ${applicationRole} login`);
  expect(log).not.toContain(new URL(again.url).password);
});

test('a command finds the database of another process, and none while the folder is free', async (context) => {
  const { folder, start } = await createFolder(context);
  expect(await findRunningEmbedded(folder)).toBeUndefined();
  const { url, stop } = await start();
  expect(await findRunningEmbedded(folder)).toBe(url);
  await stop();
  expect(await findRunningEmbedded(folder)).toBeUndefined();
});

test('on a full disk, the start deletes the ballast and says so', async (context) => {
  const { folder, start } = await createFolder(context);
  await writeFile(join(folder, 'ballast'), '');
  const warn = vi.fn();
  await withFreeSpace(10 * 1024 * 1024, () => start({ log: { info: vi.fn(), warn, error: vi.fn() } }));
  expect(await readdir(folder)).not.toContain('ballast');
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('has deleted the ballast'));
});

test('the log of the database moves to a second file at 10 MB, and writing goes on', async (context) => {
  const { folder } = await createFolder(context);
  const path = join(folder, 'postgres.log');
  await writeFile(path, 'a'.repeat(10 * 1024 * 1024 - 1));
  await limitLogSize(path);
  await appendFile(path, 'b');
  await limitLogSize(path);
  await appendFile(path, 'c');
  expect([await readFile(path, 'utf8'), (await stat(`${path}.1`)).size]).toEqual(['c', 10 * 1024 * 1024]);
  await writeFile(path, 'd'.repeat(10 * 1024 * 1024));
  await limitLogSize(path);
  expect([(await stat(path)).size, (await readFile(`${path}.1`, 'utf8'))[0]]).toEqual([0, 'd']);
});

/** Copies the folder of a database. Its servers are stopped and the copy is deleted after the test. */
async function createFolder({ onTestFinished }: TestContext) {
  const parent = await mkdtemp(join(shared, 'copy-'));
  const folder = join(parent, 'postgres');
  const stops: (() => Promise<void>)[] = [];
  await promisify(execFile)('cp', ['-a', join(shared, 'created'), folder]);
  onTestFinished(async () => {
    for (const stop of stops) await stop();
    await rm(parent, { recursive: true, force: true });
  });
  return {
    folder,
    cluster: join(folder, 'cluster'),
    async start(options: Parameters<typeof startEmbedded>[1] = {}) {
      const { stop, ...server } = await startEmbedded(folder, { durable: false, ...options });
      let stopped: Promise<void> | undefined;
      const stopOnce = () => (stopped ??= stop());
      stops.push(stopOnce);
      return { ...server, stop: stopOnce };
    },
  };
}

async function getPid(cluster: string): Promise<number> {
  const postmaster = await readPostmaster(cluster);
  if (!postmaster) throw new Error('The database does not run.');
  return postmaster.pid;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
