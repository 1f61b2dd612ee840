import { expect, type Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { signInAsNewUser, uniqueName } from './accounts.ts';
import { startBreakingProxy } from './breaking-proxy.ts';
import { buildCsvFile, chooseFile, type UploadFile } from './files.ts';
import { getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Analyze Backlinks' });
const analyze = (page: Page) => dialog(page).getByRole('button', { name: 'Analyze', exact: true }).click();
const details = (page: Page) => page.getByRole('region', { name: /^How your files? w(as|ere) read$/ });

function buildZip(name: string, tables: Record<string, readonly string[]>): UploadFile {
  const entries = Object.entries(tables).map(([table, lines]) => [table, strToU8(`${lines.join('\n')}\n`)]);
  return { name, mimeType: 'application/zip', buffer: Buffer.from(zipSync(Object.fromEntries(entries))) };
}

/** Signs in as a new user and chooses files for a new website. @returns the domain of the website */
async function chooseExports(page: Page, build: (own: string) => UploadFile[]): Promise<string> {
  const own = `${uniqueName('shop')}.example`;
  await signInAsNewUser(page);
  await page.goto('/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await page.getByLabel('Website domain').fill(own);
  await chooseFile(page, 'Choose backlink exports', build(own));
  return own;
}

test('an archive and a file are analyzed together, and lost links are included', async ({ page }) => {
  const [low = '', medium = '', high = '', veryHigh = ''] = await getSampleDomains(page);
  const clean = Array.from({ length: 30 }, (_, i) => `https://clean-${i}.example/`);
  await chooseExports(page, (own) => [
    buildZip('search-console.zip', {
      'Latest links.csv': ['Linking page,Last crawled', ...clean.map((link) => `${link},2026-11-01`)],
      'Top linked pages.csv': ['Target page,Incoming links', `https://${own}/,12`],
    }),
    buildCsvFile('twice.csv', ['url', 'https://chosen-by-mistake.example/']),
    buildCsvFile('ahrefs.csv', [
      'Referring page URL,Target URL,Nofollow,Lost',
      `https://www.${low}/offer,https://${own}/,true,`,
      `https://${medium}/,https://${own}/,false,`,
      `https://${veryHigh}/,https://${own}/a,false,`,
      `https://${high}/gone,https://${own}/,false,2026-10-05 08:00:00`,
      `${clean[0]},https://${own}/,false,`,
      `https://198.51.100.7/,https://${own}/,false,`,
    ]),
  ]);
  await dialog(page).getByRole('button', { name: 'Remove twice.csv' }).click();
  await analyze(page);

  await expect(page.getByText('9.1% of referring domains are toxic')).toBeVisible();
  await expect(details(page)).toContainText('search-console.zip: Latest links.csv');
  await expect(details(page)).toContainText('search-console.zip: Top linked pages.csv: ');
  await expect(details(page)).toContainText('4, and 1 that is in another file');
  await expect(details(page)).toContainText('1 row with an IP address instead of a domain (line 7)');

  const rows = page.getByRole('row').filter({ hasText: 'Listed since' });
  await expect(rows).toHaveCount(3);
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByText('1 nofollow')).toBeVisible();
  await expect(page.getByText('1 lost link is left out.')).toBeVisible();
  await page.getByLabel('Include lost links').check();
  await expect(page.getByText('11.8% of referring domains are toxic')).toBeVisible();
  await page.getByRole('tab', { name: 'Links' }).click();
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: high })).toContainText('Lost');
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Include lost links' })).toBeChecked();
});

