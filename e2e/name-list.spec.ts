import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { pasteIntoSearch } from './blacklist.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { importCsv, oncePerWorker } from './sample-data.ts';
import { test } from './test.ts';

const summary = (page: Page) => page.getByRole('region', { name: 'Pasted list' });
const rows = (page: Page) => page.getByRole('table').getByRole('row');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Check a list' });
const count = (page: Page, level: string) =>
  page.getByRole('group', { name: 'Domains by risk level' }).getByRole('button', { name: level });

/** Lists three domains with a common word: two with a low and one with a medium risk. @returns the word */
const importDomains = oncePerWorker(async (page) => {
  const word = uniqueName('pasted');
  const names = ['one.example,a', 'two.example,"a, b"', 'parent.example,a'].map((row) => `${word}-${row}`);
  await importCsv(page, ['domain,source', ...names].join('\n'));
  return word;
});

test('pasted names show which are listed, and survive a reload and the back button', async ({ page }) => {
  await allowClipboard(page);
  const word = await importDomains(page);
  await signInAsNewUser(page);
  await openReady(page, '/domains');
  const lines = [
    `https://www.${word}-one.example/offers, ${word}-two.example`,
    `shop.${word}-parent.example`,
    `${word}-clean.example`,
    'notadomain',
  ];
  await pasteIntoSearch(page, lines.join('\n'));
  await expect(summary(page).getByRole('heading')).toHaveText('3 of 4 listed');
  await expect(rows(page)).toHaveCount(4);
  await expect(count(page, 'Medium')).toContainText(/1 of [\d,]+/);
  await summary(page).getByText('1 listed through a parent domain').click();
  await expect(summary(page)).toContainText(`shop.${word}-parent.example is a subdomain of ${word}-parent.example`);
  await summary(page).getByText('1 entry not checked').click();
  await expect(summary(page)).toContainText(/notadomain .+\./);
  await summary(page).getByText('1 not listed').click();
  await summary(page).getByRole('button', { name: 'Copy names' }).click();
  await expect(toastOf(page)).toContainText('Name copied');
  await expectClipboard(page, `${word}-clean.example`);
  expect(await findViolations(page)).toEqual([]);

  await count(page, 'Medium').click();
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(summary(page).getByRole('heading')).toHaveText('3 of 4 listed');
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await expect(rows(page)).toHaveCount(4);

  const download = page.waitForEvent('download');
  await summary(page).getByRole('button', { name: 'Export results' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toContain(`shop.${word}-parent.example,true,${word}-parent.example,low`);
  expect(csv).toContain(`${word}-clean.example,false,,`);

  await summary(page).getByRole('button', { name: 'Close list' }).click();
  await expect(summary(page)).toHaveCount(0);
  await page.goBack();
  await expect(rows(page)).toHaveCount(4);
});

test('a list is pasted and edited in a dialog, and too many names are refused without losing any', async ({ page }) => {
  const word = await importDomains(page);
  await signInAsNewUser(page);
  await openReady(page, '/domains');
  await page.getByRole('button', { name: 'Paste a list' }).click();
  const field = dialog(page).getByRole('textbox', { name: 'Domains or URLs' });
  await field.fill(`${word}-one.example ${word}-clean.example`);
  await dialog(page).getByRole('button', { name: 'Check 2 names' }).click();
  await expect(summary(page).getByRole('heading')).toHaveText('1 of 2 listed');
  await summary(page).getByRole('button', { name: 'Edit list' }).click();
  await expect(field).toHaveValue(`${word}-one.example ${word}-clean.example`);
  await field.fill(`${word}-clean.example`);
  await dialog(page).getByRole('button', { name: 'Check 1 name' }).click();
  await expect(page.getByText('None of the pasted names is listed.')).toBeVisible();

  const many = Array.from({ length: 501 }, (_, i) => `name-${i}.example`).join('\n');
  await pasteIntoSearch(page, many);
  await expect(field).toHaveValue(many);
  await expect(dialog(page)).toContainText('This list has 501 names. You can check up to 500 at a time: remove 1.');
  await expect(dialog(page).getByRole('button', { name: 'Check list' })).toBeDisabled();
  await field.fill(many.replace('name-0.example\n', ''));
  await dialog(page).getByRole('button', { name: 'Check 500 names' }).click();
  await expect(summary(page).getByRole('heading')).toHaveText('0 of 500 listed');
});

test('a pasted name stays a search, and a list of another tab can be pasted again', async ({ page }) => {
  await signInAsNewUser(page);
  await openReady(page, '/domains');
  const field = page.getByRole('searchbox', { name: 'Search domains' });
  const isPrevented = await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', 'https://www.one.example/a,b');
    return !element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  expect(isPrevented).toBe(false);
  await openReady(page, '/domains?list=pmi8k3x2a');
  await expect(page.getByText('This list is not available')).toBeVisible();
  await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Paste a list' }).click();
  await expect(dialog(page)).toBeVisible();
});

test('the counts by risk level follow the search and filters', async ({ page }) => {
  const word = await importDomains(page);
  await signInAsNewUser(page);
  await openReady(page, `/domains?search=${word}`);
  await expect(count(page, 'Low')).toContainText(/2 of [\d,]+/);
  await expect(count(page, 'Medium')).toContainText(/1 of [\d,]+/);
  await expect(count(page, 'Very High')).toContainText(/0 of [\d,]+/);
  await count(page, 'Medium').click();
  await expect(rows(page)).toHaveCount(2);
  await expect(count(page, 'Low')).toContainText(/2 of [\d,]+/);

  // The old numbers stay, dimmed, until the new ones arrive.
  let answer = () => {};
  await page.route('**/api/domains/counts?*', async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.fallback();
  });
  await page.getByRole('searchbox').fill(`${word}-one`);
  await page.keyboard.press('Enter');
  const counts = page.getByRole('group', { name: 'Domains by risk level' });
  await expect(counts).toHaveAttribute('aria-busy', 'true');
  await expect(count(page, 'Low')).toContainText(/2 of [\d,]+/);
  answer();
  await expect(count(page, 'Low')).toContainText(/1 of [\d,]+/);
  await expect(counts).toHaveAttribute('aria-busy', 'false');
  await page.getByRole('button', { name: 'Clear all', exact: true }).click();
  await expect(count(page, 'Low')).toHaveText(/Low[\d,]+$/);
});
