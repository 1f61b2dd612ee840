import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from './db/free-port.ts';

// Each test makes and starts databases, some of them twice.
vi.setConfig({ testTimeout: 120_000 });

let dataDir: string;
let port: number;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linksieve-start-'));
  port = await freePort();
});

afterEach(async () => {
  for (const child of children.splice(0)) await ended(child, 'SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

test('a second start on the same data keeps the accounts', async () => {
  const first = await start();
  await register('keeper');
  expect(await ended(first.child, 'SIGTERM')).toBe(0);
  await start();
  expect((await logIn('keeper')).status).toBe(200);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops it and leaves no database process behind',
  async (signal) => {
    const { child } = await start();
    const postmaster = await postmasterPid();
    expect(isAlive(postmaster)).toBe(true);
    await ended(child, signal);
    expect(isAlive(postmaster)).toBe(false);
  },
);

test('a start after kill -9 takes the database over that was left running', async () => {
  const { child } = await start();
  await register('survivor');
  const left = await postmasterPid();
  await ended(child, 'SIGKILL');
  expect(isAlive(left)).toBe(true);
  const again = await start();
  expect((await logIn('survivor')).status).toBe(200);
  await ended(again.child, 'SIGTERM');
  expect(isAlive(left)).toBe(false);
});

test('a start after the database was killed too recovers', async () => {
  const { child } = await start();
  await register('phoenix');
  const left = await postmasterPid();
  await ended(child, 'SIGKILL');
  process.kill(left, 'SIGKILL');
  await start();
  expect((await logIn('phoenix')).status).toBe(200);
});

test('a foreign program on the port is named, and no database is left behind', async () => {
  const foreign = createServer().listen(port, '127.0.0.1');
  const { child, said } = spawnMain();
  expect(await ended(child)).toBe(1);
  foreign.close();
  expect(said()).toContain(`Another program already uses port ${port}.`);
  await expect(postmasterPid()).rejects.toThrow('ENOENT');
});

test('the owner of the embedded database does not stand in the way of emptying the blacklist', async () => {
  const admin = { username: 'root', email: 'root@mail.example', password };
  await start({ ADMIN_USERNAME: admin.username, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  const cookie = (await post('/api/auth/login', admin)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const emptied = await post('/api/admin/delete-all-domains', { confirmationCode: 'DELETE ALL DOMAINS' }, cookie);
  expect([emptied.status, await emptied.json()]).toEqual([200, { count: 0 }]);
});

test('a second process on the same data folder is refused, and the first goes on', async () => {
  await start();
  const other = spawnMain({ PORT: String(await freePort()) });
  expect(await ended(other.child)).toBe(1);
  expect(other.said()).toContain(`Another Linksieve is running on the data folder ${dataDir}.`);
  expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
});

test('a wrong setting is named', async () => {
  const { child, said } = spawnMain({ PORT: 'eighty' });
  expect(await ended(child)).toBe(1);
  expect(said()).toMatch(/^The setting PORT is wrong: /m);
});

test.each([
  [
    { DATABASE_URL: 'postgres://me:hidden@127.0.0.1:1/links' },
    'DATABASE_URL does not let Linksieve in: connect ECONNREFUSED',
  ],
  [{ HOST: '203.0.113.1' }, 'This machine has no address 203.0.113.1.'],
  [{ HOST: 'nobody.invalid' }, 'Linksieve cannot listen on the HOST nobody.invalid'],
  [{ DATA_DIR: '/dev/null/data' }, 'Linksieve cannot write to its data folder /dev/null/data'],
])('what a start can not reach is said in one sentence: %o', async (settings, sentence) => {
  const { child, said } = spawnMain(settings);
  expect(await ended(child)).toBe(1);
  expect(said()).toContain(sentence);
  expect(said()).not.toMatch(/hidden|^ +at /m);
});

test('the settings of the first admin go together', async () => {
  const { child, said } = spawnMain({ ADMIN_USERNAME: 'root' });
  expect(await ended(child)).toBe(1);
  expect(said()).toContain('ADMIN_EMAIL and ADMIN_PASSWORD are not set');
});

function spawnMain(environment: Record<string, string> = {}) {
  let said = '';
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, NODE_ENV: '', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', ...environment },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  children.push(child);
  return { child, said: () => said };
}

async function start(environment: Record<string, string> = {}) {
  const { child, said } = spawnMain(environment);
  while (!said().includes('Linksieve is ready')) {
    if (child.exitCode !== null) throw new Error(`It did not start:\n${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child };
}

function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.on('exit', resolve);
    if (signal) child.kill(signal);
  });
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
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

async function register(username: string): Promise<void> {
  const response = await post('/api/auth/register', { username, email: `${username}@mail.example`, password });
  expect(response.status).toBe(201);
}

const logIn = (username: string) => post('/api/auth/login', { username, password });

function post(path: string, body: object, cookie = ''): Promise<Response> {
  return fetch(`http://localhost:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: JSON.stringify(body),
  });
}
