import { expect, type Page } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { holdRequests } from './mock-responses.ts';

/**
 * Opens a public page and holds the app's scripts.
 * @returns a function that releases the scripts and waits until the app has started
 */
export async function openBeforeApp(page: Page, path: string): Promise<() => Promise<void>> {
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeVisible();
  return async () => {
    release();
    await waitForReady(page);
  };
}

export const openHome = (page: Page) => openBeforeApp(page, '/');
export const checkField = (page: Page) => page.getByLabel('Domain or page URL');
export const themeButton = (page: Page) => page.getByRole('button', { name: 'Theme' });
