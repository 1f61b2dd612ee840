import { expect } from '@playwright/test';
import { buildDomainList, createRandom, generateNames } from '../server/operations/demo/files.ts';
import { admin, signInAs } from './accounts.ts';
import { importCsv } from './sample-data.ts';
import { test } from './test.ts';

/** `TEST_THOROUGH=1 SCREENSHOT=docs/screenshot.png npm run test:e2e -- screenshot` updates the README's picture. */
const target = process.env.SCREENSHOT;

test('the blacklist can be captured for the README', async ({ page }, testInfo) => {
  await signInAs(page, admin);
  const random = createRandom(3);
  await importCsv(page, buildDomainList(generateNames(3000, random), random));
  await page.goto('/domains?sort=date-added');
  await expect(page.getByRole('row')).toHaveCount(26);
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0);
  await page.screenshot({ path: target ?? testInfo.outputPath('blacklist.png') });
});
