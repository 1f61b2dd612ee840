import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { test } from './test.ts';

interface Manifest {
  start_url: string;
  background_color: string;
  theme_color: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
  shortcuts: { url: string }[];
}

async function loadManifest(page: Page): Promise<Manifest> {
  const url = await page.locator('link[rel=manifest]').getAttribute('href');
  const response = await page.request.get(url ?? '');
  expect(response.headers()['content-type']).toContain('application/manifest+json');
  return response.json();
}

test('the site can be installed as an app', async ({ page, context }) => {
  await openReady(page, '/');
  const browser = await context.newCDPSession(page);
  expect((await browser.send('Page.getAppManifest')).errors).toEqual([]);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // Tests run in an incognito window, where Chromium installs nothing. Not all versions report that.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
});

test('the icons have the declared sizes, and the pages of the app exist', async ({ page }) => {
  await openReady(page, '/features');
  const { icons, start_url, shortcuts } = await loadManifest(page);
  const touchIcon = (await page.locator('link[rel=apple-touch-icon]').getAttribute('href')) ?? '';
  for (const { src, sizes, type } of [...icons, { src: touchIcon, sizes: '180x180', type: 'image/png' }]) {
    const response = await page.request.get(src);
    expect(response.headers()['content-type'], src).toBe(type);
    const picture = await response.body();
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes);
  }
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable');
  for (const url of [start_url, ...shortcuts.map(({ url }) => url)]) {
    expect((await page.request.get(url)).status(), url).toBe(200);
  }
});

test('the browser frame has the color of the header, also if the chosen theme differs from the system', async ({
  page,
}) => {
  const frame = page.locator('meta[name=theme-color][media=all]');
  // The header changes its color gradually.
  const expectSameColor = () =>
    expect
      .poll(async () => (await readBackground(page, 'header')) === (await frame.getAttribute('content')))
      .toBe(true);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openReady(page, '/features');
  await expectSameColor();
  await page.emulateMedia({ colorScheme: 'light' });
  await openReady(page, '/features');
  await expectSameColor();
  const { theme_color, background_color } = await loadManifest(page);
  expect([theme_color, background_color]).toEqual([
    await readBackground(page, 'header'),
    await readBackground(page, 'body'),
  ]);

  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expectSameColor();
  await openReady(page, '/features');
  await expectSameColor();
  expect(await frame.getAttribute('content')).not.toBe(theme_color);
});

/** Returns the background of an element as a hexadecimal color. */
async function readBackground(page: Page, selector: string): Promise<string> {
  const color = await page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor);
  const parts = color.match(/\d+/g) ?? [];
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
