import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectId } from '../e2e/google-identity-api.ts';
import { requireChromium } from './chromium.ts';

/**
 * `npm run test:emulator`: runs the tests of signing in with Google against the Firebase emulator. The regular run uses
 * a stand-in, and this one checks that the stand-in behaves like the emulator. The emulator takes 240 MB, so it is
 * installed into a temporary folder and removed afterwards.
 */
const version = '15.34.2';
const folder = mkdtempSync(join(tmpdir(), 'linksieve-emulator-'));
const emulator = join(folder, 'emulator.cjs');
// Starts only the sign-in server. The emulator's command line starts three more and takes twenty seconds.
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
  console.log(`— Installing firebase-tools ${version}`);
  // Its install scripts compile parts that the sign-in emulator does not need.
  step('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `firebase-tools@${version}`], folder);
  running = spawn(process.execPath, [emulator], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [port] = await once(running, 'message', { signal: AbortSignal.timeout(60_000) });
  console.log('— Running the sign-in tests against the emulator');
  step('playwright', ['test', 'e2e/google.thorough.spec.ts'], join(import.meta.dirname, '..'), {
    TEST_THOROUGH: '1',
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

/** Runs a program. @throws if it fails */
function step(program: string, parameters: string[], cwd: string, environment: Record<string, string> = {}): void {
  const { status } = spawnSync(program, parameters, { cwd, stdio: 'inherit', env: { ...process.env, ...environment } });
  if (status !== 0) throw new Error(`${program} failed with exit code ${status}.`);
}
