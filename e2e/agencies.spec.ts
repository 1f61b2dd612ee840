import { expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { post, sameOriginHeaders, signInAsNewUser, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { holdRequests } from './mock-responses.ts';
import { createNextReport, createWebsite, getSampleDomains } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Upload several sites' });
const fileRow = (page: Page, name: string) =>
  dialog(page).getByRole('list', { name: 'Files' }).getByRole('listitem').filter({ hasText: name });
const upload = (page: Page, domain: string) =>
  dialog(page).getByRole('list', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: domain });
const table = (page: Page) => page.getByRole('table', { name: 'Websites' });
/** The domains of the listed websites, in order. */
const listed = (page: Page) => table(page).locator('tbody td[data-on-card="title"] a').allTextContents();

const buildAhrefs = (file: string, target: string, names: readonly string[]) =>
  buildCsvFile(file, [
    'Referring page URL,Target URL,Anchor',
    ...names.map((name) => `https://${name}/page,https://${target}/,a link`),
  ]);

test('the exports of several websites are assigned by their targets and analyzed at once', async ({
  page,
  browser,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 4);
  const other = await (await browser.newContext()).newPage();
  await signInAsNewUser(other);
  const taken = await createWebsite(other);
  await signInAsNewUser(page);
  const known = await createWebsite(page);
  const byHand = await createWebsite(page);
  const fresh = `${uniqueName('fresh')}.example`;
  await page.goto('/risk-assessment');
  await page.getByRole('button', { name: 'Upload several sites' }).click();
  await chooseFile(page, 'Choose backlink exports', [
    buildAhrefs('one.csv', `www.${known.domain}`, names.slice(0, 2)),
    buildAhrefs('two.csv', `blog.${known.domain}`, names.slice(2, 3)),
    buildAhrefs('three.csv', fresh, names),
    buildAhrefs('four.csv', taken.domain, names),
    buildCsvFile('five.csv', ['Linking page,Last crawled', `https://${names[3]}/,2026-11-01`]),
    buildCsvFile('own-pages.csv', ['Target page,Incoming links', `https://${fresh}/,12`]),
  ]);
  const website = (file: string) => dialog(page).getByRole('combobox', { name: `Website for ${file}` });
  await expect(website('one.csv')).toHaveValue(known.domain);
  await expect(website('two.csv')).toHaveValue(known.domain);
  await expect(website('three.csv')).toHaveValue('New website');
  await expect(dialog(page).getByLabel('Domain of the new website for three.csv')).toHaveValue(fresh);
  await expect(fileRow(page, 'one.csv')).toContainText(`Ahrefs, Backlinks · 2 links to ${known.domain}`);
  await expect(fileRow(page, 'own-pages.csv')).toContainText('Not uploaded');

  // A file without a target column is assigned by hand.
  await expect(dialog(page).getByText('Choose a website for 1 file.')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Analyze' })).toBeDisabled();
  await website('five.csv').click();
  await page.getByRole('option', { name: byHand.domain }).click();
  await expect(dialog(page).getByText('5 files for 4 websites, 2 of them new.')).toBeVisible();

  expect(await findViolations(page)).toEqual([]);

  // The files wait in the browser, so the dialog stays open.
  const release = await holdRequests(page, '**/api/backlinks/analyze');
  await dialog(page).getByRole('button', { name: 'Analyze 4 websites' }).click();
  await expect(upload(page, byHand.domain)).toContainText('Waiting');
  await expect(dialog(page).getByText('Keep this page open until all files are uploaded.')).toBeVisible();
  await expect(dialog(page).getByText('0 of 4 done')).toBeVisible();
  await expect(upload(page, known.domain)).toContainText('(2 files)');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeVisible();
  release();
  await expect(dialog(page).getByText('3 of 4 reports are ready.')).toBeVisible();
  const report = (domain: string) =>
    dialog(page).getByRole('table', { name: 'Reports' }).getByRole('row').filter({ hasText: domain });
  for (const [domain, toxic] of [
    [known.domain, 3],
    [fresh, 4],
    [byHand.domain, 1],
  ] as const) {
    await expect(report(domain).getByRole('cell').nth(1)).toHaveText(String(toxic));
    await expect(report(domain).getByRole('link')).toHaveAttribute('href', /^\/reports\/\d+$/);
  }
  await expect(report(taken.domain)).toContainText('This domain already exists in the system.');
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await page.getByRole('tab', { name: 'Previous Reports' }).click();
  await expect(page.getByRole('list', { name: `Reports of ${fresh}` }).getByRole('listitem')).toHaveCount(1);
});

test('websites are searched, tagged and sorted, and a decision reduces what is left to review', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 8);
  await signInAsNewUser(page);
  const sites = [];
  for (let i = 0; i < 6; i += 1) sites.push(await createWebsite(page));
  const [first, second, third] = sites as [(typeof sites)[0], (typeof sites)[0], (typeof sites)[0]];
  await createNextReport(page, first.id, names.slice(0, 2));
  await createNextReport(page, first.id, names.slice(0, 5));
  await createNextReport(page, second.id, names);
  await page.goto('/risk-assessment?tab=reports');
  await expect(table(page)).toBeVisible();
  await expect(page.getByText('6 websites, 13 domains to review')).toBeVisible();
  expect((await listed(page)).slice(0, 2)).toEqual([second.domain, first.domain]);
  const row = (domain: string) => table(page).getByRole('row').filter({ hasText: domain });
  await expect(row(first.domain)).toContainText('7.7%');
  await expect(row(first.domain).getByRole('cell').nth(4)).toHaveText('3');
  await expect(row(first.domain).getByRole('link', { name: '5 of 5 to review' })).toBeVisible();

  // Tags.
  await row(third.domain)
    .getByRole('button', { name: `More actions for ${third.domain}` })
    .click();
  await page.getByRole('menuitem', { name: 'Edit tags' }).click();
  const tags = page.getByRole('dialog', { name: `Tags of ${third.domain}` });
  await tags.getByRole('combobox', { name: 'Tags' }).fill('Client A');
  await page.keyboard.press('Enter');
  await tags.getByRole('combobox', { name: 'Tags' }).fill('shop');
  await tags.getByRole('button', { name: 'Save' }).click();
  await expect(tags).toBeHidden();
  await expect(row(third.domain).getByRole('list', { name: 'Tags' })).toContainText('Client A');
  await row(third.domain).getByRole('button', { name: 'shop' }).click();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/tag=shop/);
  await page.reload();
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('All tags');
  await page.getByRole('searchbox', { name: 'Search name or tag' }).fill('client');
  await page.keyboard.press('Enter');
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Search name or tag' }).fill('');
  await page.keyboard.press('Enter');
  await expect(table(page).getByRole('row')).toHaveCount(7);

  expect(await findViolations(page)).toEqual([]);

  // Orders.
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Added, newest first');
  await expect.poll(() => listed(page)).toEqual(sites.map(({ domain }) => domain).toReversed());
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z');
  await expect.poll(() => listed(page)).toEqual(sites.map(({ domain }) => domain).sort());
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('To review, most first');
  await expect.poll(async () => (await listed(page))[0]).toBe(second.domain);

  const decided = await page.request.put(`/api/profiles/${second.id}/decisions`, {
    data: { domains: names.slice(0, 6), decision: 'disavow' },
    headers: sameOriginHeaders,
  });
  expect(decided.ok()).toBe(true);
  await page.reload();
  await expect(row(second.domain).getByRole('link', { name: '2 of 8 to review' })).toBeVisible();
  await expect.poll(async () => (await listed(page))[0]).toBe(first.domain);

  // All reports of a website, and back to the list as it was.
  await table(page).getByRole('link', { name: first.domain, exact: true }).click();
  await expect(page.getByRole('list', { name: `Reports of ${first.domain}` }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('link', { name: 'All websites' }).click();
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('reviews');
  await row(third.domain)
    .getByRole('button', { name: `More actions for ${third.domain}` })
    .click();
  await page.getByRole('menuitem', { name: 'Delete Profile' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' }).click();
  await expect(table(page).getByRole('row')).toHaveCount(6);
});

test('uploads wait while five analyses are unfinished', async ({ page }) => {
  await signInAsNewUser(page);
  const word = uniqueName('queue');
  const sites = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `${word}-${letter}.example`);
  await page.goto('/risk-assessment?tab=reports');
  // Each of these files leaves a question, so its analysis waits for the user.
  const lines = ['uno,due', 'https://a.example/,https://b.example/', 'https://c.example/,https://d.example/'];
  for (const domain of sites) await post(page.request, '/api/profiles', { domain });
  await page.reload();
  await page.getByRole('button', { name: 'Upload several sites' }).click();
  await chooseFile(
    page,
    'Choose backlink exports',
    sites.map((domain) => buildCsvFile(`${domain}.csv`, lines)),
  );
  await dialog(page).getByRole('button', { name: 'Analyze 6 websites' }).click();
  const answer = dialog(page).getByRole('button', { name: 'Answer' });
  await expect(answer).toHaveCount(5);
  await expect(upload(page, sites[5] ?? '')).toContainText('Waiting');
  await dialog(page)
    .getByRole('button', { name: `Cancel analysis of ${sites[0]}` })
    .click();
  await expect(upload(page, sites[0] ?? '')).toContainText('Canceled');
  await expect(answer).toHaveCount(5);
  await upload(page, sites[5] ?? '')
    .getByRole('button', { name: 'Answer' })
    .click();
  const question = page.getByRole('dialog', { name: 'Analyze Backlinks' });
  await question.getByLabel('due').check();
  await question.getByRole('button', { name: 'Analyze', exact: true }).click();
  await expect(upload(page, sites[5] ?? '')).toContainText('0 toxic domains');
  await expect(dialog(page).getByText('2 of 6 done')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(
    page.getByRole('region', { name: 'Running analyses' }).getByRole('button', { name: 'Answer' }),
  ).toHaveCount(4);
});

test('the start of a user says what is new, takes dropped exports, and tags several websites at once', async ({
  page,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 6);
  await signInAsNewUser(page);
  await openReady(page, '/risk-assessment');
  await expect(page.getByRole('heading', { name: 'Find paid links that point to your website' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'look at a sample report' })).toBeVisible();
  const first = await createWebsite(page);
  const second = await createWebsite(page);
  await createNextReport(page, first.id, names);

  for (const path of ['/', '/risk-assessment']) {
    await openReady(page, path);
    const news = page.getByRole('region', { name: 'What is new' });
    await expect(news).toContainText(`6 in ${first.domain}`);
    await expect(news).toContainText('No link has turned bad');
  }
  await page.getByRole('link', { name: `6 in ${first.domain}` }).click();
  await expect(page).toHaveURL(/\/reports\/\d+\?decision=undecided/);

  await openReady(page, '/risk-assessment');
  const row = (domain: string) => table(page).getByRole('row').filter({ hasText: domain });
  for (const { domain } of [first, second]) await page.getByRole('checkbox', { name: `Select ${domain}` }).check();
  await page.getByRole('button', { name: 'Edit tags', exact: true }).click();
  const tags = page.getByRole('dialog', { name: 'Tags of 2 websites' });
  await tags.getByRole('combobox', { name: 'Tags' }).fill('Client B');
  await tags.getByRole('button', { name: 'Save' }).click();
  await expect(tags).toBeHidden();
  for (const { domain } of [first, second]) await expect(row(domain)).toContainText('Client B');

  const fresh = `${uniqueName('dropped')}.example`;
  const { name, mimeType, buffer } = buildAhrefs('dropped.csv', fresh, names);
  const dropped = await page.evaluateHandle(
    ([file, type, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], file, { type }));
      return data;
    },
    [name, mimeType, buffer.toString()] as const,
  );
  const panel = page.getByRole('region', { name: 'Upload backlink exports' });
  await panel.dispatchEvent('dragover', { dataTransfer: dropped });
  await panel.dispatchEvent('drop', { dataTransfer: dropped });
  await expect(dialog(page).getByLabel('Domain of the new website for dropped.csv')).toHaveValue(fresh);
  await dialog(page).getByRole('button', { name: 'Analyze 1 website' }).click();
  await expect(dialog(page).getByText('The report is ready.')).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeFocused();
});
