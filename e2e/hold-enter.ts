import { expect, type Locator, type Page } from '@playwright/test';

/** Holds Enter, which repeats the key press, until an element is visible and for ten more repeats. */
export async function holdEnter(page: Page, element: Locator): Promise<void> {
  const pressAndCheck = async () => {
    await page.keyboard.down('Enter');
    return element.isVisible();
  };
  await expect.poll(pressAndCheck, { intervals: [30] }).toBe(true);
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
}
