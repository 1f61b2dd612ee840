import type { Disposable, Page } from '@playwright/test';

/** Waits until the app has marked the page as ready and nothing on it is still waiting for a part (web/app/ready-marker.ts). */
export async function waitForReady(page: Page): Promise<void> {
  await page.locator('html[data-ready]:not(:has([data-waiting]))').waitFor();
}

/** Opens a page and waits until it is ready. */
export async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForReady(page);
}

/**
 * Drops the timers of a second and more, on the pages that open next: a slow machine would see what they do, a fast one would not.
 * @returns stops dropping them on pages that open later
 */
export function dropLongTimers(page: Page): Promise<Disposable> {
  const content = 'const start = setTimeout; setTimeout = (run, ms) => (ms >= 1000 ? 0 : start(run, ms));';
  return page.addInitScript({ content });
}
