import { accessSync, constants, statSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installPackages } from './apt.ts';

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

/** Chromium recommends this package, and without a font it draws no text. */
const fonts = 'fonts-liberation';

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
  // Older systems do not have the headless package.
  if (!findChromium() && !process.env.CHROME_PATH) {
    installPackages(['chromium-headless-shell', fonts], ['chromium', fonts]);
  }
  const found = findChromium();
  if (found) return found;
  throw new Error(
    process.env.CHROME_PATH
      ? `The browser tests need Chromium, but CHROME_PATH is not a program: ${process.env.CHROME_PATH}`
      : 'The browser tests need Chromium: install the package `chromium`, or set CHROME_PATH to Chrome or Chromium.',
  );
}

/**
 * Chromium with windows, which extensions need. Chrome cannot be used, because it no longer loads extensions from the
 * command line.
 */
const pathsWithWindows = ['/usr/bin/chromium', '/usr/bin/chromium-browser', chromium.executablePath()];

/**
 * Returns the path of a Chromium that can load an extension. If there is none, installs the package (as root on
 * Debian), or throws an error that says what to do.
 */
export function requireChromiumForExtensions(): string {
  const find = () => pathsWithWindows.find(isProgram);
  if (!find()) installPackages(['chromium', fonts]);
  const found = find();
  if (found) return found;
  throw new Error(
    'The tests of the browser extension need Chromium: install the package `chromium`. Chrome is not enough.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
