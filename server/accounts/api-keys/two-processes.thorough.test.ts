import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { findFreePort } from '../../platform/net/ports.ts';
import { startTestApp } from '../../test-app.fixtures.ts';

// Each test starts servers.
vi.setConfig({ testTimeout: 120_000 });

const { call, context, signUp } = await startTestApp();
const folder = await mkdtemp(join(tmpdir(), 'linksieve-processes-'));
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) await stop(child, 'SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function createKey() {
  const { cookie } = await signUp();
  const { id, keyValue } = (await call('POST', '/api/api-keys', { as: cookie, body: {} })).json();
  return { id: id as number, value: keyValue as string };
}

/** Starts a web server in a separate process, on the database of the test. */
async function startServer() {
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts'), 'web'], {
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
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  while (!output.includes('Linksieve is ready')) {
    if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const send = (path: string, key: string) =>
    fetch(`http://localhost:${port}/api/v1${path}`, { headers: { 'x-api-key': key } });
  return {
    child,
    check: async (key: string) => {
      const response = await send('/check?domain=clean.example', key);
      await response.arrayBuffer();
      return response.status;
    },
    usage: async (key: string) => (await (await send('/usage', key)).json()) as Record<string, unknown>,
  };
}

function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.on('exit', resolve);
    child.kill(signal);
  });
}

/** Sends checks with 50 clients until each of them is refused. Returns how often each status occurred. */
async function checkUntilRefused(servers: { check(key: string): Promise<number> }[], key: string) {
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

test('two servers allow exactly 1000 requests per day to 50 clients, and the count survives restarts', async () => {
  const key = await createKey();
  const servers = await Promise.all([startServer(), startServer()]);
  expect(await checkUntilRefused(servers, key.value)).toEqual({ 200: 1000, 429: 50 });
  const expectedUsage = { dailyUsage: 1000, usageCount: 1000, remaining: 0 };
  for (const { usage } of servers) expect(await usage(key.value)).toMatchObject(expectedUsage);
  const other = await createKey();
  await Promise.all(servers.map(({ check }) => check(other.value)));
  expect(await Promise.all(servers.map(({ child }) => stop(child, 'SIGTERM')))).toEqual([0, 0]);
  const restarted = await startServer();
  expect(await restarted.usage(key.value)).toMatchObject(expectedUsage);
  expect(await restarted.check(key.value)).toBe(429);
  expect(await restarted.usage(other.value)).toMatchObject({ dailyUsage: 2, remaining: 998 });
  await stop(restarted.child, 'SIGTERM');
});

test('requests stay counted when a server is killed', async () => {
  const key = await createKey();
  const [killed, remaining] = await Promise.all([startServer(), startServer()]);
  const statuses = await Promise.all(Array.from({ length: 30 }, () => killed.check(key.value)));
  await stop(killed.child, 'SIGKILL');
  const succeeded = statuses.filter((status) => status === 200).length;
  expect(succeeded).toBe(30);
  expect(await checkUntilRefused([remaining], key.value)).toEqual({ 200: 970, 429: 50 });
  await stop(remaining.child, 'SIGTERM');
});
