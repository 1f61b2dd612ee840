import { expect } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';
import { test } from './test.ts';

test.beforeEach(async ({ page }) => {
  await signInAsNewUser(page);
});

test('the search shortcut and the text after it, typed while the blacklist loads, reach its search field', async ({
  page,
}) => {
  await openReady(page, '/account');
  const release = await holdRequests(page, '**/assets/blacklist*.js');
  await page.keyboard.type('gd/gd.examplex');
  await page.keyboard.press('Backspace');
  release();
  await expect(page.getByRole('searchbox')).toHaveValue('gd.example');
  await expect(page).toHaveURL('/dashboard?search=gd.example');
});

test('the search shortcut and text typed before the app starts reach the search field', async ({ page }) => {
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await page.locator('#root').waitFor({ state: 'attached' });
  await page.keyboard.type('/seller');
  release();
  await expect(page.getByRole('searchbox')).toHaveValue('seller');
});

test('text typed while the palette loads is searched, and does not act as a shortcut', async ({ page }) => {
  await openReady(page, '/account');
  const release = await holdRequests(page, '**/assets/overlays*.js');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('gd');
  release();
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
  await expect(field).toHaveValue('gd');
  await expect(page).toHaveURL('/account');
});

test('a click drops the keys that were typed while a screen loads', async ({ page }) => {
  await openReady(page, '/account');
  const release = await holdRequests(page, '**/assets/blacklist*.js');
  await page.keyboard.type('gd/seller');
  await page.getByRole('contentinfo').getByText('All rights reserved').click();
  release();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('');
});
