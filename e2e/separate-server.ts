import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../server/main.ts');

export type SeparateServer = Awaited<ReturnType<typeof startSeparateServer>>;

/**
 * Starts a second server with other settings and an empty data folder, which is deleted when the server stops.
 * @param parts `web` starts no background worker
 */
export async function startSeparateServer(
  port: number,
  settings: Record<string, string>,
  parts: 'all' | 'web' = 'all',
) {
  const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'linksieve-e2e-')));
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings };
  const address = `http://localhost:${port}`;
  let output = '';
  let server: ChildProcess;

  async function start(): Promise<void> {
    const child = spawn(process.execPath, [program, parts], { stdio: ['ignore', 'pipe', 'inherit'], env });
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    server = child;
    const isReady = () =>
      fetch(`${address}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) {
      if (server.exitCode !== null) throw new Error(`The server on port ${port} exited during startup.`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Sends a signal to the server and waits until it has exited. @returns its exit code; null if the signal ended it */
  async function end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (server.exitCode !== null || server.signalCode !== null) return server.exitCode;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
    return server.exitCode;
  }

  await start();
  return {
    address,
    port,
    dataDir,
    /** Starts the server again after `end`. */
    start,
    end,
    /** The process ID of the running server. */
    pid: () => server.pid ?? 0,
    /** What the server has printed. */
    output: () => output,
    /** Runs `npm run admin` with these words. */
    async runAdminCommand(...words: string[]): Promise<void> {
      const command = spawn(process.execPath, [program, 'admin', ...words], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      });
      const [code] = await once(command, 'exit');
      if (code !== 0) throw new Error(`npm run admin -- ${words.join(' ')} failed.`);
    },
    async stop(): Promise<void> {
      await end();
      // After a second signal the embedded database is still stopping, and it writes to the folder.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}
