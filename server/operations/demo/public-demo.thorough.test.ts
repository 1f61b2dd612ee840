import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { findFreePort } from '../../platform/net/ports.ts';
import { runPublicDemo } from './public-demo.ts';

const program = join(import.meta.dirname, '../../main.ts');
vi.setConfig({ testTimeout: 300_000 });

test('a reset removes what visitors entered and ends their sessions', async () => {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), 'linksieve-demo-'));
  const stopping = new AbortController();
  const hour = Promise.withResolvers<void>();
  const never = (signal: AbortSignal) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  let hours = 0;
  const running = runPublicDemo(
    {
      folder,
      launch: (work, dataDir) =>
        fork(program, ['demo', work, '2000'], {
          env: { ...process.env, DEMO: '1', DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        }),
      warn: (message) => expect.unreachable(message),
      wait: {
        prepare: (signal) => {
          hours += 1;
          return hours === 1 ? Promise.resolve() : never(signal);
        },
        reset: () => hour.promise,
      },
    },
    stopping.signal,
  );
  const url = `http://localhost:${port}`;
  const call = (method: string, path: string, body?: object, cookie = '') =>
    fetch(`${url}${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const signIn = async () => {
    const response = await call('POST', '/api/auth/demo', { account: 'user' });
    return response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
  };
  const isReady = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok;
  const listWebsites = async (cookie: string) =>
    z
      .array(z.object({ domain: z.string() }))
      .parse(await (await call('GET', '/api/profiles', undefined, cookie)).json());
  try {
    await vi.waitUntil(isReady, { timeout: 200_000, interval: 500 });
    const cookie = await signIn();
    expect((await call('POST', '/api/profiles', { domain: 'example.com' }, cookie)).status).toBe(201);
    expect(await listWebsites(cookie)).toHaveLength(6);
    hour.resolve();
    await vi.waitUntil(() => hours === 2, { timeout: 200_000, interval: 500 });
    await vi.waitUntil(isReady, { timeout: 60_000, interval: 500 });
    expect((await call('GET', '/api/profiles', undefined, cookie)).status).toBe(401);
    expect(await listWebsites(await signIn())).toHaveLength(5);
  } finally {
    stopping.abort();
    await running;
    await rm(folder, { recursive: true, force: true });
  }
});
