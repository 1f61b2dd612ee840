import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server beside that of the run, with settings of its own, on an empty data folder that goes when it stops. */
export async function startSeparateServer(port: number, settings: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-e2e-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings },
  });
  const gone = new Promise((resolve) => child.on('exit', resolve));
  const address = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The server on port ${port} has ended.`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    address,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await gone;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
