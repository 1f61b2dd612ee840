import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dropLongTimers, openReady } from './ready.ts';

/** Bytes of script and style, gzip -9, that a browser fetches for a page until it is ready and idle. */
export async function firstLoad(page: Page, url: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const kinds = new Set(['script', 'stylesheet']);
  let pending = 0;
  page.on('request', () => pending++);
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  page.on('response', (response) => {
    if (kinds.has(response.request().resourceType())) bodies.push(response.body());
  });
  // What a page loads ahead after a pause is not part of its first load.
  await dropLongTimers(page);
  await openReady(page, url);
  // What the page asks for in its idle time belongs to the first load.
  for (let idle = 0; idle < 3; idle = pending === 0 ? idle + 1 : 0) {
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  }
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}
