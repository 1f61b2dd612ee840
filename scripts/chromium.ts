import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { chromium } from '@playwright/test';

const defaultPaths = [
  // First, because without a window a new page takes less than half of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Arguments of Chromium: without the sandbox, which does not work as root, and without background requests. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Returns the path of Chromium for the browser tests: CHROME_PATH if set, otherwise an installed one or Playwright's.
 */
export function findChromium(): string | undefined {
  const { CHROME_PATH } = process.env;
  return (CHROME_PATH ? [CHROME_PATH] : [...defaultPaths, chromium.executablePath()]).find(isProgram);
}

/**
 * Returns the path of Chromium for the browser tests. If there is none, installs the package (as root on Debian), or
 * throws an error that says what to do.
 */
export function requireChromium(): string {
  if (!findChromium() && !process.env.CHROME_PATH) installChromium();
  const found = findChromium();
  if (found) return found;
  throw new Error(
    process.env.CHROME_PATH
      ? `The browser tests need Chromium, but CHROME_PATH is not a program: ${process.env.CHROME_PATH}`
      : 'The browser tests need Chromium: install the package `chromium`, or set CHROME_PATH to Chrome or Chromium.',
  );
}

function installChromium(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'fonts-liberation'];
  runApt(['update', '-qq']);
  // Older systems do not have the headless package.
  if (!runApt([...install, 'chromium-headless-shell'])) runApt([...install, 'chromium']);
}

/** @returns whether the command succeeded */
function runApt(parameters: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', parameters, { stdio: 'inherit', env }).status === 0;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
