import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { openSignedOut, sameOriginHeaders, signInAsNewUser } from './accounts.ts';
import { findViolations } from './axe.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { serverError } from './mock-responses.ts';
import { printPages, watchPrintDialog } from './pdf.ts';
import { chooseAction } from './report-page.ts';
import { createReport, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Share report' });
const table = (page: Page) => page.getByRole('table', { name: 'Toxic domains' });

/** Creates a report of listed domains with a decision and a note about the first of them. */
async function createReviewedReport(page: Page, count: number) {
  const names = (await getSampleDomains(page)).slice(0, count);
  const username = await signInAsNewUser(page);
  const { reportId, websiteId } = await createReport(page, names);
  const decided = names[3] ?? '';
  const response = await page.request.put(`/api/profiles/${websiteId}/decisions`, {
    headers: sameOriginHeaders,
    data: { domains: [decided], decision: 'disavow', note: 'Ask Grace on Monday' },
  });
  expect(response.ok()).toBe(true);
  return { names, username, decided, path: `/reports/${reportId}` };
}

/** Opens the dialog and creates a link. @returns the link */
async function createLink(page: Page, days = '30 days'): Promise<string> {
  await chooseAction(page, 'Share');
  await dialog(page).getByLabel('Expires after').selectOption(days);
  await dialog(page)
    .getByRole('button', { name: /^Create/ })
    .click();
  return await dialog(page).getByRole('textbox', { name: 'Link' }).inputValue();
}

test('links are created, copied again, opened without an account, and revoked one by one', async ({ page }) => {
  await allowClipboard(page);
  const { names, username, decided, path } = await createReviewedReport(page, 8);
  await openReady(page, path);
  const url = await createLink(page, '7 days');
  expect(url).toMatch(/\/shared\/[\w-]{43}$/);
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Copy the link' }).click();
  await expectClipboard(page, url);

  const reader = await openSignedOut(page, url);
  await expect(reader.getByText(/^Shared report. Read-only. Link expires on \w+ \d+, \d{4}.$/)).toBeVisible();
  await expect(reader.getByRole('heading', { level: 1 })).toContainText('Report on');
  await expect(reader.getByRole('row', { name: decided })).toContainText('Disavow');
  await expect(table(reader).getByRole('row')).toHaveCount(names.length + 1);
  const main = reader.getByRole('main');
  for (const hidden of ['Grace', username, 'links.csv']) await expect(main).not.toContainText(hidden);
  await expect(main.getByRole('checkbox', { name: /^Select/ })).toHaveCount(0);
  await expect(main.getByRole('button', { name: /^(?:Keep|Undo|Export and share)$/ })).toHaveCount(0);
  await expect(reader.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
  expect(await findViolations(reader)).toEqual([]);

  await reader.getByRole('button', { name: `Disavow 1` }).click();
  await expect(table(reader).getByRole('row')).toHaveCount(2);
  await reader.getByRole('button', { name: decided }).click();
  await expect(reader.getByRole('region', { name: `Links from ${decided}` })).toContainText('/a/rather/long');
  await expect(reader.getByRole('link', { name: 'Public page of the domain' })).toBeVisible();
  await expect(reader.getByLabel('Note')).toHaveCount(0);

  await dialog(page).getByRole('button', { name: 'Create another link' }).click();
  const links = dialog(page).getByRole('textbox', { name: 'Link' });
  await expect(links).toHaveCount(2);
  await expect(links.last()).toHaveValue(url);
  const newUrl = await links.first().inputValue();
  expect(await findViolations(page)).toEqual([]);
  await openReady(reader, newUrl);
  await expect(table(reader)).toBeVisible();

  await openReady(page, path);
  await chooseAction(page, 'Delete report');
  const deletion = page.getByRole('dialog', { name: 'Delete report' });
  await expect(deletion).toContainText('Its shared links will stop working.');
  await deletion.getByRole('button', { name: 'Cancel' }).click();
  await expect(deletion).toBeHidden();
  await expect(page.getByRole('button', { name: 'Export and share' })).toBeFocused();
  await chooseAction(page, 'Share');
  await expect(links.last()).toHaveValue(url);
  await dialog(page).getByRole('button', { name: 'Revoke link' }).first().click();
  await expect(dialog(page)).toContainText('The link was revoked.');
  await expect(links).toHaveCount(1);
  await reader.reload();
  await waitForReady(reader);
  await expect(main).toContainText('This link has expired or was revoked. Ask the person who sent it for a new one.');
  expect(await findViolations(reader)).toEqual([]);
  await openReady(reader, url);
  await expect(table(reader)).toBeVisible();
  await reader.context().close();
});

test('the dialog shows why a link was not created or revoked, and signed-in users can read a shared report', async ({
  page,
}) => {
  const { path } = await createReviewedReport(page, 4);
  await openReady(page, path);
  await page.route('**/share', (route) => (route.request().method() === 'GET' ? route.fallback() : serverError(route)));
  await chooseAction(page, 'Share');
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  await expect(dialog(page).getByRole('alert')).toBeVisible();
  await page.unroute('**/share');
  await page.keyboard.press('Escape');
  const url = await createLink(page);
  await openReady(page, url);
  await expect(page.getByText('Shared report. Read-only.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button', { name: 'Delete report' })).toHaveCount(0);
});

test('the owner and readers print all domains, also from the dark theme', async ({ page }) => {
  const { names, decided, path } = await createReviewedReport(page, 120);
  const waitForPrintDialog = await watchPrintDialog(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await openReady(page, path);
  const url = await createLink(page);
  await page.keyboard.press('Escape');
  for (const address of [path, url]) {
    await openReady(page, address);
    if (address === path) await chooseAction(page, 'Print or save as PDF');
    else await page.getByRole('button', { name: 'Print or save as PDF' }).click();
    await waitForPrintDialog();
    const pages = await printPages(page);
    const text = pages.join(' ');
    expect(text).toMatch(/Analyzed \w+ \d+, \d{4}.* Report on [\w.-]+ Printed \w+ \d+, \d{4}/);
    expect(text).toContain('Toxicity of the website');
    // The overview is printed although the screen shows the list.
    expect(text).toContain('Confidence');
    expect(text).toContain('Unique root domains');
    expect(text).toContain('120 domains on the blacklist.');
    // Long names break anywhere, and the PDF has a space there.
    const joined = text.replaceAll(' ', '');
    expect(names.filter((name) => !joined.includes(name))).toEqual([]);
    expect(joined).toMatch(new RegExp(`${decided.replaceAll('.', '\\.')}.{0,60}Disavow`));
    expect(text).toMatch(/Method This report compares .* \/methodology|Method This report compares .*\/methodology/);
    const withRows = pages.filter((one) => names.some((name) => one.includes(name)));
    expect(withRows.length).toBeGreaterThan(2);
    expect(withRows.slice(1).filter((one) => !/Domain Risk Confidence Links First seen Decision/.test(one))).toEqual(
      [],
    );
    for (const hidden of [
      'Grace',
      'Revoke',
      'Search domains',
      'All rights reserved',
      'Print or save',
      'Shared report',
    ]) {
      expect(text).not.toContain(hidden);
    }
    expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe('dark');
  }
});

test('printing follows the filters, and says so when it has only the current page', async ({ page }) => {
  const { path } = await createReviewedReport(page, 60);
  await openReady(page, path);
  expect((await printPages(page)).join(' ')).toContain('This print lists domains 1 to 50.');
  await openReady(page, `${path}?riskLevel=high`);
  const text = (await printPages(page)).join(' ');
  expect(text).toContain('15 domains with these filters: High Risk.');
  expect(text).not.toContain('This print lists');
});

/** Chooses a file of the export menu. @returns its name and content */
async function exportFile(page: Page, item: Locator): Promise<{ name: string; content: Buffer }> {
  await page.getByRole('button', { name: 'Export and share' }).click();
  const started = page.waitForEvent('download');
  await item.click();
  const file = await started;
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
}

test('exports follow the filters, say how much they contain, and have decisions and notes', async ({ page }) => {
  const { decided, path } = await createReviewedReport(page, 8);
  await openReady(page, path);
  await page.getByRole('button', { name: 'Export and share' }).click();
  const item = (name: RegExp) => page.getByRole('menuitem', { name });
  await expect(item(/Domains as CSV.*Export all 8 domains/)).toBeVisible();
  await expect(item(/Harmful backlinks as CSV.*Export all 8 backlinks/)).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByLabel('Risk level').selectOption('very high');
  await expect(table(page).getByRole('row')).toHaveCount(3);
  const csv = await exportFile(page, item(/Domains as CSV.*Export 2 of 8 domains/));
  expect(csv.name).toMatch(/^toxic-domains-.*\.csv$/);
  const [, ...rows] = csv.content.toString().trimEnd().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows.find((row) => row.startsWith(decided))).toMatch(/,disavow,Ask Grace on Monday$/);

  const xlsx = await exportFile(page, item(/Domains as Excel.*Export 2 of 8 domains/));
  const sheet = strFromU8(unzipSync(xlsx.content)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect([xlsx.name.endsWith('.xlsx'), sheet.includes('Ask Grace on Monday')]).toEqual([true, true]);
  const links = await exportFile(page, item(/Harmful backlinks as CSV.*Export 2 of 8 backlinks/));
  expect(links.content.toString().trimEnd().split('\r\n')).toHaveLength(3);

  await page.route('**/domains.csv*', serverError);
  await page.getByRole('button', { name: 'Export and share' }).click();
  await item(/Domains as CSV/).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('problem exporting the data');
});
