import { expect, type Page } from '@playwright/test';

/** Expects the setup screen to show this step as the current one. */
export async function expectStep(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-current=step]')).toHaveText(new RegExp(`${name}$`));
}
