import type { Disposable, Page } from '@playwright/test';

/**
 * Waits until the page is marked as ready and no part of it is still loading (web/shell/ready-marker.ts). A prerendered
 * page for visitors starts the app only when it is used (web/public/first-paint.js), so it gets the events of a focused
 * control.
 */
export async function waitForReady(page: Page): Promise<void> {
  const ready = page.locator('html[data-ready]:not(:has([data-waiting]))');
  const served = page.locator('html[data-served]:not([data-session])');
  await ready.or(served).waitFor();
  if ((await served.count()) > 0) await served.locator('button').first().dispatchEvent('focusin');
  await ready.waitFor();
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
