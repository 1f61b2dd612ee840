import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dropLongTimers, openReady } from './ready.ts';

/** Returns the bytes of scripts and styles (gzip -9) that a browser loads for a page until it is ready and idle. */
export const measureFirstLoad = (page: Page, url: string): Promise<number> =>
  measureFiles(page, ['script', 'stylesheet'], () => openReady(page, url));

/** Returns the bytes of scripts (gzip -9) that a browser loads for a page until the visitor uses it. */
export const measureScriptsBeforeUse = (page: Page, url: string): Promise<number> =>
  measureFiles(page, ['script'], () => page.goto(url));

const inlineElements: Record<string, string> = { script: 'script:not([src], [type])', stylesheet: 'style' };

/**
 * Returns the bytes (gzip -9) of these kinds that `open` makes the page load, in files and in the page, until it is
 * idle.
 */
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
  // Requests that the page makes while it is idle are part of the first load. Chromium may never call a page idle.
  for (let idle = 0; idle < 3; idle = pending === 0 ? idle + 1 : 0) {
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 500 }))');
  }
  const selector = kinds.map((kind) => inlineElements[kind]).join();
  const inline = await page.locator(selector).evaluateAll((elements) => elements.map(({ textContent }) => textContent));
  const texts = [...(await Promise.all(bodies)), inline.join('')];
  return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
}
