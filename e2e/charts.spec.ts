import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { admin, signInAs, signInAsNewUser, toastOf } from './accounts.ts';
import { chooseAction } from './report-page.ts';
import { createNextReport, createReport, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

/** Downloads the file of a button. @returns its name and its lines */
async function download(page: Page, button: Locator): Promise<{ name: string; lines: string[] }> {
  const started = page.waitForEvent('download');
  await button.click();
  const file = await started;
  return { name: file.suggestedFilename(), lines: (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/) };
}

/** Expects a part of a chart to have another color than the page, which forced colors would otherwise hide. */
async function expectColored(part: Locator): Promise<void> {
  const [color, page] = await part.evaluate((element) => {
    const { backgroundColor, stroke } = getComputedStyle(element);
    const own = element instanceof SVGElement ? stroke : backgroundColor;
    return [own, getComputedStyle(document.body).backgroundColor];
  });
  expect(color).not.toBe(page);
}

test('exports of a report follow the risk filter and say what they contain', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 8);
  await signInAsNewUser(page);
  const { reportId } = await createReport(page, names);
  await openReady(page, `/risk-assessment?result=${reportId}`);
  await expect(page.getByText('of 8 harmful links')).toBeVisible();
  const choose = async (name: RegExp): Promise<Locator> => {
    await page.getByRole('button', { name: 'Export' }).click();
    return page.getByRole('menuitem', { name });
  };
  const all = await choose(/^Harmful backlinks as CSV.*Export all 8 backlinks/);
  expect((await download(page, all)).lines).toHaveLength(9);

  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await expectColored(page.locator('div[data-tone]'));
  await expectColored(page.locator('[aria-hidden] > [data-level="very high"]').first());
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });

  await page.getByLabel('Risk level').selectOption('high');
  const file = await download(page, await choose(/^Harmful backlinks as CSV.*Export 2 of 8 backlinks/));
  expect(file.name).toMatch(/^harmful-backlinks-high-risk-/);
  expect(file.lines.slice(1).map((line) => line.split(',')[2])).toEqual(['high', 'high']);
});

test('a deleted report leaves the list, the trend and the figures of its website', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 20);
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, names.slice(0, 4));
  await createNextReport(page, websiteId, names);
  const sparkline = page.getByRole('img', { name: /^Toxicity of/ });
  await openReady(page, '/account');
  await expect(sparkline).toHaveAccessibleName('Toxicity of the last 2 reports, oldest first: 6.3%, 25%.');
  await expect(page.getByRole('list', { name: 'My Websites' })).toContainText('+18.8 points since the previous report');
  await expect(page.getByText('Very High Toxicity')).toBeVisible();
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  await expectColored(sparkline.locator('path').last());
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });

  await page.getByRole('link', { name: /^View Reports/ }).click();
  const reports = page.getByRole('list', { name: /^Reports of/ });
  await reports.getByRole('link').first().click();
  const report = page.getByRole('dialog', { name: 'Report Details' });
  await chooseAction(report, 'Delete report');
  const confirm = page.getByRole('dialog', { name: 'Delete report' });
  await expect(confirm).toContainText('with its 20 harmful backlinks will be deleted');
  await page.keyboard.press('Escape');
  await expect(confirm).toBeHidden();
  await expect(report).toBeVisible();
  await chooseAction(report, 'Delete report');
  await confirm.getByRole('button', { name: 'Delete report' }).click();
  await expect(toastOf(page)).toContainText('Report Deleted');
  await expect(reports.getByRole('listitem')).toHaveCount(1);
  await expect(sparkline).toHaveAccessibleName('Toxicity of the only report: 6.3%.');
  await expect(page.locator(`#website-${websiteId}`)).toBeFocused();
  await toastOf(page).getByRole('button', { name: 'Undo' }).click();
  await expect(reports.getByRole('listitem')).toHaveCount(2);
});

test('the composition of the blacklist links to its parts', async ({ page }) => {
  await getSampleDomains(page);
  await signInAs(page, admin);
  await openReady(page, '/admin');
  await expect(page.getByRole('heading', { name: 'Top TLDs' })).toBeVisible();
  await openReady(page, '/dashboard');
  await page.getByText('Composition and risk levels').click();
  const link = page.getByRole('link', { name: /^\.example [\d,]+ domains?$/ });
  const [count] = /[\d,]+/.exec(await link.innerText()) ?? [];
  await link.click();
  await expect(page).toHaveURL(/\?tld=example$/);
  await expect(page.getByRole('button', { name: /Remove filter.*\.?example/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Results' })).toContainText(`${count} match`);
  // The charts stay open, with the focus on the link.
  await expect(link).toBeFocused();
  await page
    .getByRole('link', { name: /^\w+ \d{4}: [\d,]+ added/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/updates#month-\d{4}-\d\d$/);
});