test('an upload with questions waits for the answers, through a reload', async ({ page }) => {
  const own = await chooseExports(page, () => [
    buildCsvFile('columns.csv', [
      'uno,due',
      'https://a.example/,https://b.example/',
      'https://c.example/,https://d.example/',
    ]),
    buildCsvFile('elsewhere.csv', ['Source URL,Target URL', 'https://e.example/,https://www.caldea.example/']),
  ]);
  await analyze(page);
  const question = 'Which column of columns.csv contains the pages that link to you?';
  await expect(dialog(page).getByText(question)).toBeVisible();
  await page.reload();
  await expect(dialog(page).getByRole('cell', { name: 'https://c.example/' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByRole('region', { name: 'Running analyses' })).toContainText(question);
  await page.getByRole('button', { name: 'Answer' }).click();
  await dialog(page).getByLabel('due').check();
  await analyze(page);
  await expect(
    dialog(page).getByText(`This export is for caldea.example. Analyze it for ${own} anyway?`),
  ).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Analyze anyway' }).click();
  await expect(details(page)).toContainText('column 2 (“due”)');
  await expect(details(page)).toContainText(
    'The first links in this file point to caldea.example, not to your website.',
  );
  await expect(page.getByText('With fewer than 20 domains, a percentage would mislead.')).toBeVisible();
});

test('links to other sites are skipped with a count, and an export without links to the website asks first', async ({
  page,
}) => {
  const own = await chooseExports(page, (own) => [
    buildCsvFile('clients.csv', [
      'Source URL,Target URL',
      `https://a.example/,https://${own}/`,
      'https://b.example/,https://client.example/',
      'https://c.example/,https://client.example/',
      '',
      'Domain,DR',
      'd.example,5',
    ]),
    buildCsvFile('old.csv', [
      'Source URL,Target URL',
      'https://e.example/,https://old.example/',
      'https://f.example/,https://older.example/',
    ]),
  ]);
  await analyze(page);
  const question = `This export is for old.example and 1 other site. Analyze it for ${own} anyway?`;
  await expect(dialog(page).getByText(question)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Analyze anyway' }).click();
  await expect(details(page)).toContainText('2 links to another site (lines 3 and 4)');
  await expect(details(page)).toContainText('clients.csv, from line 6');
  await expect(details(page)).toContainText('old.csv');
});

test('a disavow file is not analyzed, but opens in the workshop', async ({ page }) => {
  const own = await chooseExports(page, () => [
    buildCsvFile('disavow.txt', ['# old', 'domain:spam.example', 'domain:links.example']),
  ]);
  await analyze(page);
  await expect(dialog(page).getByText(`This is a disavow file. Merge it with the decisions for ${own}?`)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page).toHaveURL(/\/websites\/\d+\/disavow/);
  await expect(page.getByText('disavow.txt').first()).toBeVisible();
});

test('an analysis with a question can be canceled, and the files of the next try are still chosen', async ({
  page,
}) => {
  await chooseExports(page, () => [
    buildCsvFile('elsewhere.csv', ['Source URL,Target URL', 'https://e.example/,https://www.caldea.example/']),
  ]);
  await analyze(page);
  await dialog(page).getByRole('button', { name: 'Cancel analysis' }).click();
  await expect(page.getByRole('alert')).toContainText('elsewhere.csv was not analyzed.');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(dialog(page).getByText('elsewhere.csv')).toBeVisible();
});

/** Records the percentages of the progress bar of the page. @returns a function that returns those so far */
async function recordPercents(page: Page): Promise<() => Promise<number[]>> {
  const percents = await page.evaluateHandle(() => {
    const seen: number[] = [];
    new MutationObserver(() => {
      const value = document.querySelector('main [role="progressbar"]')?.getAttribute('aria-valuenow');
      if (value && Number(value) !== seen.at(-1)) seen.push(Number(value));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    return seen;
  });
  return () => percents.jsonValue();
}

test('an upload continues where its connection broke', async ({ page, baseURL }) => {
  const [listed = ''] = await getSampleDomains(page);
  const links = Array.from(
    { length: 120_000 },
    (_, i) => `https://site-${i % 900}.example/a-page-with-a-link/${i}.html`,
  );
  const file = buildCsvFile('export.csv', ['url', ...links, `https://${listed}/`]);
  const proxy = await startBreakingProxy(Number(new URL(baseURL ?? '').port), file.buffer.length / 2);
  try {
    const offsets: number[] = [];
    page.on('request', (request) => offsets.push(...[request.headers()['upload-offset']].filter(Boolean).map(Number)));
    const own = `${uniqueName('shop')}.example`;
    await signInAsNewUser(page);
    await page.goto(`${proxy.origin}/risk-assessment`);
    await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
    await page.getByLabel('Website domain').fill(own);
    await chooseFile(page, 'Choose backlink exports', file);
    const percents = await recordPercents(page);
    await analyze(page);
    await expect(page.getByText('The connection broke. The upload continues as soon as it is back.')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: listed })).toBeVisible({ timeout: 60_000 });
    expect(offsets.at(-1)).toBeGreaterThan(file.buffer.length / 3);
    const shown = await percents();
    expect(shown).toEqual([...shown].sort((a, b) => a - b));
    expect(shown[0]).toBeLessThan(50);
    expect(shown.at(-1)).toBeGreaterThanOrEqual(50);
  } finally {
    proxy.close();
  }
});
