import { expect, test } from '@playwright/test';
import { demoList } from '../server/demo/demo-lists.ts';
import { chance, madeUpNames } from '../server/demo/made-up.ts';
import { admin, signIn } from './person.ts';

/** Where the picture goes: `SCREENSHOT=docs/screenshot.png npm run test:e2e -- screenshot` renews the README's. */
const target = process.env.SCREENSHOT;

test('the blacklist as the README shows it', async ({ page }, testInfo) => {
  await signIn(page, admin);
  const made = chance(3);
  const csv = demoList(madeUpNames(3000, made), made);
  const file = { name: 'paid-links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await page.request.post('/api/domains/upload', { multipart: { file }, headers })).ok()).toBe(true);
  await page.goto('/domains?sort=date-added');
  await expect(page.getByRole('row')).toHaveCount(26);
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0);
  await page.screenshot({ path: target ?? testInfo.outputPath('blacklist.png') });
});
