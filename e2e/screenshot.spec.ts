import { expect, test } from '@playwright/test';
import { buildDomainList, createRandom, generateNames } from '../server/demo/files.ts';
import { admin, enter } from './person.ts';
import { importList } from './sample-data.ts';

/** Where the picture goes: `SCREENSHOT=docs/screenshot.png npm run test:e2e -- screenshot` renews the README's. */
const target = process.env.SCREENSHOT;

test('the blacklist as the README shows it', async ({ page }, testInfo) => {
  await enter(page, admin);
  const made = createRandom(3);
  await importList(page, buildDomainList(generateNames(3000, made), made));
  await page.goto('/domains?sort=date-added');
  await expect(page.getByRole('row')).toHaveCount(26);
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0);
  await page.screenshot({ path: target ?? testInfo.outputPath('blacklist.png') });
});
