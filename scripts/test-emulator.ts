import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectId } from '../e2e/google-identity-api.ts';
import { requireChromium } from './chromium.ts';

/**
 * `npm run test:emulator`: signs in with Google against the real emulator of Firebase, as the everyday run does against a
 * stand-in, so that the stand-in cannot drift from it. The emulator weighs 240 MB: it is fetched into a temporary folder and
 * goes with it.
 */
const version = '15.34.2';
const folder = mkdtempSync(join(tmpdir(), 'linksieve-emulator-'));
const emulator = join(folder, 'emulator.cjs');
// The server of the emulator alone: its command line starts three more, and takes twenty seconds.
writeFileSync(
  emulator,
  `require('firebase-tools/lib/emulator/auth/server').createApp('${projectId}').then((app) => {
  const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
});`,
);
writeFileSync(join(folder, 'package.json'), '{ "private": true }');
let running: ChildProcess | undefined;
let failed = true;
try {
  console.log(`— Fetching firebase-tools ${version}`);
  // Its scripts compile what the emulator of sign-ins does not need.
  step('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `firebase-tools@${version}`], folder);
  running = spawn(process.execPath, [emulator], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = await once(running, 'message', { signal: AbortSignal.timeout(60_000) });
  console.log('— Signing in against the emulator');
  step('playwright', ['test', 'e2e/google.spec.ts'], join(import.meta.dirname, '..'), {
    CHROME_PATH: requireChromium(),
    E2E_EMULATOR_URL: `http://127.0.0.1:${port}`,
  });
  failed = false;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  running?.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);

/** Throws when the program does not end well. */
function step(program: string, parameters: string[], cwd: string, environment: Record<string, string> = {}): void {
  const { status } = spawnSync(program, parameters, { cwd, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) throw new Error(`${program} did not end well.`);
}
