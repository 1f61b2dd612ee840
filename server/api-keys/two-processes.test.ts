import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../net/ports.ts';
import { startTestApp } from '../test-app.fixtures.ts';

// Each test starts servers.
vi.setConfig({ testTimeout: 120_000 });

const { call, context, signUp } = await startTestApp();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-processes-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await ended(child, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function newKey() {
  const { cookie } = await signUp();
  const { id, keyValue } = (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json();
  return { id: id as number, value: keyValue as string };
}

/** A web server in a process of its own, on the database of the test. */
async function start() {
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), 'web'], {
    env: {
      ...process.env,
      NODE_ENV: '',
      PORT: String(port),
      DATABASE_URL: context.databaseUrl,
      DATA_DIR: join(folder, String(port)),
      LOG_LEVEL: 'error',
    },
  });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  while (!said.includes('Linksieve is ready')) {
    if (child.exitCode !== null) throw new Error(`It did not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const ask = (path: string, key: string) =>
    fetch(`http://localhost:${port}/api/v1${path}`, { headers: { 'x-api-key': key } });
  return {
    child,
    check: async (key: string) => {
      const response = await ask('/check?domain=clean.example', key);
      await response.arrayBuffer();
      return response.status;
    },
    usage: async (key: string) => (await (await ask('/usage', key)).json()) as Record<string, unknown>,
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill(signal);
  });
}

/** Clients that ask again and again until they are refused. @returns how often each status was answered */
async function askUntilRefused(servers: { check(key: string): Promise<number> }[], key: string) {
  const counts: Record<number, number> = {};
  const client = async (number: number) => {
    for (let status = 200; status === 200; ) {
      status = (await servers[number % servers.length]?.check(key)) ?? 0;
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, number) => client(number)));
  return counts;
}

test('50 clients of two servers get exactly the thousand of a day, and its count outlives the servers', async () => {
  const key = await newKey();
  const servers = await Promise.all([start(), start()]);
  expect(await askUntilRefused(servers, key.value)).toEqual({ 200: 1000, 429: 50 });
  const use = { dailyUsage: 1000, usageCount: 1000, remaining: 0 };
  for (const { usage } of servers) expect(await usage(key.value)).toMatchObject(use);
  const other = await newKey();
  await Promise.all(servers.map(({ check }) => check(other.value)));
  expect(await Promise.all(servers.map(({ child }) => ended(child, 'SIGTERM')))).toEqual([0, 0]);
  const again = await start();
  expect(await again.usage(key.value)).toMatchObject(use);
  expect(await again.check(key.value)).toBe(429);
  expect(await again.usage(other.value)).toMatchObject({ dailyUsage: 2, remaining: 998 });
  await ended(again.child, 'SIGTERM');
});

test('what a server answered stays counted when it is killed', async () => {
  const key = await newKey();
  const [killed, left] = await Promise.all([start(), start()]);
  const answered = await Promise.all(Array.from({ length: 30 }, () => killed.check(key.value)));
  await ended(killed.child, 'SIGKILL');
  const before = answered.filter((status) => status === 200).length;
  expect(before).toBe(30);
  expect(await askUntilRefused([left], key.value)).toEqual({ 200: 970, 429: 50 });
  await ended(left.child, 'SIGTERM');
});
