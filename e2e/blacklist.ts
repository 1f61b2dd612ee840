import { expect, type Page } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';

/** Pastes a text into the search field of the blacklist, as with Ctrl+V. */
export async function pasteIntoSearch(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search domains' }).evaluate((field, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Pastes names and opens the lists of those that are not listed. */
async function pasteList(page: Page, names: readonly string[]): Promise<void> {
  await pasteIntoSearch(page, names.join('\n'));
  await showUnlisted(page);
}

async function showUnlisted(page: Page): Promise<void> {
  const summary = page.getByRole('region', { name: 'Pasted list' });
  await summary.getByText('not listed').click();
  await expect(summary.getByRole('list')).toBeVisible();
  await waitForReady(page);
}

/** Pastes names, reloads the page with their results, and shows which are not listed. */
export async function reloadPastedList(page: Page, names: readonly string[]): Promise<void> {
  await pasteList(page, names);
  await page.reload();
  await waitForReady(page);
  await showUnlisted(page);
}

/** Opens the menu of the saved views. */
export async function openViewsMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Manage views' })).toBeVisible();
}

/** Opens the dialog that renames and deletes views. */
export async function openManageViews(page: Page): Promise<void> {
  await openViewsMenu(page);
  await page.getByRole('menuitem', { name: 'Manage views' }).click();
  await expect(page.getByRole('dialog', { name: 'Manage views' })).toBeVisible();
}
