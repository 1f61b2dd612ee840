import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { admin, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { hideRunningImports } from './mock-responses.ts';
import { decisionOf } from './report-page.ts';
import { test } from './test.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('an admin imports a blacklist; a user searches it, analyzes an export and downloads a disavow file', async ({
  browser,
  page,
}) => {
  const word = uniqueName('seller');
  const [listed, otherListed, clean] = [`${word}.example`, `${word}-two.test`, `${uniqueName('clean')}.example`];
  const own = `${uniqueName('shop')}.example`;

  const adminPage = await (await browser.newContext()).newPage();
  await signInAs(adminPage, admin);
  await hideRunningImports(adminPage);
  await adminPage.goto('/domains');
  await adminPage.getByRole('button', { name: 'Import CSV' }).first().click();
  await chooseFile(
    adminPage,
    'Choose a CSV file',
    buildCsvFile('list.csv', [
      'domain,source,niche',
      `https://www.${listed}/,"fiverr, blackhatworld",Health`,
      `${otherListed},crawler,Travel`,
      'localhost,crawler,',
    ]),
  );
  await adminPage.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(toastOf(adminPage)).toContainText('Import successful');

  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await page.getByRole('searchbox').fill(word);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('Showing 1 to 2 of 2 results')).toBeVisible();
  await expect(page.getByRole('row', { name: new RegExp(`${listed}.*Medium Risk`) })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`search=${word}`));

  await page.getByRole('link', { name: 'Risk Assessment' }).first().click();
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await page.getByLabel('Website domain').fill(own);
  await chooseFile(
    page,
    'Choose backlink exports',
    buildCsvFile('semrush.csv', [
      'Page ascore,Source title,Source url,Target url,Anchor',
      `12,"A ""paid"" post",https://blog.${listed}/post-1,https://${own}/,buy`,
      `12,Another,https://${listed}/post-2,https://${own}/a,here`,
      `40,"Two\r\nlines",https://${clean}/news,https://${own}/,${own}`,
      `40,Ours,https://${own}/self,https://${own}/,home`,
      '9,Broken,not a url at all,,',
    ]),
  );
  await page.getByRole('button', { name: 'Analyze', exact: true }).click();

  await expect(toastOf(page)).toContainText('Analysis Complete');
  await expect(page.getByText('Semrush').first()).toBeVisible();
  await expect(page.getByText('1 of 2 referring domains is toxic.')).toBeVisible();
  const rows = page.getByRole('row').filter({ hasText: listed });
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/Listed since .*, now by 2 sources/);

  await page.reload();
  await expect(rows).toHaveCount(2);

  await page.getByRole('link', { name: 'Review domains' }).click();
  await decisionOf(page, listed, 'Disavow').click();
  await expect(page.getByText('1 of 1 domain reviewed')).toBeVisible();
  await page.getByRole('link', { name: 'Build disavow file' }).click();
  await page.getByRole('button', { name: 'I have no disavow file yet' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download merged file' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([`domain:${listed}`]);
});

test('a hidden analysis shows a toast when it completes', async ({ page }) => {
  // Real analyses finish at once, so the mocked responses keep this one running.
  let isRunning = true;
  const fields = {
    analysisId: '0b6f1a52-6d0c-4a4e-9d0e-2f9f0a3c7d11',
    message: 'Reading the file',
    fileName: 'links.csv',
  };
  let running = {};
  let complete = {};
  await page.route('**/api/backlinks/analyze', async (route) => {
    const response = await route.fetch();
    let result = await response.json();
    if (response.status() === 202) {
      const path = `/api/backlinks/analyses/${result.analysisId}`;
      const readResult = async () => (result = (await (await page.request.get(path)).json()).result);
      await expect.poll(readResult).toBeTruthy();
    }
    const analysis = { ...fields, profileId: result.profileId };
    running = { ...analysis, status: 'processing', progress: 40, result: null };
    complete = { ...analysis, status: 'completed', progress: 100, result };
    await route.fulfill({ status: 202, json: running });
  });
  await page.route('**/api/backlinks/analyses/*', (route) => route.fulfill({ json: isRunning ? running : complete }));

  const username = await signInAsNewUser(page);
  await page.goto('/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await page.getByLabel('Website domain').fill(`${username}.example`);
  await chooseFile(page, 'Choose backlink exports', buildCsvFile('links.csv', ['url', 'https://clean.example/']));
  await page.route('**/api/backlinks/analyses', (route) => route.fulfill({ json: isRunning ? [running] : [] }));
  await page.getByRole('button', { name: 'Analyze', exact: true }).click();
  await page.getByRole('button', { name: 'Hide' }).click();
  const runningList = page.getByRole('region', { name: 'Running analyses' });
  await expect(runningList).toContainText('links.csv');
  isRunning = false;
  await expect(toastOf(page)).toContainText('links.csv: No referring domains are on the blacklist.');
  await expect(runningList).toHaveCount(0);
});
