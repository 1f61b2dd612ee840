import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { differentAddress, signInAsNewUser, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { buildCsvFile, chooseFile } from './files.ts';
import { importCsv, oncePerWorker } from './sample-data.ts';
import { test } from './test.ts';

const field = (page: Page) => page.getByLabel('Domains or URLs');
const title = (page: Page) => page.getByRole('heading', { level: 2, name: /entr(y|ies): / });
const rows = (page: Page) => page.getByRole('table', { name: 'Results' }).getByRole('row');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
/** Lists two domains, one of them with a price and a very high risk. @returns the word that their names start with */
const importDomains = oncePerWorker(async (page) => {
  const word = uniqueName('offer');
  await importCsv(
    page,
    [
      'domain,source,riskLevel,price',
      `${word}-one.example,a market,very high,$35–$60`,
      `${word}-two.example,a shop,low,`,
    ].join('\n'),
  );
  return word;
});

/** Each test comes from its own address, because a visitor can check only a few lists per hour. */
test.beforeEach(({ page }) => page.setExtraHTTPHeaders(differentAddress()));

async function pasteList(page: Page, word: string): Promise<void> {
  const lines = [
    '# offers of a seller',
    `https://www.${word}-one.example/write-for-us, $120`,
    `shop.${word}-two.example\t40 EUR`,
    `${word}-clean.example $20.50`,
    `${word}-one.example`,
    'not a domain',
  ];
  await field(page).fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Check list' }).click();
  await expect(title(page)).toHaveText('4 entries: 2 listed, 1 not listed, 1 invalid');
}

test('a visitor pastes a list with prices and sees verdicts, evidence and known offers', async ({ page }) => {
  const word = await importDomains(page);
  await openReady(page, '/');
  await page.getByRole('link', { name: 'Check a whole list' }).click();
  await pasteList(page, word);
  await expect(title(page)).toBeFocused();

  await expect(row(page, `${word}-one`)).toContainText('Very High Risk');
  await expect(row(page, `${word}-one`)).toContainText(/1 sourceSince \w{3} \d+, \d{4}/);
  await expect(row(page, `${word}-one`)).toContainText('$120Above known offers$35–$60');
  await expect(row(page, `${word}-two`)).toContainText(`Listed through ${word}-two.example`);
  await expect(row(page, `${word}-clean`)).toContainText('Not listed');
  await expect(row(page, 'not a domain')).toContainText('This is not a domain name');
  const summary = page.getByRole('region', { name: 'Listed domains by risk' });
  await expect(summary).toContainText('Very High 1');
  await expect(summary).toContainText('Quoted for 2 domains$140.50For listed domains$12085%');
  await expect(summary).toContainText('1 repeated entry of the list was merged');
  await expect(page.getByText('Anyone with the link to this page can open this list.')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await row(page, `${word}-one`).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/domain/${word}-one.example$`));
});

test('results are filtered, sorted and exported, and survive a reload and the back button', async ({ page }) => {
  const word = await importDomains(page);
  await openReady(page, '/check');
  await pasteList(page, word);
  await page.getByRole('combobox', { name: 'Verdict' }).selectOption('listed');
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('risk');
  await page.getByRole('searchbox', { name: 'Search this list' }).fill(`${word}-ONE`);
  await expect(rows(page)).toHaveCount(2);

  await page.reload();
  await waitForReady(page);
  await expect(title(page)).toHaveText('4 entries: 2 listed, 1 not listed, 1 invalid');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Search this list' }).fill('nothing like this');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(5);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.goForward();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toContain(`${word}-one.example,$120,true,${word}-one.example,very high,reported,1,1,`);
  expect(csv).toContain(`${word}-clean.example,$20.50,false,`);

  await page.getByRole('link', { name: 'Check another list' }).click();
  await expect(field(page)).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(5);
});

test('the way back from the results leads to the pasted text', async ({ page }) => {
  const word = await importDomains(page);
  await openReady(page, '/check');
  await pasteList(page, word);
  await page.goBack();
  await expect(field(page)).toHaveValue(new RegExp(`${word}-one`));
});

test('an uploaded file is checked, and a wrong one is refused with a sentence', async ({ page }) => {
  const word = await importDomains(page);
  await openReady(page, '/check');
  await field(page).fill('typed.example');
  const image = { name: 'offer.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') };
  await chooseFile(page, 'Upload a list', image);
  await expect(page.getByRole('alert')).toHaveText(
    'This is an image, not a CSV or Excel file. Choose the exported file.',
  );
  await expect(field(page)).toHaveValue('typed.example');
  const lines = ['Website,DR,Price (USD)', `${word}-one.example,40,50`, `${word}-new.example,50,80`];
  await chooseFile(page, 'Change', buildCsvFile('offers.csv', lines));
  await expect(title(page)).toHaveText('2 entries: 1 listed, 1 not listed');
  await expect(row(page, `${word}-one`)).toContainText('$50Within known offers$35–$60');
});

test('the text stays after an error and a reload, and a list of another day is not available', async ({ page }) => {
  await openReady(page, '/check');
  await page.getByRole('button', { name: 'Check list' }).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter at least one domain');
  await expect(field(page)).toBeFocused();
  await field(page).fill('one.example');
  await page.route('**/api/domain-lists', (route) =>
    route.fulfill({
      status: 429,
      json: { error: 'Without an account, you can check 10 lists per hour.', code: 'too_many_requests' },
    }),
  );
  await page.getByRole('button', { name: 'Check list' }).click();
  await expect(page.getByRole('alert')).toHaveText('Without an account, you can check 10 lists per hour.');
  await expect(page.getByRole('link', { name: 'Sign in to check more lists' })).toBeVisible();
  await page.reload();
  await expect(field(page)).toHaveValue('one.example');

  await openReady(page, '/check?list=00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'This list is not available' })).toBeVisible();
});

test("a signed-in user sees the evidence, and nobody else opens the user's list", async ({
  page,
  browser,
  baseURL,
}) => {
  const word = await importDomains(page);
  await signInAsNewUser(page);
  await openReady(page, '/domains?dialog=list');
  await page.getByRole('link', { name: 'check a list', exact: true }).click();
  // The dialog has a field of the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'Check a List' })).toBeVisible();
  await pasteList(page, word);
  await page.getByRole('button', { name: `Show evidence for ${word}-one.example` }).click();
  await expect(page.getByRole('list', { name: 'Listings' })).toContainText('Price: $35–$60');
  await expect(page.getByText('Only you can open this list.')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const other = await browser.newPage({ ...(baseURL && { baseURL }) });
  await openReady(other, new URL(page.url()).pathname + new URL(page.url()).search);
  await expect(other.getByRole('heading', { name: 'This list is not available' })).toBeVisible();
  await other.close();
});

test('a signed-in user finds the checked lists below the form, opens one and deletes it', async ({ page }) => {
  const word = await importDomains(page);
  await signInAsNewUser(page);
  await openReady(page, '/check');
  await expect(page.getByRole('heading', { name: 'Your lists' })).toHaveCount(0);
  await pasteList(page, word);
  await page.getByRole('link', { name: 'Check another list' }).click();
  const lists = page.getByRole('table', { name: 'Your lists' });
  const cells = lists.getByRole('row').nth(1).getByRole('cell');
  await expect(cells.nth(1)).toHaveText('4');
  await expect(cells.nth(2)).toHaveText('2');
  expect(await findViolations(page)).toEqual([]);
  await cells.first().getByRole('link').click();
  await expect(title(page)).toHaveText('4 entries: 2 listed, 1 not listed, 1 invalid');
  await page.goBack();
  await page.getByRole('button', { name: /^Delete list of \w+ \d+, \d{4}/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click();
  await expect(lists).toHaveCount(0);
});
