import { expect, type Page, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { chooseFile, fileOf, join, unique } from './person.ts';
import { broken, changeAnswer, hold, only, unreachable } from './routes.ts';
import { addProfile, importSample, reportSample } from './sample-data.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Analyze Backlinks' });

test('an analysis that finds nothing; a refused start shows its reason, and the choices stay', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext()).newPage();
  await join(other);
  const taken = await addProfile(other);
  await join(page);
  await page.goto('/risk-assessment?tab=reports');
  await expectTexts(page, 'no websites');
  await page.getByRole('tab', { name: 'Risk Analyzer' }).click();
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await expectTexts(page, 'analyze dialog');
  await expectTexts(page, 'analyze dialog, what to enter');
  const start = dialog(page).getByRole('button', { name: 'Analyze', exact: true });
  const website = dialog(page).getByLabel('Website domain');
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await chooseFile(page, 'Choose a backlink export', { name: 'links.csv', mimeType: 'text/csv', buffer: picture });
  await website.fill('https://');
  await start.click();
  await expectTexts(page, 'analyze dialog, no domain');
  await website.fill(taken.domain);
  await start.click();
  await expectTexts(page, 'profile exists');
  await page.route('**/api/profiles', only('POST', broken));
  const own = `${unique('shop')}.example`;
  await website.fill(own);
  await start.click();
  await expectTexts(page, 'profile not made');
  await page.unrouteAll();

  const send = await hold(page, '**/api/backlinks/analyze');
  await start.click();
  await expectTexts(page, 'profile made');
  send();
  await expect(dialog(page).getByRole('alert')).toContainText('This is an image, not a CSV file.');
  await expect(dialog(page).getByRole('combobox', { name: 'Website' })).toHaveValue(own);
  await dialog(page).getByRole('button', { name: 'Remove links.csv' }).click();
  const lines = ['source_url,target_url', `https://clean.example/,https://${own}/`];
  await chooseFile(page, 'Choose a backlink export', fileOf('links.csv', lines));
  await page.route('**/api/backlinks/analyze', broken);
  // The picture's refusal may still be on the screen, in the same words.
  await Promise.all([page.waitForResponse('**/api/backlinks/analyze'), start.click()]);
  await expectTexts(page, 'analysis fails');
  await page.unrouteAll();
  await start.click();
  await expectTexts(page, 'analysis done');
  await expectTexts(page, 'report, nothing harmful');
});

test('a website is deleted; a refused or lost deletion shows an error', async ({ page }) => {
  await join(page);
  const { id, domain } = await addProfile(page);
  await page.goto(`/risk-assessment?tab=reports&profile=${id}`);
  await expectTexts(page, 'website card');
  await page.getByRole('button', { name: `Delete Profile ${domain}` }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' });
  await page.route('**/api/profiles/*', broken);
  await confirm.click();
  await expectTexts(page, 'profile not deleted');
  await page.route('**/api/profiles/*', unreachable);
  await confirm.click();
  await expectTexts(page, 'profile deletion does not arrive');
  await page.unrouteAll();
  await confirm.click();
  await expectTexts(page, 'profile deleted');
});

test('a report is exported; one that fails, is empty or is gone says so', async ({ page }) => {
  const names = await importSample(page, 5);
  await join(page);
  const { profileId, reportId } = await reportSample(page, names);
  const path = (report: number) => `/risk-assessment?tab=reports&profile=${profileId}&report=${report}`;
  await page.goto(path(reportId));
  const exportCsv = page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true });
  await exportCsv.click();
  await expectTexts(page, 'harmful links exported');
  await page.route('**/export-harmful-backlinks*', broken);
  await exportCsv.click();
  await expectTexts(page, 'export fails');

  await page.route(`**/api/reports/${reportId}`, broken);
  await page.reload();
  await expectTexts(page, 'report not loaded');
  const empty = { totalBacklinks: 0, uniqueDomains: 0, toxicDomains: 0, reportData: '[]' };
  await page.unrouteAll();
  await changeAnswer(page, `**/api/reports/${reportId}`, (report) => ({ ...report, ...empty }));
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await expectTexts(page, 'report without data');
  await page.goto(path(999_999));
  await expectTexts(page, 'report gone');
});
