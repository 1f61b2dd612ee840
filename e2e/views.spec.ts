import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser, toastOf } from './accounts.ts';
import { findViolations } from './axe.ts';
import { openManageViews, openViewsMenu } from './blacklist.ts';
import { holdRequests, serverError } from './mock-responses.ts';
import { createView } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const views = (page: Page) => page.getByRole('menuitemradio');

async function saveView(page: Page, name: string, button: 'Save' | 'Overwrite' = 'Save'): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save current view' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog(page).getByRole('button', { name: button, exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(toastOf(page).last()).toContainText('View saved');
}

test('a view is saved, opened with the keyboard, overwritten, renamed and deleted', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains?search=shop&riskLevel=high&sort=dr-desc&page=1');
  await saveView(page, 'Risky shops');
  await openReady(page, '/domains?niche=Travel');
  await page.getByRole('button', { name: 'Views' }).focus();
  await page.keyboard.press('Enter');
  await expect(views(page)).toHaveAttribute('aria-checked', 'false');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await expect(views(page)).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/domains\?search=shop&sort=dr-desc&riskLevel=high$|\/domains\?.*riskLevel=high/);
  await expect(page).not.toHaveURL(/niche/);
  await openViewsMenu(page);
  await expect(views(page)).toHaveAttribute('aria-checked', 'true');
  await page.keyboard.press('Escape');

  await openReady(page, '/domains?search=casino');
  await saveView(page, 'risky SHOPS', 'Overwrite');
  await openReady(page, '/domains');
  await openViewsMenu(page);
  await views(page).click();
  await expect(page).toHaveURL(/\/domains\?search=casino$/);

  await openManageViews(page);
  await dialog(page).getByRole('button', { name: 'Rename Risky shops' }).click();
  await dialog(page).getByRole('textbox').fill('Casinos');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Rename Casinos' })).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Delete Casinos' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog(page)).toContainText('You have no saved views.');
  await expect(dialog(page).getByText('Manage views')).toBeFocused();
});

test('the blacklist opens with the default view, and without filters after Clear all', async ({ page }) => {
  await signInAsNewUser(page);
  await createView(page.request, 'Mine', { search: 'there-is-no-such-name' });
  await openReady(page, '/domains?tld=com');
  await openManageViews(page);
  const isDefault = dialog(page).getByRole('checkbox', { name: 'Default: Mine' });
  await isDefault.click();
  await expect(isDefault).toBeChecked();
  await expect.poll(async () => (await (await page.request.get('/api/views')).json())[0].isDefault).toBe(true);
  await openReady(page, '/features');
  await page.goto('/domains');
  await expect(page).toHaveURL(/\?search=there-is-no-such-name$/);
  await expect(page.getByText('No domains found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear all', exact: true }).click();
  await expect(page).toHaveURL(/\/domains$/);
  await openReady(page, '/domains?tld=net');
  await expect(page).toHaveURL(/\?tld=net$/);
});

test('a view whose niche no longer exists opens and finds nothing', async ({ page }) => {
  await signInAsNewUser(page);
  await createView(page.request, 'Old niche', { niche: 'A niche of long ago' });
  await openReady(page, '/domains');
  await openViewsMenu(page);
  await views(page).click();
  await expect(page.getByText('No domains found')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Niche: A niche of long ago');
});

test('a name that is taken is refused when a view is renamed', async ({ page }) => {
  await signInAsNewUser(page);
  for (const name of ['One', 'Two']) await createView(page.request, name, {});
  await openReady(page, '/domains?tld=com');
  await openManageViews(page);
  await dialog(page).getByRole('button', { name: 'Rename One' }).click();
  await dialog(page).getByRole('textbox').fill('two');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toContainText('You already have a view named two.');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).not.toContainText('You already have');
  await expect(dialog(page).getByRole('button', { name: 'Rename One' })).toBeFocused();
});

test('a slow change of the default does not close a form that was opened since', async ({ page }) => {
  await signInAsNewUser(page);
  await createView(page.request, 'Slow', {});
  await openReady(page, '/domains?tld=com');
  await openManageViews(page);
  const release = await holdRequests(page, '**/api/views/*');
  await dialog(page).getByRole('checkbox', { name: 'Default: Slow' }).click();
  await dialog(page).getByRole('button', { name: 'Rename Slow' }).click();
  await dialog(page).getByRole('textbox').fill('A new name');
  const reloaded = page.waitForResponse('**/api/views');
  release();
  await reloaded;
  await waitForReady(page);
  await expect(dialog(page).getByRole('textbox')).toHaveValue('A new name');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page).getByRole('checkbox', { name: 'Default: A new name' })).toBeChecked();
});

test('a name that was not saved is gone when the dialog is opened again', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains?tld=com');
  const name = dialog(page).getByRole('textbox', { name: 'Name' });
  const open = async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save current view' }).click();
  };
  await open();
  await name.fill('Not saved');
  await page.route('**/api/views', serverError);
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await open();
  await expect(name).toHaveValue('');
  await expect(dialog(page).getByRole('alert')).toHaveCount(0);
});

test('views that could not be loaded are loaded again from the menu', async ({ page }) => {
  await signInAsNewUser(page);
  await createView(page.request, 'Mine', {});
  await page.route('**/api/views', serverError);
  await openReady(page, '/domains?tld=com');
  await page.getByRole('button', { name: 'Views' }).click();
  const retry = page.getByRole('menuitem', { name: 'Your views could not be loaded' });
  await expect(retry).toBeVisible();
  await page.unroute('**/api/views');
  await retry.click();
  await expect(views(page)).toContainText('Mine');
  await page.keyboard.press('Home');
  await expect(views(page)).toBeFocused();
});

test('a menu that loads slowly stays closed if the user has moved on', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains?tld=com');
  const release = await holdRequests(page, '**/assets/views-menu*.js');
  const button = page.getByRole('button', { name: 'Views' });
  await button.click();
  await page.getByRole('searchbox').focus();
  release();
  await waitForReady(page);
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await button.click();
  await expect(page.getByRole('menuitem', { name: 'Save current view' })).toBeFocused();
});
