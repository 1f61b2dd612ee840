import type { Disposable, Page } from '@playwright/test';

/** Waits until the page is marked as ready and no part of it is still loading (web/shell/ready-marker.ts). */
export async function waitForReady(page: Page): Promise<void> {
  await page.locator('html[data-ready]:not(:has([data-waiting]))').waitFor();
}

/** Opens a page and waits until it is ready, with the app started. */
export async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForReady(page);
}

/**
 * Disables timers of one second or more on pages that are opened later, so that results do not depend on the machine's
 * speed.
 * @returns an object whose `dispose` ends this for later pages
 */
export function dropLongTimers(page: Page): Promise<Disposable> {
  const content = 'const start = setTimeout; setTimeout = (run, ms) => (ms >= 1000 ? 0 : start(run, ms));';
  return page.addInitScript({ content });
}
