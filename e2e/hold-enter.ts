import { expect, type Locator, type Page } from '@playwright/test';

/** Holds Enter until something shows, and a little longer. */
export async function holdEnter(page: Page, shown: Locator): Promise<void> {
  const isShown = async () => {
    await page.keyboard.down('Enter');
    return shown.isVisible();
  };
  await expect.poll(isShown, { intervals: [30] }).toBe(true);
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
}
