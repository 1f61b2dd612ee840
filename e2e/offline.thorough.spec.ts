import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser, toastOf } from './accounts.ts';
import { pasteIntoSearch } from './blacklist.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { holdRequests } from './mock-responses.ts';
import { getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const banner = (page: Page) => page.getByRole('status').filter({ hasText: 'when the connection is back' });

/** Opens a screen and waits until the part that watches the connection is loaded, as it is after a few seconds. */
async function openWatched(page: Page, path: string): Promise<void> {
  await openReady(page, path);
  await page.keyboard.press('Shift');
  await page.locator('[data-connection=online]').waitFor({ state: 'attached' });
}

async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(banner(page)).toContainText('You are offline.');
}

async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await expect(banner(page)).toHaveCount(0);
}

/** Makes all requests fail without a response, as if the server was stopped. @returns a function that ends this */
async function stopServer(page: Page): Promise<() => Promise<void>> {
  await page.route('**/*', (route) => route.abort('connectionrefused'));
  return () => page.unroute('**/*');
}

test('a search while offline keeps the rows, and shows its result when the connection is back', async ({ page }) => {
  const [first = '', second = ''] = await getSampleDomains(page);
  await signInAsNewUser(page);
  await openWatched(page, `/domains?search=${first}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row(first)).toBeVisible();
  await goOffline(page);
  await page.getByRole('searchbox').fill(second);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(second));
  await expect(row(first)).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await goOnline(page);
  await expect(row(second)).toBeVisible();
  await expect(row(first)).toHaveCount(0);
});

test('a screen that is not loaded opens when the connection is back, and the user stays on the current one', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains?search=no-such-name');
  await goOffline(page);
  await page.getByRole('link', { name: 'Submit Sites' }).click();
  await expect(banner(page)).toContainText('The page you chose opens when the connection is back.');
  await expect(page).toHaveURL('/domains?search=no-such-name');
  await expect(page.getByRole('searchbox')).toHaveValue('no-such-name');
  await goOnline(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Submit' })).toBeVisible();
});

test('a screen chosen while offline does not open after the user has typed something', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains');
  await goOffline(page);
  await page.getByRole('link', { name: 'Submit Sites' }).click();
  await expect(banner(page)).toContainText('The page you chose');
  await page.getByRole('searchbox').fill('typed.example');
  await expect(banner(page)).toContainText('You see what was loaded last');
  await goOnline(page);
  await expect(page).toHaveURL(/typed\.example/);
});

test('a list pasted while offline opens when the connection is back, unless the user has typed something since', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains');
  await goOffline(page);
  await pasteIntoSearch(page, 'one.example\ntwo.example');
  await page.getByRole('searchbox').fill('typed.example');
  await expect(page).toHaveURL(/typed\.example/);
  await goOnline(page);
  await expect(page.getByText('No domains found')).toBeVisible();
  await expect(page).toHaveURL('/domains?search=typed.example');

  await goOffline(page);
  await pasteIntoSearch(page, 'one.example\ntwo.example');
  await goOnline(page);
  await expect(page.getByRole('region', { name: 'Pasted list' })).toContainText('0 of 2 listed');
});

test('a list whose code cannot be loaded leaves the search as it is, and a toast says what to do', async ({ page }) => {
  await page.route('**/assets/check-names*.js', (route) => route.abort());
  await signInAsNewUser(page);
  await openReady(page, '/domains?search=no-such-name');
  await pasteIntoSearch(page, 'one.example\ntwo.example');
  await expect(toastOf(page)).toContainText('Reload the page and paste the list again.');
  await expect(page.getByRole('searchbox')).toHaveValue('no-such-name');
  await expect(page).toHaveURL('/domains?search=no-such-name');
});

test('screens that were loaded before open while offline', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/submit-sites');
  await page.getByRole('link', { name: 'Blacklist', exact: true }).click();
  await expect(page.getByRole('searchbox')).toBeVisible();
  await waitForReady(page);
  await goOffline(page);
  await page.getByRole('link', { name: 'Submit Sites' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Submit' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('a screen that was chosen while the server stopped opens when it runs again', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains');
  const startServer = await stopServer(page);
  await page.getByRole('link', { name: 'Submit Sites' }).click();
  await expect(banner(page)).toContainText('Linksieve cannot be reached.');
  await startServer();
  await expect(page.getByRole('heading', { level: 1, name: 'Submit' })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test('a request that fails although the server responds shows its error', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains');
  await page.route('**/api/domains?*', (route) => route.abort());
  await page.getByRole('searchbox').fill('refused.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The server could not be reached.');
  await expect(banner(page)).toHaveCount(0);
  await page.unroute('**/api/domains?*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a page of an older version reloads once if its code was removed', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains');
  let pageLoads = 0;
  page.on('request', (request) => request.isNavigationRequest() && pageLoads++);
  await page.route('**/assets/submit-page*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('link', { name: 'Submit Sites' }).click();
  await expect(page.getByRole('alert')).toContainText('Part of this page failed to load. Reload the page.');
  expect(pageLoads).toBe(1);
  await page.unroute('**/assets/submit-page*.js');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Submit' })).toBeVisible();
});

test('a change made while offline fails in its dialog and keeps the input', async ({ page }) => {
  await signInAs(page, admin);
  await openWatched(page, '/domains?dialog=add');
  await goOffline(page);
  const dialog = page.getByRole('dialog', { name: 'Add Domain' });
  await dialog.getByRole('textbox', { name: 'Domain', exact: true }).fill('offline.example');
  await dialog.getByRole('textbox', { name: 'Source', exact: true }).fill('crawler');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('You are offline. Try again when the connection is back.');
  await expect(dialog.getByRole('textbox', { name: 'Source', exact: true })).toHaveValue('crawler');
});

test('an upload that loses the connection says so, and the file stays selected', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  const dialog = page.getByRole('dialog', { name: 'Analyze Backlinks' });
  await dialog.getByLabel('Website domain').fill('upload-offline.example');
  await chooseFile(page, 'Choose backlink exports', buildCsvFile('links.csv', ['url', 'https://a.example/']));
  await page.route('**/api/backlinks/analyze', async (route) => {
    await page.context().setOffline(true);
    await route.abort('internetdisconnected');
  });
  await dialog.getByRole('button', { name: 'Analyze', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('You are offline.');
  await expect(dialog.getByRole('alert')).toContainText('Your files are still selected.');
  await expect(dialog).toContainText('links.csv');
});

test('a slow response shows a bar, which does not move the page', async ({ page }) => {
  await signInAsNewUser(page);
  await openWatched(page, '/domains?search=no-such-name');
  const release = await holdRequests(page, '**/api/domains?*');
  await page.getByRole('searchbox').fill('slow.example');
  await page.keyboard.press('Enter');
  const bar = page.getByRole('progressbar', { name: 'Loading' });
  await expect(bar).toBeVisible();
  expect(await bar.evaluate((element) => getComputedStyle(element).position)).toBe('fixed');
  release();
  await expect(bar).toHaveCount(0);
});
