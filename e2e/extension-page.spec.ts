import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin } from './accounts.ts';
import { test } from './test.ts';

const title = 'Browser Extension for Chrome, Edge and Firefox';

test('"Install Extension" leads through the sign-in to the page of the extension, which the footer links too', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Install Extension' }).click();
  await expect(page).toHaveURL('/auth?next=%2Fextension');
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/extension$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await openReady(page, '/about');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Browser Extension' }).click();
  await expect(page).toHaveURL(/\/extension$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
});

test('the page of the extension loads only pictures of the chosen theme, and nothing moves when they load', async ({
  browser,
}) => {
  for (const [chosen, system] of [
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const) {
    const page = await (await browser.newContext({ colorScheme: system })).newPage();
    await page.addInitScript((theme) => localStorage.setItem('mantine-color-scheme-value', theme), chosen);
    const requested = new Set<string>();
    page.on('request', (request) => requested.add(new URL(request.url()).pathname));
    await openReady(page, '/extension');
    const height = await measureHeight(page);
    for (const picture of await page.locator('main img:visible').all()) {
      await picture.scrollIntoViewIfNeeded();
      await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    }
    expect(await measureHeight(page)).toBe(height);
    expect([...requested].filter((path) => path.startsWith('/extension/')).sort()).toEqual(
      ['popup', 'results', 'scan'].map((name) => `/extension/${name}-${chosen}.png`),
    );
    await page.context().close();
  }
});

const measureHeight = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

test('the address of the installation can be copied before the app has started', async ({ page, baseURL }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/extension');
  await page.getByRole('button', { name: 'Copy the address of this site' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(baseURL);
});

test('without scripts, the page of the extension has its steps, downloads and address', async ({
  browser,
  baseURL,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/extension');
  await page.getByRole('link', { name: 'Get it for Firefox' }).click();
  await expect(page).toHaveURL(/#firefox$/);
  const steps = page.getByRole('region', { name: 'Firefox' });
  await expect(steps).toBeInViewport();
  await expect(steps.getByRole('link', { name: 'Download for Firefox' })).toHaveAttribute(
    'href',
    '/extension/linksieve-firefox.zip',
  );
  await expect(page.getByRole('region', { name: 'Connect it to this site' })).toContainText(baseURL ?? '');
  await expect(page.getByRole('button', { name: 'Copy the address of this site' })).toBeHidden();
  await page.close();
});
