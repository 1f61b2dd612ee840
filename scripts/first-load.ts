import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { dropLongTimers, openReady } from './ready.ts';

/** Returns the bytes of scripts and styles (gzip -9) that a browser loads for a page until it is ready and idle. */
export async function measureFirstLoad(page: Page, url: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const kinds = new Set(['script', 'stylesheet']);
  let pending = 0;
  page.on('request', () => pending++);
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  page.on('response', (response) => {
    if (kinds.has(response.request().resourceType())) bodies.push(response.body());
  });
  // Files that a page preloads after a delay are not part of the first load.
  await dropLongTimers(page);
  await openReady(page, url);
  // Requests that the page makes while it is idle are part of the first load.
  for (let idle = 0; idle < 3; idle = pending === 0 ? idle + 1 : 0) {
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve()))');
  }
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}
