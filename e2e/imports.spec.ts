import { expect, type Page } from '@playwright/test';
import { buildXlsx } from '../server/platform/archives/workbooks.fixtures.ts';
import { admin, signInAs, toastOf, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { hideRunningImports } from './mock-responses.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog');

test('an admin checks the columns of a price list, checks the file without importing it, and imports it', async ({
  page,
}) => {
  const word = uniqueName('offer');
  const names = [1, 2, 3].map((i) => `${word}-${i}.com`);
  await signInAs(page, admin);
  await hideRunningImports(page);
  await page.goto('/domains?dialog=import');
  const rows = names.map((name, i) => `${name},Market ${word},$${50 + i},2026`);
  const file = buildCsvFile('offers.csv', [
    'Website,Marketplace,Price,Checked',
    ...rows,
    'not a name,x,,',
    `${word}.edu,x,,`,
  ]);
  await chooseFile(page, 'Choose a CSV file', file);
  const read = (name: string) => dialog(page).getByLabel(`Read ${name} as`);
  await expect(read('Website')).toHaveValue('domain');
  await expect(read('Marketplace')).toHaveValue('source');
  await expect(read('Price')).toHaveValue('cost');
  await expect(read('Checked')).toHaveValue('');
  await read('Checked').selectOption('Notes');
  await expect(dialog(page).getByRole('cell', { name: names[0] ?? '' })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  await dialog(page).getByRole('button', { name: 'Check without importing' }).click();
  await expect(
    dialog(page).getByText(/^3 new, 0 changed, 0 unchanged \([\d.]+s\)\. Nothing was imported\.$/),
  ).toBeVisible();
  await expect(dialog(page).getByText('1 row would be rejected')).toBeVisible();
  await expect(dialog(page).getByText('1 row would be held for review.')).toBeVisible();
  await expect(
    dialog(page)
      .getByRole('row')
      .filter({ hasText: `${word}.edu` }),
  ).toContainText('.edu');
  await dialog(page).getByRole('button', { name: 'Change columns' }).click();
  await read('Checked').selectOption('Ignore');
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await expect(toastOf(page)).toContainText('3 domains imported, 0 updated, 1 row failed.');
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();

  await page.goto(`/domains?search=${word}`);
  await expect(page.getByRole('row').filter({ hasText: names[0] ?? '' })).toContainText(`Market ${word}`);
});

test('an admin imports a text file without a header from a source, and again without changes', async ({ page }) => {
  const word = uniqueName('plain');
  await signInAs(page, admin);
  await page.goto('/admin/panel');
  const lines = ['# My list', `https://www.${word}-1.com/`, `${word}-2.com`];
  await chooseFile(page, 'Choose a CSV file', { ...buildCsvFile('list.txt', lines), mimeType: 'text/plain' });
  await expect(page.getByLabel('Read Column 1 as')).toHaveValue('domain');
  const start = page.getByRole('button', { name: 'Start Import' });
  await start.click();
  await expect(toastOf(page)).toContainText('Import failed');
  await expect(page.getByText('Enter the source of the domains.').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Source' }).fill(`List ${word}`);
  await page.getByLabel('Kind of source').selectOption("Seller's offer");
  await start.click();
  await expect(page.getByText(/^2 imported, 0 updated \([\d.]+s\)$/)).toBeVisible();

  await page.getByRole('button', { name: 'Import Another File' }).click();
  await chooseFile(page, 'Choose a CSV file', { ...buildCsvFile('list.txt', lines), mimeType: 'text/plain' });
  await page.getByRole('textbox', { name: 'Source' }).fill(`List ${word}`);
  await start.click();
  await expect(page.getByText(/^0 imported, 0 updated \([\d.]+s\)\. 2 unchanged\.$/)).toBeVisible();
});

test('an admin imports a workbook with a column of domains for each country', async ({ page }) => {
  const word = uniqueName('country');
  const names = (country: string) => [1, 2].map((i) => `${word}-${country}-${i}.com`);
  await signInAs(page, admin);
  await page.goto('/admin/panel');
  const rows = [0, 1].map((i) => [names('fi')[i] ?? '', names('it')[i] ?? '', 'spam']);
  const buffer = Buffer.from(buildXlsx({ Sites: [['Finland', 'Italia', 'Note'], ...rows] }));
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await chooseFile(page, 'Choose a CSV file', { name: 'countries.xlsx', mimeType, buffer });
  const read = (name: string) => page.getByLabel(`Read ${name} as`);
  await expect(read('Finland')).toHaveValue('domain');
  await expect(read('Italia')).toHaveValue('domain');
  await read('Finland').selectOption('Ignore');
  await expect(read('Italia')).toHaveValue('domain');
  await read('Finland').selectOption('Domain');
  await page.getByRole('textbox', { name: 'Source' }).fill(`List ${word}`);
  await page.getByRole('button', { name: 'Start Import' }).click();
  await expect(page.getByText(/^4 imported, 0 updated \([\d.]+s\)$/)).toBeVisible();
});

test('an admin cancels a check', async ({ page }) => {
  await signInAs(page, admin);
  await page.goto('/admin/panel');
  const rows = Array.from({ length: 400_000 }, (_, i) => `long-list-${i}.com,Seller`);
  await chooseFile(page, 'Choose a CSV file', buildCsvFile('long.csv', ['domain,source', ...rows]));
  await page.getByRole('button', { name: 'Check without importing' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Check without importing' })).toBeEnabled();
  await page.getByRole('button', { name: 'Remove long.csv' }).click();
  const runs = page.getByRole('table', { name: 'Recent imports' });
  await expect(runs.getByRole('row').filter({ hasText: 'long.csv' }).first()).toContainText('Canceled');
});
