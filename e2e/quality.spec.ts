import { expect, test } from '@playwright/test';
import { measureFirstLoad, measureScriptsBeforeUse } from '../scripts/first-load.ts';
import { deviceIndependentCategories, startLighthouse } from '../scripts/lighthouse.ts';
import { openReady } from '../scripts/ready.ts';
import { toDomainPage } from '../shared/domain-page-path.ts';
import { publicPages } from '../shared/pages.ts';
import { admin, signInAs, signInAsNewUser } from './accounts.ts';
import { maxLayoutShift, readLayoutShifts, recordLayoutShifts } from './layout-shift.ts';
import { createReport, importSampleDomains } from './sample-data.ts';

/** Bytes of scripts and styles, compressed with gzip -9. */
const maxFirstLoadBytes = 175_000;
/** Bytes of scripts before a visitor uses the page, compressed with gzip -9. */
const maxScriptBytes = 40_000;

test('public pages score 95 or more in the Lighthouse categories that do not measure speed', async ({ baseURL }) => {
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

test('the first load of the home page and of the admin blacklist stays within its budget', async ({
  browser,
  page,
}) => {
  const visitor = await (await browser.newContext()).newPage();
  expect(await measureFirstLoad(visitor, '/'), 'home').toBeLessThanOrEqual(maxFirstLoadBytes);
  await importSampleDomains(page);
  await signInAs(page, admin);
  expect(await measureFirstLoad(page, '/domains'), 'blacklist').toBeLessThanOrEqual(maxFirstLoadBytes);
});

for (const [device, viewport] of [
  ['a computer', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 800 }],
] as const) {
  test(`nothing moves while the blacklist and the risk assessment load on ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await recordLayoutShifts(page);
    const names = await importSampleDomains(page, 30);
    const expectNoShift = async (path: string) => {
      await openReady(page, path);
      const { sum, moved } = await readLayoutShifts(page);
      expect.soft(sum, `${path}:\n${moved}`).toBeLessThanOrEqual(maxLayoutShift);
    };
    await signInAsNewUser(page);
    await createReport(page, names.slice(0, 10));
    await expectNoShift('/domains');
    await expectNoShift('/risk-assessment');
    await signInAs(page, admin);
    await expectNoShift('/domains');
    await expectNoShift('/risk-assessment');
  });
}

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
