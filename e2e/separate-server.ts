import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a second server with other settings and an empty data folder, which is deleted when the server stops. */
export async function startSeparateServer(port: number, settings: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-e2e-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const exited = new Promise((resolve) => child.on('exit', resolve));
  const address = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The server on port ${port} exited during startup.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    address,
    /** What the server has printed. */
    output: () => output,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
