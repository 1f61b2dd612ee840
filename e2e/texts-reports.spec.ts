import { expect, type Page, test } from '@playwright/test';
import { broken, expectTexts, unreachable } from './expect-texts.ts';
import { chooseFile, fileOf, join, unique } from './person.ts';
import { addProfile, importSample, reportSample } from './sample-data.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Analyze Backlinks' });

async function openDialog(page: Page): Promise<void> {
  await page.goto('/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
}

/** Fills in the dialog of a new website and starts. */
async function analyze(page: Page, domain: string): Promise<void> {
  await dialog(page).getByLabel('Website domain').fill(domain);
  const lines = ['source_url,target_url', `https://clean.example/,https://${domain}/`];
  await chooseFile(page, 'Choose a backlink export', fileOf('links.csv', lines));
  await dialog(page).getByRole('button', { name: 'Analyze', exact: true }).click();
}

test('the analyzer', async ({ page }) => {
  await join(page);
  await page.goto('/risk-assessment');
  await expectTexts(page, 'risk analyzer');
  await page.goto('/risk-assessment?tab=reports');
  await expectTexts(page, 'no websites');
  await openDialog(page);
  await expectTexts(page, 'analyze dialog');
  await analyze(page, 'https://');
  await expectTexts(page, 'analyze dialog, no domain');
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await expectTexts(page, 'profile made');
  await expectTexts(page, 'analysis done');
  await expectTexts(page, 'report, nothing harmful');
});

test('an analysis that does not start', async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await join(other);
  const { domain } = await addProfile(other);
  await join(page);
  await openDialog(page);
  await analyze(page, domain);
  await expectTexts(page, 'profile exists');
  await page.route('**/api/profiles', (route) =>
    route.request().method() === 'POST' ? broken(route) : route.continue(),
  );
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await expectTexts(page, 'profile not made');
  await page.unrouteAll();
  await page.route('**/api/backlinks/analyze', broken);
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await expectTexts(page, 'analysis fails');
});

test('websites and their deletion', async ({ page }) => {
  await join(page);
  const { id, domain } = await addProfile(page);
  await page.goto(`/risk-assessment?tab=reports&profile=${id}`);
  await expectTexts(page, 'website card');
  const remove = async () => {
    await page.getByRole('button', { name: `Delete Profile ${domain}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' }).click();
  };
  await page.route('**/api/profiles/*', broken);
  await remove();
  await expectTexts(page, 'profile not deleted');
  await page.unrouteAll();
  await page.reload();
  await page.route('**/api/profiles/*', unreachable);
  await remove();
  await expectTexts(page, 'profile deletion does not arrive');
  await page.unrouteAll();
  await page.reload();
  await remove();
  await expectTexts(page, 'profile deleted');
});

test('a report and its exports', async ({ page }) => {
  const names = await importSample(page, 5);
  await join(page);
  const { profileId, reportId } = await reportSample(page, names);
  const report = `/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`;
  await page.goto(report);
  await expectTexts(page, 'report details');
  const exportCsv = page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true });
  await exportCsv.click();
  await expectTexts(page, 'harmful links exported');
  await page.route('**/export-harmful-backlinks*', broken);
  await exportCsv.click();
  await expectTexts(page, 'export fails');
  await page.goto(`/risk-assessment?tab=reports&profile=${profileId}&report=999999`);
  await expectTexts(page, 'report gone');
  await page.route(`**/api/reports/${reportId}`, broken);
  await page.goto(report);
  await expectTexts(page, 'report not loaded');
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
});
