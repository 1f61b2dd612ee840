import { expect, test } from '@playwright/test';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { toDomainPage } from '../shared/checks/domain-page-path.ts';
import { publicPages } from '../shared/pages.ts';
import { admin, signInAs } from './accounts.ts';
import { getSampleDomains } from './sample-data.ts';

/** Bytes of scripts and styles, compressed with gzip -9. */
const maxFirstLoadBytes = 200_000;
/** Bytes of scripts before a visitor uses the page, compressed with gzip -9. */
const maxScriptBytes = 40_000;

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

test('the blacklist and the risk assessment show their headings, buttons and user before the app has loaded', async ({
  page,
}) => {
  await signInAs(page, admin);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/domains', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Blacklist' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import CSV' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Account menu' })).toHaveText(/^[A-Z]{1,2}$/);
  await page.goto('/risk-assessment', { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Analyze My Backlinks' })).toBeVisible();
});

test('a public page loads at most 40 kB of scripts before it is used', async ({ context }) => {
  for (const path of [...publicPages, toDomainPage('unknown.example')]) {
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
