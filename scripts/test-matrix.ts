import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { owner, startPostgresPair } from '../e2e/faults/postgres-pair.ts';
import { waitFor } from '../e2e/faults/with-server.ts';
import { applicationRole } from '../server/platform/db/application-role.ts';
import { findFreePort } from '../server/platform/net/ports.ts';
import { installPackages } from './apt.ts';

/**
 * `npm run test:matrix`: runs the server tests that use a database against those that the documentation promises, all
 * in one run: the oldest supported PostgreSQL, a standby for reads, and PgBouncer for requests. A line says which of
 * them is missing and why. Arguments choose test files, as those of Vitest.
 */
const oldestVersion = '15';
/** The first version that manages prepared statements in transaction mode. */
const oldestPgBouncer = [1, 21] as const;

const missing: string[] = [];
const programs = findOldestPostgres();
const pair = await startPostgresPair({
  ...(programs && { programs, locale: ['--locale=C.UTF-8'] }),
  // A crash of the machine ends the run, so nothing has to survive it. PgBouncer keeps its connections of each
  // database.
  settings: ['fsync=off', 'full_page_writes=off', 'max_connections=400'],
});
// Ctrl+C reaches all processes. This one waits for them.
process.on('SIGINT', () => undefined);
try {
  process.exitCode = await runTests();
} finally {
  await pair.stop();
}

/** @returns the exit code of Vitest */
async function runTests(): Promise<number> {
  const client = new pg.Client(pair.url);
  await client.connect();
  await client.query(`create role ${applicationRole} login createdb in role pg_signal_backend`);
  await client.end();
  const bouncer = await startPgBouncer(new URL(pair.url).port);
  const oldest = programs ? `PostgreSQL ${oldestVersion}` : 'the embedded PostgreSQL';
  const skipped = missing.map((reason) => ` Skipped: ${reason}.`).join('');
  console.log(`Databases: ${oldest}, a hot standby${bouncer ? ', PgBouncer' : ''}.${skipped}`);
  const chosen = process.argv.slice(2);
  const files = chosen.length > 0 ? ['run', ...chosen] : ['related', '--run', ...listDatabaseFiles()];
  const child = spawn('vitest', [...files, '--project', 'server'], {
    stdio: 'inherit',
    env: {
      ...process.env,
      // The tests of the first ring.
      TEST_THOROUGH: '',
      TEST_DATABASE_URL: asApplication(pair.url),
      TEST_DATABASE_READ_URL: asApplication(pair.standbyUrl),
      ...(bouncer && { TEST_DATABASE_POOL_URL: bouncer.url }),
    },
  });
  const [status] = await once(child, 'close');
  await bouncer?.stop();
  return status ?? 1;
}

/** Returns the files that connect to the database of the tests. Vitest finds the tests that import them. */
function listDatabaseFiles(): string[] {
  return globSync('server/**/*.ts').filter((path) => readFileSync(path, 'utf8').includes("inject('postgresUrl')"));
}

/** Returns the URL with the role that the application has, which is no superuser. */
function asApplication(url: string): string {
  const changed = new URL(url);
  changed.username = applicationRole;
  return changed.href;
}

/** Returns the programs of Debian's package, which is installed if possible; undefined if there are none. */
function findOldestPostgres() {
  const folder = `/usr/lib/postgresql/${oldestVersion}/bin`;
  const found = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  if (existsSync(found.postgres)) return found;
  if (installPackages([`postgresql-${oldestVersion}`])) return found;
  missing.push(`PostgreSQL ${oldestVersion}, because its package is not installed`);
  return;
}

/** Starts PgBouncer as docs/operations.md describes it. Returns undefined if there is none, or an old one. */
async function startPgBouncer(databasePort: string) {
  // Debian installs it in a folder that is not in everyone's path.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const version = /PgBouncer (\d+)\.(\d+)/.exec(
    spawnSync('pgbouncer', ['--version'], { env, encoding: 'utf8' }).stdout,
  );
  if (!version) {
    missing.push('PgBouncer, because it is not installed');
    return;
  }
  const [major, minor] = version.slice(1).map(Number);
  if (major === oldestPgBouncer[0] && (minor ?? 0) < oldestPgBouncer[1]) {
    missing.push(`PgBouncer, because ${major}.${minor} is older than ${oldestPgBouncer.join('.')}`);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-pgbouncer-'));
  await chmod(folder, 0o755);
  const path = join(folder, 'pgbouncer.ini');
  const port = await findFreePort();
  await writeFile(
    path,
    `[databases]
* = host=127.0.0.1 port=${databasePort} user=${applicationRole} connect_query='set statement_timeout = 60000; set lock_timeout = 10000'

[pgbouncer]
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 20
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
`,
  );
  const program = spawn('pgbouncer', [path], { ...owner, env, stdio: 'ignore' });
  const url = `postgres://${applicationRole}@127.0.0.1:${port}/postgres`;
  await waitFor(async () => {
    const connection = new pg.Client(url);
    await connection.connect();
    await connection.end();
    return true;
  }, 30_000);
  return {
    url,
    async stop(): Promise<void> {
      const exited = once(program, 'exit');
      program.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
