import { expect, type Page } from '@playwright/test';
import { signInAsNewUser, uniqueName } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { changeResponse, holdRequests, networkError, onlyMethod, serverError } from './mock-responses.ts';
import { createReport, createWebsite, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Analyze Backlinks' });

test('an analysis finds nothing harmful; errors are shown, and the form keeps its values', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await signInAsNewUser(other);
  const taken = await createWebsite(other);
  await signInAsNewUser(page);
  await page.goto('/risk-assessment?tab=reports');
  await expectTexts(page, 'no websites');
  await page.getByRole('tab', { name: 'Risk Analyzer' }).click();
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await expectTexts(page, 'analyze dialog');
  await expectTexts(page, 'analyze dialog, hint');
  const start = dialog(page).getByRole('button', { name: 'Analyze', exact: true });
  const website = dialog(page).getByLabel('Website domain');
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await chooseFile(page, 'Choose backlink exports', { name: 'links.csv', mimeType: 'text/csv', buffer: picture });
  await website.fill('https://');
  await start.click();
  await expectTexts(page, 'analyze dialog, no domain');
  await website.fill(taken.domain);
  await start.click();
  await expectTexts(page, 'profile exists');
  await page.route('**/api/profiles', onlyMethod('POST', serverError));
  const own = `${uniqueName('shop')}.example`;
  await website.fill(own);
  await start.click();
  await expectTexts(page, 'profile not created');
  await page.unrouteAll();

  const release = await holdRequests(page, '**/api/backlinks/analyze');
  await start.click();
  await expectTexts(page, 'profile created');
  const progress = page.getByRole('progressbar', { name: 'Upload of links.csv' });
  await expect(progress).toHaveCount(1);
  const question = page.waitForEvent('dialog').then(async (leaving) => {
    await leaving.dismiss();
    return leaving.message();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Blacklist', exact: true }).click();
  expect(await question).toBe('Leave this page and cancel the upload?');
  await expect(progress).toHaveCount(1);
  release();
  await expect(dialog(page).getByRole('alert')).toContainText('This is an image, not a CSV or Excel file.');
  await expect(website).toHaveValue(own);
  await dialog(page).getByRole('button', { name: 'Remove links.csv' }).click();
  const lines = ['source_url,target_url', `https://clean.example/,https://${own}/`];
  await chooseFile(page, 'Choose backlink exports', buildCsvFile('links.csv', lines));
  await page.route('**/api/backlinks/analyze', serverError);
  // The same error about the picture may still be on the screen, so this waits for the response.
  await Promise.all([page.waitForResponse('**/api/backlinks/analyze'), start.click()]);
  await expectTexts(page, 'analysis fails');
  await page.unrouteAll();
  await start.click();
  await expectTexts(page, 'analysis done');
  await expectTexts(page, 'report, nothing harmful');
});

test('a website is deleted; a server or network error is shown', async ({ page }) => {
  await signInAsNewUser(page);
  const { id, domain } = await createWebsite(page);
  await page.goto(`/risk-assessment?tab=reports&profile=${id}`);
  await expectTexts(page, 'website card');
  await page.getByRole('button', { name: `Delete Profile ${domain}` }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' });
  await page.route('**/api/profiles/*', serverError);
  await confirm.click();
  await expectTexts(page, 'profile not deleted');
  await page.route('**/api/profiles/*', networkError);
  await confirm.click();
  await expectTexts(page, 'profile deletion not sent');
  await page.unrouteAll();
  await confirm.click();
  await expectTexts(page, 'profile deleted');
});

test('a report is exported; a failed export and a failed, empty or missing report are shown', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 5);
  await signInAsNewUser(page);
  const { websiteId, reportId } = await createReport(page, names);
  const path = (report: number) => `/risk-assessment?tab=reports&profile=${websiteId}&report=${report}`;
  await page.goto(path(reportId));
  const exportCsv = async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /Harmful backlinks as CSV.*Export all \d+ backlinks/ }).click();
  };
  await exportCsv();
  await expectTexts(page, 'harmful backlinks exported');
  const showEvidence = page.getByRole('button', { name: `Evidence against ${names[3]}` });
  await showEvidence.first().click();
  await expect(page.getByRole('list', { name: 'Listings' })).toContainText(/Manual entry.*Active/s);
  await showEvidence.first().click();
  await expect(page.getByRole('list', { name: 'Listings' })).toHaveCount(0);
  await page.route('**/export-harmful-backlinks*', serverError);
  await exportCsv();
  await expectTexts(page, 'export fails');

  await changeResponse<{ backlinks: object[] }>(page, /\/backlinks\?/, ({ backlinks, ...rest }) => ({
    ...rest,
    backlinks: backlinks.map((backlink) => ({ ...backlink, domainId: null })),
  }));
  await page.reload();
  await expect(page.getByRole('dialog').getByText('No longer listed').first()).toBeVisible();
  await expect(showEvidence).toHaveCount(0);
  await page.unrouteAll();

  await page.route(`**/api/reports/${reportId}`, serverError);
  await page.reload();
  await expectTexts(page, 'report not loaded');
  const empty = { totalBacklinks: 0, lostBacklinks: 0, uniqueDomains: 0, toxicDomains: 0, reportData: '[]' };
  await page.unrouteAll();
  await changeResponse(page, `**/api/reports/${reportId}`, (report) => ({ ...report, ...empty }));
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await expectTexts(page, 'report without data');
  await page.goto(path(999_999));
  await expectTexts(page, 'report not found');
});

test('the dialog of a report keeps its state in the URL, and closing it returns to the list', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 5);
  await signInAsNewUser(page);
  const { websiteId, reportId } = await createReport(page, names);
  const report = page.getByRole('dialog', { name: 'Report Details' });
  await page.goto('/account');
  await page.goto(`/risk-assessment?tab=reports&profile=${websiteId}`);
  await page
    .getByRole('list', { name: /^Reports of/ })
    .getByRole('link')
    .first()
    .click();
  await expect(report).toBeVisible();
  await report.getByRole('button', { name: 'Close' }).click();
  await expect(report).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);

  // An old link says `risk`.
  await page.goto(`/risk-assessment?tab=reports&profile=${websiteId}&report=${reportId}&risk=high`);
  await expect(report.getByLabel('Risk level')).toHaveValue('high');
  await report.getByLabel('Risk level').selectOption('low');
  await expect(page).toHaveURL(/riskLevel=low/);
  await page.reload();
  await expect(report.getByLabel('Risk level')).toHaveValue('low');
  await page.goBack();
  await expect(report.getByLabel('Risk level')).toHaveValue('high');
  await page.keyboard.press('Escape');
  await expect(report).toBeHidden();
  await expect(page).toHaveURL(/profile=\d+$/);

  await page.goto(`/risk-assessment?tab=reports&profile=${websiteId}&report=${reportId}&riskLevel=low`);
  await report.getByRole('tab', { name: 'Overview' }).click();
  await report.getByRole('link', { name: /^Low/ }).click();
  await expect(page).toHaveURL(new RegExp(`/reports/${reportId}\\?riskLevel=low`));
});
