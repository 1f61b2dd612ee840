import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The server of a browser run, on an empty data folder that goes when it stops. */
const dataDir = await mkdtemp(join(tmpdir(), 'linksieve-e2e-'));
const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
  stdio: 'inherit',
  env: { ...process.env, DATA_DIR: dataDir },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGTERM'));
const code = await new Promise<number | null>((resolve) => child.on('exit', resolve));
await rm(dataDir, { recursive: true, force: true });
process.exit(code ?? 1);
