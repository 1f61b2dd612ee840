import { expect, type Page } from '@playwright/test';
import { asAdmin, post, signInAsNewUser, uniqueName } from './accounts.ts';
import { allowClipboard, expectInClipboard } from './clipboard.ts';
import { test } from './test.ts';

/** Registers a new user and creates an API key. @returns the key */
async function createApiKey(page: Page): Promise<string> {
  await signInAsNewUser(page);
  return String((await post(page.request, '/api/api-keys', {})).keyValue);
}

/** Adds a domain to the blacklist as the admin. @returns its name */
async function createListedDomain(page: Page): Promise<string> {
  const domain = `${uniqueName('sold')}.example`;
  await asAdmin(page, (request) => post(request, '/api/domains', { domain, source: 'a, b' }));
  return domain;
}

test('the documentation works without scripts, with the URL of this server in its examples', async ({
  browser,
  baseURL,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API Documentation for Paid-Link Checks');
  const check = page.getByRole('region', { name: 'Check a domain', exact: true });
  await expect(check.getByText(`curl '${baseURL}/api/v1/check`)).toBeVisible();
  await check.getByRole('radio', { name: 'Python' }).check();
  await expect(check.getByText('from urllib.request import')).toBeVisible();
  await expect(check.getByText("curl 'http")).toBeHidden();
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send request' })).toHaveCount(0);
  await expect(page.locator('noscript p')).toContainText('This form needs JavaScript');
  for (const name of [
    'Check a domain',
    'Check many domains',
    'Rate limits',
    'Objects',
    'Calls from a browser',
    'Versioning',
  ]) {
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  for (const name of ['Rate limits', 'Status 429', 'Errors', 'Fields of Error']) {
    await expect(page.getByRole('table', { name, exact: true })).toBeVisible();
  }
  expect(await page.content()).not.toContain('__ORIGIN__');
  await page.close();
});

test('examples are copied in the chosen language, which is kept after a reload', async ({ page, baseURL }) => {
  await allowClipboard(page);
  await page.goto('/api/docs');
  const many = page.getByRole('region', { name: 'Check many domains', exact: true });
  await many.getByRole('radio', { name: 'JavaScript' }).check();
  await many.getByRole('button', { name: 'Copy JavaScript: Check many domains' }).click();
  await expectInClipboard(page, `'${baseURL}/api/v1/check/bulk'`);
  await expectInClipboard(page, 'YOUR_API_KEY');
  await page.reload();
  const one = page.getByRole('region', { name: 'Check a domain', exact: true });
  await expect(one.getByRole('radio', { name: 'JavaScript' })).toBeChecked();
  await expect(one.getByText('const response = await fetch')).toBeVisible();
});

test('a user tries a check on the page, which sends no request to another host', async ({ page, baseURL }) => {
  const domain = await createListedDomain(page);
  const key = await createApiKey(page);
  const otherHosts: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith('data:')) otherHosts.push(request.url());
  });
  await page.goto('/api/docs#try-it');
  const box = page.getByRole('region', { name: 'Try it' });
  const send = box.getByRole('button', { name: 'Send request' });
  await send.click();
  await expect(box).toContainText('Paste one of your API keys.');
  await expect(box.getByLabel('API key')).toBeFocused();
  await box.getByLabel('API key').fill(key);
  await box.getByLabel('Domain').fill(`https://blog.${domain}/offer`);
  await send.click();
  await expect(box).toContainText('Response: 200');
  await expect(box).toContainText(`"matchedDomain": "${domain}"`);
  await expect(box).toContainText('X-RateLimit-Remaining: 999');
  expect(
    await page.evaluate((value) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(value), key),
  ).toBe(false);
  await box.getByLabel('Domain').fill('192.0.2.1');
  await send.click();
  await expect(box).toContainText('Response: 400');
  await expect(box).toContainText('This is an IP address: enter a domain name such as example.com.');
  await box.getByLabel('API key').fill('lsv_made-up');
  await send.click();
  await expect(box).toContainText('Response: 401');
  await page.reload();
  await expect(box.getByLabel('API key')).toHaveValue('');
  expect(otherHosts).toEqual([]);
});

test('the table of contents lists every section, and its links work with the keyboard', async ({ page }) => {
  await page.goto('/api/docs');
  const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  const names = await links.allTextContents();
  expect(names.length).toBeGreaterThan(10);
  await links.filter({ hasText: 'Errors' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#errors$/);
  await expect(page.getByRole('heading', { level: 2, name: 'Errors', exact: true })).toBeInViewport();
  const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
  expect(headings).toEqual(['On this page', ...names]);
});

test('the account shows an example request that is copied with the key, and links to the documentation', async ({
  page,
  baseURL,
}) => {
  await allowClipboard(page);
  const key = await createApiKey(page);
  await page.goto('/account?tab=api-keys');
  const use = page.getByRole('region', { name: 'Use your key' });
  await expect(use).toContainText(`curl '${baseURL}/api/v1/check`);
  await expect(use).not.toContainText(key);
  await use.getByRole('button', { name: 'Copy terminal example' }).click();
  await expectInClipboard(page, `X-API-Key: ${key}'`);
  await expect(use.locator('time')).toHaveAttribute('datetime', /T00:00:00\.000Z$/);
  await use.getByRole('link', { name: 'Read the API documentation' }).click();
  await expect(page).toHaveURL(/\/api\/docs$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a visitor who gets an API key is sent to the sign-in page, which returns to the API keys', async ({ page }) => {
  await page.goto('/api/docs');
  await page.getByRole('link', { name: 'Get an API key' }).click();
  await expect(page).toHaveURL('/auth?next=%2Faccount%3Ftab%3Dapi-keys');
  await page.getByRole('contentinfo').getByRole('link', { name: 'API', exact: true }).click();
  await expect(page).toHaveURL(/\/api\/docs$/);
});
