import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';

/** Bytes of script and style, gzip -9, that a browser fetches for a page until nothing more comes by itself. */
export async function firstLoad(page: Page, url: string): Promise<number> {
  const bodies: Promise<Buffer>[] = [];
  const kinds = new Set(['script', 'stylesheet']);
  page.on('response', (response) => {
    if (kinds.has(response.request().resourceType())) bodies.push(response.body());
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  return (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
}
