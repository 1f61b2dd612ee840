import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { holdRequests } from './mock-responses.ts';
import { createWebsite, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function openPalette(page: Page): Promise<void> {
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
}

test('text typed while the palette loads does not act as a shortcut', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/account');
  const release = await holdRequests(page, '**/assets/overlays*.js');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('gd');
  release();
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await expect(page).toHaveURL('/account');
});

test('the palette opens websites, searches domains, changes the theme and signs out', async ({ page }) => {
  await signInAsNewUser(page);
  const { domain } = await createWebsite(page);
  await openReady(page, '/dashboard');
  const name = `${uniqueName('seller')}.example`;
  await openPalette(page);
  await page.keyboard.type(name);
  await expect(palette(page).getByRole('option')).toHaveText([`Check a domain: ${name}`]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/domains?search=${name}`);

  await openPalette(page);
  await page.keyboard.type(domain);
  await page.keyboard.press('ArrowDown');
  const website = palette(page).getByRole('option', { name: domain, exact: true });
  await expect(website).toHaveAttribute('aria-selected', 'true');
  const field = palette(page).getByRole('combobox');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await website.getAttribute('id'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/risk-assessment\?tab=reports&profile=\d+/);

  await openPalette(page);
  await palette(page).getByRole('option', { name: 'Dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await openPalette(page);
  await expect(palette(page).getByRole('option', { name: 'Dark theme (current)' })).toBeVisible();
  await page.keyboard.press('Escape');

  await openPalette(page);
  await palette(page).getByRole('option', { name: 'Log out' }).click();
  await expect(toastOf(page)).toContainText('You have been signed out successfully');
});

test('the palette and the help show what visitors, users and admins can use', async ({ page }) => {
  const pages = () => palette(page).getByRole('group', { name: 'Pages' }).getByRole('option');
  const adminPages = palette(page).getByRole('group', { name: 'Admin' }).getByRole('option');
  const adminShortcuts = help(page).getByText(/inbox|submission/);
  await openReady(page, '/');
  await openPalette(page);
  await expect(pages().first()).toHaveText('Sign In');
  await expect(pages().filter({ hasText: 'Blacklist' })).toHaveCount(0);
  await expect(adminPages).toHaveCount(0);
  await signInAsNewUser(page);
  await openReady(page, '/features');
  await openPalette(page);
  await expect(pages().first()).toHaveText('Blacklist');
  await expect(adminPages).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(help(page).getByText('Go to the blacklist')).toBeVisible();
  await expect(adminShortcuts).toHaveCount(0);
  await signInAs(page, admin);
  await openReady(page, '/features');
  await openPalette(page);
  await expect(adminPages.first()).toHaveText('Admin Dashboard');
  await expect(adminPages).toHaveCount(14);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(adminShortcuts).toHaveCount(4);
});

test('closing the palette or the help restores the focus', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains');
  const search = page.getByRole('searchbox');
  await search.focus();
  await openPalette(page);
  await page.keyboard.press('Escape');
  await expect(palette(page)).toBeHidden();
  await expect(search).toBeFocused();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(help(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeFocused();
});

test('single-key shortcuts open screens and focus the search, but not while typing or behind a dialog', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await openReady(page, '/account');
  for (const [key, path] of [
    ['d', '/dashboard'],
    ['r', '/risk-assessment'],
    ['h', '/'],
    ['a', '/account'],
    ['d', '/dashboard'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page).toHaveURL(path);
  }
  const search = page.getByRole('searchbox');
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('g r?/');
  await expect(search).toHaveValue('g r?/');
  await expect(page).toHaveURL(/\/dashboard/);
  await search.blur();
  await page.keyboard.press('?');
  await expect(help(page)).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('/');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(search).not.toBeFocused();
  await expect(palette(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/dashboard/);
});

test('the switch for single-key shortcuts is kept after a reload and does not affect the palette', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains');
  await page.keyboard.press('?');
  const keys = help(page).getByRole('switch', { name: 'Single-key shortcuts' });
  await keys.press('Space');
  await expect(keys).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await page.reload();
  await waitForReady(page);
  for (const key of ['/', 'g', 'r', '?']) await page.keyboard.press(key);
  await expect(page.getByRole('searchbox')).not.toBeFocused();
  await expect(page).toHaveURL(/\/domains/);
  await openPalette(page);
  await palette(page).getByRole('option', { name: 'Keyboard shortcuts' }).click();
  await expect(keys).not.toBeChecked();
  await keys.press('Space');
  await expect(keys).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('keys reach the first row, move through the rows, select them, copy a name and step through the details', async ({
  page,
}) => {
  await allowClipboard(page);
  const names = await getSampleDomains(page);
  await signInAsNewUser(page);
  await openReady(page, `/domains?search=${names[0]?.split('-')[0]}`);
  const link = (index: number) => page.getByRole('table').getByRole('link', { name: names[index] });
  const selected = (count: number) => page.getByText(`${count} selected`, { exact: true });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Skip to results' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(link(0)).toBeFocused();

  await page.keyboard.press('j');
  await expect(link(1)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await expect(link(0)).toBeFocused();
  await page.keyboard.press('x');
  await expect(selected(1)).toBeVisible();
  for (const key of ['j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await expect(selected(3)).toBeVisible();
  await page.keyboard.press('Space');
  await expect(selected(2)).toBeVisible();
  await page.keyboard.press('c');
  await expect(toastOf(page)).toContainText('Name copied');
  await expectClipboard(page, names[2]);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/\d selected/)).toHaveCount(0);
  await expect(link(2)).toBeFocused();

  await page.keyboard.press('Enter');
  const details = (index: number) => page.getByRole('dialog', { name: names[index] });
  await expect(details(2)).toBeVisible();
  await expect(details(2).getByRole('button', { name: 'Close' })).not.toBeFocused();
  for (const index of [3, 4]) {
    await page.keyboard.press('j');
    await expect(details(index)).toBeVisible();
  }
  await page.keyboard.press('k');
  await expect(details(3)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(link(3)).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.type('jkxc');
  await expect(page.getByRole('searchbox')).toHaveValue('jkxc');
});
