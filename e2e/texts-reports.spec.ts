import { expect, type Page, test } from '@playwright/test';
import { chooseFile, fileOf, join, unique } from './person.ts';
import { addProfile, importSample, reportSample } from './sample-data.ts';
import { broken, sees, unreachable } from './sees.ts';

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
  await sees(page, 'risk analyzer');
  await page.goto('/risk-assessment?tab=reports');
  await sees(page, 'no websites');
  await openDialog(page);
  await sees(page, 'analyze dialog');
  await analyze(page, 'https://');
  await sees(page, 'analyze dialog, no domain');
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await sees(page, 'profile made');
  await sees(page, 'analysis done');
  await sees(page, 'report, nothing harmful');
});

test('an analysis that does not start', async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage();
  await join(other);
  const { domain } = await addProfile(other);
  await join(page);
  await openDialog(page);
  await analyze(page, domain);
  await sees(page, 'profile exists');
  await page.route('**/api/profiles', (route) =>
    route.request().method() === 'POST' ? broken(route) : route.continue(),
  );
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await sees(page, 'profile not made');
  await page.unrouteAll();
  await page.route('**/api/backlinks/analyze', broken);
  await openDialog(page);
  await analyze(page, `${unique('shop')}.example`);
  await sees(page, 'analysis fails');
});

test('websites and their deletion', async ({ page }) => {
  await join(page);
  const { id, domain } = await addProfile(page);
  await page.goto(`/risk-assessment?tab=reports&profile=${id}`);
  await sees(page, 'website card');
  const remove = async () => {
    await page.getByRole('button', { name: `Delete Profile ${domain}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' }).click();
  };
  await page.route('**/api/profiles/*', broken);
  await remove();
  await sees(page, 'profile not deleted');
  await page.unrouteAll();
  await page.reload();
  await page.route('**/api/profiles/*', unreachable);
  await remove();
  await sees(page, 'profile deletion does not arrive');
  await page.unrouteAll();
  await page.reload();
  await remove();
  await sees(page, 'profile deleted');
});

test('a report and its exports', async ({ page }) => {
  const names = await importSample(page, 5);
  await join(page);
  const { profileId, reportId } = await reportSample(page, names);
  const report = `/risk-assessment?tab=reports&profile=${profileId}&report=${reportId}`;
  await page.goto(report);
  await sees(page, 'report details');
  const exportCsv = page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true });
  await exportCsv.click();
  await sees(page, 'harmful links exported');
  await page.route('**/export-harmful-backlinks*', broken);
  await exportCsv.click();
  await sees(page, 'export fails');
  await page.goto(`/risk-assessment?tab=reports&profile=${profileId}&report=999999`);
  await sees(page, 'report gone');
  await page.route(`**/api/reports/${reportId}`, broken);
  await page.goto(report);
  await sees(page, 'report not loaded');
  await expect(page.getByRole('button', { name: 'Retry' }).first()).toBeVisible();
});
