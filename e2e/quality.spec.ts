import { expect, test } from '@playwright/test';
import { measureFirstLoad } from '../scripts/first-load.ts';
import { deviceIndependentCategories, startLighthouse } from '../scripts/lighthouse.ts';
import { admin, enter } from './person.ts';
import { importSample } from './sample-data.ts';

/** Bytes of script and style, gzip -9. */
const budget = 175_000;

test('home, features, contact and the API documentation get 95 of 100 from Lighthouse in whatever does not depend on time', async ({
  baseURL,
}) => {
  test.setTimeout(180_000);
  const lighthouse = await startLighthouse();
  try {
    for (const path of ['/', '/features', '/contact', '/api/docs']) {
      const { scores, findings } = await lighthouse.measure(baseURL + path, deviceIndependentCategories);
      expect(Math.min(...Object.values(scores)), `${path}: ${findings.join(', ')}`).toBeGreaterThanOrEqual(95);
    }
  } finally {
    await lighthouse.close();
  }
});

test('the first load of the home page and of the blacklist as admins have it keeps within its budget', async ({
  browser,
  page,
}) => {
  const stranger = await (await browser.newContext()).newPage();
  expect(await measureFirstLoad(stranger, '/'), 'home').toBeLessThanOrEqual(budget);
  await importSample(page);
  await enter(page, admin);
  expect(await measureFirstLoad(page, '/domains'), 'blacklist').toBeLessThanOrEqual(budget);
});

test('a public page is whole without scripts, and says once what it is', async ({ browser, baseURL }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/features');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('title')).toHaveCount(1);
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${baseURL}/features`);
  const things = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(things['@graph'].map((thing: { '@type': string }) => thing['@type'])).toEqual([
    'Organization',
    'SoftwareApplication',
    'WebPage',
    'FAQPage',
  ]);
  const image = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect((await page.request.get(image ?? '')).headers()['content-type']).toBe('image/png');
});
