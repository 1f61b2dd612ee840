import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createBackupKeys } from '../../server/platform/backup/keys.ts';
import { openSealed } from '../../server/platform/backup/sealed-file.ts';
import { findFreePort } from '../../server/platform/net/ports.ts';
import { type SeparateServer, startSeparateServer } from '../separate-server.ts';
import type { Trial } from './trial.ts';
import { admin, signIn, withServer } from './with-server.ts';

const program = join(import.meta.dirname, '../../server/main.ts');
const imported = 200_000;
/** Moments of the kills, in milliseconds after the unfinished file appeared. */
const kills = [0, 20, 60, 150];

/** A backup is whole or absent, whatever is written or killed meanwhile, and a killed restore can be repeated. */
export const backupUnderWritesTrial: Trial = {
  name: 'backup-under-writes',
  fault: `backups during an import of ${imported.toLocaleString('en')} rows, ${kills.length} backups and 1 restore killed with SIGKILL`,
  promise: 'A killed backup leaves no complete-looking file, and restored counts equal those of a moment of the import',
  run: () =>
    withServer(async (server) => {
      const folder = await mkdtemp(join(tmpdir(), 'linksieve-trial-'));
      try {
        return await runTrial(server, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
};

async function runTrial(server: SeparateServer, folder: string): Promise<string> {
  const cookie = await signIn(server);
  const importing = uploadDomains(server, cookie);
  for (const delay of kills) {
    const child = runMain(['backup', join(folder, `killed-after-${delay}.zip`)], server.dataDir);
    await waitFor(async () => (await readdir(folder)).some((name) => name.includes(`-${delay}.zip`)));
    await wait(delay);
    child.kill('SIGKILL');
    await waitForExit(child);
  }
  const left = await readdir(folder);
  // A fast machine may complete a backup before its kill.
  const secretKey = (await readFile(join(server.dataDir, 'secret-key'), 'utf8')).trim();
  const keys = createBackupKeys(undefined, { current: Buffer.from(secretKey, 'hex'), previous: undefined });
  for (const name of left.filter((one) => one.endsWith('.zip'))) {
    await using _whole = await openSealed(join(folder, name), keys);
  }
  const unfinished = left.filter((name) => name.includes('.zip.unfinished-')).length;
  const started = performance.now();
  await run(['backup', join(folder, 'during.zip')], server.dataDir);
  const backupSeconds = (performance.now() - started) / 1000;
  await importing;
  await waitFor(async () => (await countDomains(server)) === imported);
  await run(['backup', join(folder, 'after.zip')], server.dataDir);
  const port = await findFreePort();

  const restored = join(folder, 'restored');
  const killed = runMain(['restore', join(folder, 'after.zip')], restored, secretKey);
  let output = '';
  killed.stdout?.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  await waitFor(async () => output.includes('Building the indexes'));
  killed.kill('SIGKILL');
  await waitForExit(killed);
  const restoreStarted = performance.now();
  await run(['restore', join(folder, 'after.zip')], restored, secretKey);
  const restoreSeconds = (performance.now() - restoreStarted) / 1000;
  const during = join(folder, 'restored-during');
  await run(['restore', join(folder, 'during.zip')], during, secretKey);

  const totals: number[] = [];
  for (const dataDir of [restored, during]) {
    const copy = await startSeparateServer(port, { DATA_DIR: dataDir });
    try {
      await signIn(copy, admin);
      totals.push(await countDomains(copy));
    } finally {
      await copy.stop();
    }
  }
  if (totals[0] !== imported) throw new Error(`${totals[0]} of ${imported} domains were restored.`);
  // An import takes effect in one transaction.
  if (totals[1] !== 0 && totals[1] !== imported)
    throw new Error(`The backup during the import has ${totals[1]} domains.`);
  return `${unfinished} unfinished files, backup ${backupSeconds.toFixed(1)} s, restore ${restoreSeconds.toFixed(1)} s, ${totals[0]} of ${imported} domains`;
}

/** Starts an import of `imported` domains. */
export async function uploadDomains({ address }: SeparateServer, cookie: string): Promise<void> {
  const lines = Array.from({ length: imported }, (_, i) => `name-${i}.example,crawler`);
  const form = new FormData();
  form.append('file', new File([`domain,source\n${lines.join('\n')}\n`], 'domains.csv'));
  const response = await fetch(`${address}/api/domains/upload`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', cookie },
    body: form,
  });
  if (!response.ok) throw new Error(`The upload returned ${response.status}.`);
}

async function countDomains({ address }: SeparateServer): Promise<number> {
  const response = await fetch(`${address}/api/stats/count`);
  const { total }: { total: number } = await response.json();
  return total;
}

/** @throws after five minutes */
async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 300_000; !(await isDone()); ) {
    if (Date.now() > until) throw new Error(`Waited five minutes for: ${isDone}`);
    await wait(20);
  }
}

function runMain(words: string[], dataDir: string, secretKey?: string): ChildProcess {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...(secretKey && { SECRET_KEY: secretKey }) };
  return spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'], env });
}

async function waitForExit(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Runs a command. @throws if it fails */
async function run(words: string[], dataDir: string, secretKey?: string): Promise<void> {
  const child = runMain(words, dataDir, secretKey);
  child.stdout?.resume();
  if ((await waitForExit(child)) !== 0) throw new Error(`npm run ${words[0]} failed.`);
}
