import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../../server/platform/net/ports.ts';
import type { SeparateServer } from '../separate-server.ts';

export const program = join(import.meta.dirname, '../../server/main.ts');

/** The process ID and the port of the server's embedded database. */
export async function readPostmaster(dataDir: string): Promise<{ pid: number; port: number }> {
  const lines = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
}

/** Returns the process IDs of the database connections with this name. */
export async function listConnections(dataDir: string, name: string): Promise<number[]> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const { port } = await readPostmaster(dataDir);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'linksieve', password, database: 'postgres' });
  // The trial kills a process of the database, which then ends all connections.
  client.on('error', () => undefined);
  await client.connect();
  const query = 'select pid from pg_stat_activity where application_name = $1';
  const { rows } = await client.query<{ pid: number }>(query, [name]);
  await client.end();
  return rows.map(({ pid }) => pid);
}

/**
 * Requests a path every 50 ms until the status is as expected.
 * @returns the seconds it took
 * @throws after `maxSeconds`
 */
export async function waitForStatus(
  { address }: Pick<SeparateServer, 'address'>,
  path: string,
  status: number,
  { maxSeconds, cookie = '' }: { maxSeconds: number; cookie?: string },
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const response = await fetch(`${address}${path}`, { headers: { cookie } });
    await response.arrayBuffer();
    const seconds = (performance.now() - start) / 1000;
    if (response.status === status) return seconds;
    if (seconds > maxSeconds) throw new Error(`${path} still returns ${response.status} after ${maxSeconds} s.`);
    await delay(50);
  }
}

/** Waits until the server has finished its start, with its worker. */
export async function waitForGreeting({ output }: Pick<SeparateServer, 'output'>): Promise<void> {
  while (!output().includes('Linksieve is ready')) await delay(50);
}

/** Starts a second server on the data folder of a running one. @throws unless it is refused with the right sentence */
export async function expectSecondStartRefused(dataDir: string): Promise<void> {
  const port = await findFreePort();
  const second = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  let output = '';
  for (const stream of [second.stdout, second.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const isRunning = Symbol('running');
  const waiting = new AbortController();
  const [code] = await Promise.race([
    once(second, 'close'),
    delay(60_000, [isRunning], { signal: waiting.signal }),
  ]).finally(() => waiting.abort());
  if (code === isRunning) {
    second.kill();
    await once(second, 'close');
    throw new Error('A second server started on the same data folder.');
  }
  const sentence = `Another Linksieve process is using the data folder ${dataDir}.`;
  if (code !== 1 || !output.includes(sentence)) throw new Error(`The second start exited with ${code}: ${output}`);
}
