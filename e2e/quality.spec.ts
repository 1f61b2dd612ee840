import { expect } from '@playwright/test';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { openReady } from '../scripts/ready.ts';
import { toDomainPage } from '../shared/checks/domain-page-path.ts';
import { publicPages } from '../shared/pages.ts';
import { admin, signInAs, signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';
import { getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

/** Bytes of scripts and styles, compressed with gzip -9. */
const maxFirstLoadBytes = 200_000;
/** Bytes of the scripts of a document, compressed with gzip -9. */
const maxScriptBytes = 2000;

test('the first load of the home page and of the admin blacklist stays within its budget', async ({
  browser,
  page,
}) => {
  const visitor = await (await browser.newContext()).newPage();
  expect(await measureFirstLoad(visitor, '/'), 'home').toBeLessThanOrEqual(maxFirstLoadBytes);
  await getSampleDomains(page);
  await signInAs(page, admin);
  expect(await measureFirstLoad(page, '/domains'), 'blacklist').toBeLessThanOrEqual(maxFirstLoadBytes);
});

test('the blacklist and the risk assessment have their content before the app has loaded', async ({ page }) => {
  await signInAs(page, admin);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/domains', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Blacklist' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import CSV' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account menu' })).toHaveText(/^[A-Z]{1,2}$/);
  await expect(page.locator('[data-row]').first()).toBeVisible();
  await page.goto('/risk-assessment', { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Analyze My Backlinks' })).toBeVisible();
});

test('the data of a screen is requested together with its code, when its link is hovered or focused', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await openReady(page, '/contact');
  const links = page.getByRole('navigation', { name: 'Main', exact: true });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const release = await holdRequests(page, '**/assets/{domains,risk-assessment}-page*.js');
  await links.getByRole('link', { name: 'Blacklist' }).hover();
  await expect.poll(() => requests).toContain('/api/domains');
  await links.getByRole('link', { name: 'Risk Assessment' }).focus();
  await expect.poll(() => requests).toContain('/api/backlinks/analyses');
  expect(requests.filter((path) => /\/(?:domains|risk-assessment)-page-.*\.js$/.test(path))).toHaveLength(2);

  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('button', { name: 'Analyze My Backlinks' })).toBeVisible();
  expect(requests.filter((path) => path === '/api/domains')).toHaveLength(1);
});

test('a document loads at most 2 kB of scripts', async ({ context }) => {
  const paths = publicPages.filter((path) => path !== '/check');
  for (const path of [...paths, toDomainPage('unknown.example')]) {
    expect(await measureScriptsBeforeUse(await context.newPage(), path), path).toBeLessThanOrEqual(maxScriptBytes);
  }
});

test('a public page is complete without scripts and has one title, canonical link and set of structured data', async ({
  browser,
  baseURL,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/features');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('title')).toHaveCount(1);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${baseURL}/features`);
  const structuredData = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(structuredData['@graph'].map((item: { '@type': string }) => item['@type'])).toEqual([
    'Organization',
    'SoftwareApplication',
    'WebPage',
    'FAQPage',
  ]);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect((await page.request.get(image ?? '')).headers()['content-type']).toBe('image/png');
});
