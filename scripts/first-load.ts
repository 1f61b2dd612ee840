import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dropLongTimers, openReady } from './ready.ts';

/** Returns the bytes of scripts and styles (gzip -9) that a browser loads for a page until it is ready and idle. */
export const measureFirstLoad = (page: Page, url: string): Promise<number> =>
  measureFiles(page, ['script', 'stylesheet'], () => openReady(page, url));

/** Returns the bytes of scripts (gzip -9) that a browser loads for a page until the visitor uses it. */
export const measureScriptsBeforeUse = (page: Page, url: string): Promise<number> =>
  measureFiles(page, ['script'], () => page.goto(url));

/** Returns the bytes (gzip -9) of files of these kinds that `open` makes the page load, until it is idle. */
async function measureFiles(page: Page, kinds: string[], open: () => Promise<unknown>): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  let pending = 0;
  page.on('request', () => pending++);
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  page.on('response', (response) => {
    if (kinds.includes(response.request().resourceType())) bodies.push(response.body());
  });
  // Files that a page preloads after a delay are not part of the first load.
  await dropLongTimers(page);
  await open();
  // Requests that the page makes while it is idle are part of the first load.
  for (let idle = 0; idle < 3; idle = pending === 0 ? idle + 1 : 0) {
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  }
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}
