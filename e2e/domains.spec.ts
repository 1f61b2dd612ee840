import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { admin, sameOriginHeaders, signInAs, signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { expectTexts } from './expect-texts.ts';
import { buildCsvFile, chooseFile, chooseLargeFile } from './files.ts';
import { changeResponse, hideRunningImports, onlyMethod, serverError } from './mock-responses.ts';
import { createDomains, getSampleDomains, importCsv, oncePerWorker } from './sample-data.ts';
import { test } from './test.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const refusal = (page: Page) => dialog(page).getByText('Something went wrong. Please try again.');

/** Returns the id of a domain on the blacklist. */
async function getDomainId(page: Page, name: string): Promise<number> {
  const { domains } = await (await page.request.get(`/api/domains?search=${name}`)).json();
  return domains[0].id;
}

/** Expects exactly these headings in this order. Headings without text, of checkboxes and buttons, are ignored. */
async function expectHeadings(page: Page, headings: readonly string[]): Promise<void> {
  const cells = page.getByRole('table').first().getByRole('columnheader');
  const readHeadings = async () => (await cells.allInnerTexts()).map((text) => text.trim()).filter(Boolean);
  await expect.poll(readHeadings).toEqual(headings);
}

test('a user filters the blacklist, opens a domain, copies its URL and reports it', async ({ page }) => {
  await allowClipboard(page);
  const [name = ''] = await getSampleDomains(page);
  const list = `/domains?search=${name.split('-')[0]}`;
  await signInAsNewUser(page);
  await page.goto(list);
  const headings = ['Domain', 'Risk', 'Sources', 'Confidence', 'Niche', 'DR', 'Cost', 'Date added', 'Last updated'];
  await expectHeadings(page, headings);
  await expect(page.getByRole('cell', { name: /^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await expectTexts(page, 'blacklist, advanced filters');
  await page.setViewportSize({ width: 360, height: 740 });
  await expectTexts(page, 'blacklist, phone');
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('row').getByRole('link', { name }).click();
  await expectTexts(page, 'domain details');
  await dialog(page).getByRole('button', { name: 'Copy URL' }).click();
  await expectTexts(page, 'domain details, copied');
  await dialog(page).getByRole('button', { name: 'Report incorrect information' }).click();
  await dialog(page).getByLabel('What is incorrect?').fill('It has another owner since the spring.');
  await dialog(page).getByRole('button', { name: /^Send/ }).click();
  await expectTexts(page, 'domain details, reported');
  await page.goto('/domains?search=there-is-no-such-name');
  await expectTexts(page, 'blacklist, nothing found');
});

/** Imports a domain with an offer and one from a list. @returns the word in both names */
const importEvidence = oncePerWorker(async (page) => {
  const word = uniqueName('proof');
  const rows = [
    `${word}-list.example,${word} list,list,,`,
    `${word}-offer.example,${word} market,inventory,$80,https://market.example/offers/7`,
  ];
  await importCsv(page, ['domain,source,sourceKind,price,evidenceUrl', ...rows].join('\n'));
  return word;
});

test('a user filters by confidence, reads what it means and sees the evidence', async ({ page }) => {
  const word = await importEvidence(page);
  await signInAsNewUser(page);
  await page.goto(`/domains?search=${word}`);
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await page.getByRole('combobox', { name: 'Confidence' }).click();
  await page.getByRole('option', { name: 'Confirmed' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/confidence=confirmed/);
  const tip = page.getByRole('tooltip');
  await rows.last().getByRole('button', { name: 'Confirmed' }).focus();
  await expect(tip).toContainText('A seller offers links on this site');
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove filter: Confidence: Confirmed' }).click();
  await expect(rows).toHaveCount(3);

  await page.route('**/listings', serverError);
  await page
    .getByRole('row')
    .getByRole('link', { name: `${word}-offer` })
    .click();
  await expect(dialog(page).getByRole('alert')).toContainText('The evidence could not be loaded');
  await page.unrouteAll();
  await dialog(page).getByRole('button', { name: 'Retry' }).click();
  const evidence = dialog(page).getByRole('list', { name: 'Listings' });
  await expect(evidence).toContainText(/Seller's offer.*Active.*First seen.*Price: \$80/s);
  await expect(evidence).not.toContainText(`${word} market`);
  const link = evidence.getByRole('link', { name: 'market.example/offers/7' });
  await expect(link).toHaveAttribute('rel', 'nofollow noopener noreferrer ugc');

  await dialog(page).getByRole('button', { name: 'Confirmed' }).hover();
  await expect(tip).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Confirmed' }).focus();
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
  await expect(dialog(page)).toBeVisible();
});

test('evidence has its state, its family and the source and note that the user may see', async ({ page }) => {
  const word = await importEvidence(page);
  await signInAsNewUser(page);
  const id = await getDomainId(page, `${word}-list`);
  const path = `/domains?search=${word}&domain=${id}`;
  const evidence = dialog(page).getByRole('list', { name: 'Listings' });
  await changeResponse<object[]>(page, '**/listings', ([listing]) => [
    { ...listing, source: 'Open list', note: 'Seen on page 3', family: { id: 1, name: 'Mirrors' } },
    { ...listing, family: { id: 1, name: null }, withdrawnAt: '2026-05-04T12:00:00.000Z' },
    ...Array.from({ length: 10 }, (_, i) => ({ ...listing, note: `Note ${i}`, evidenceUrl: 'javascript:alert(1)' })),
    { ...listing, price: '$80' },
    { ...listing, price: '$120' },
  ]);
  await page.goto(path);
  await expect(evidence.getByRole('listitem')).toHaveCount(8);
  await expect(evidence.getByRole('listitem').first()).toContainText(
    /Public blocklist.*Open list.*Active.*Seen on page 3.*Counts once with other sources of Mirrors/s,
  );
  await expect(evidence.getByRole('listitem').nth(1)).toContainText(
    /Withdrawn.*withdrawn May 4, 2026.*Counts once with other sources of its family/s,
  );
  await expect(evidence.getByRole('link')).toHaveCount(0);
  expect(await findViolations(page)).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Show all 14 listings' }).click();
  await expect(evidence.getByRole('listitem')).toHaveCount(13);
  // Hidden sources of one kind say what they prove together.
  await expect(evidence.getByRole('listitem').last()).toContainText(/2 sources.*Price: \$80.*Price: \$120/s);

  await page.unrouteAll();
  await page.route('**/listings', (route) => route.fulfill({ json: [] }));
  await page.goto(path);
  await expect(dialog(page).getByText('No evidence is recorded for this domain.')).toBeVisible();
});

test('on a phone, a tap on a confidence explains it until the next tap', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const word = await importEvidence(page);
  await signInAsNewUser(page);
  await page.goto(`/domains?search=${word}`);
  await page.getByRole('button', { name: 'Reported' }).tap();
  await expect(page.getByRole('tooltip')).toContainText('One independent source');
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('heading', { name: 'Blacklist' }).tap();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await context.close();
});

test('each kind of source has its label, and missing or invalid values are marked', async ({ page }) => {
  const word = uniqueName('kinds');
  const kinds = ['manual', 'crawler', 'community', 'fiverr', 'blackhatworld', '"fiverr, crawler"', 'some forum'];
  const rows = kinds.map((source, i) => `${word}-${i}.example,${source}`);
  await importCsv(page, ['domain,source', ...rows].join('\n'));
  await signInAs(page, admin);
  await page.route('**/api/domains/sources', (route) => route.fulfill({ json: [] }));
  await page.goto(`/domains?search=${word}`);
  await expectTexts(page, 'blacklist, kinds of source');
  for (const name of ['Added manually', 'Found by a crawler', 'Reported by the community', 'Multiple marketplaces']) {
    await expect(page.getByRole('table').getByRole('img', { name, exact: true })).toHaveCount(1);
  }
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  await expectTexts(page, 'blacklist, admin, advanced filters');
  await page.getByRole('form', { name: 'Advanced filters' }).getByLabel('Source', { exact: true }).first().click();
  await expectTexts(page, 'blacklist, no sources');

  const invalidate = (domain: object) => ({ ...domain, source: '', dateAdded: 'some day', lastUpdated: null });
  await changeResponse(page, /\/api\/domains(\/\d+)?(\?|$)/, (body) =>
    Array.isArray(body.domains) ? { ...body, domains: body.domains.map(invalidate) } : invalidate(body),
  );
  await page.goto(`/domains?search=${word}&domain=${await getDomainId(page, `${word}-0`)}`);
  await expectTexts(page, 'blacklist, invalid and missing dates');
  await expectTexts(page, 'domain details, invalid and missing dates');
  await expectTexts(page, 'domain details, no source');
});

test('an admin opens a domain and deletes one, then two at once; errors are shown', async ({ page }) => {
  const word = uniqueName('deleted');
  const [name = '', ...others] = ['a', 'b', 'c'].map((letter) => `${word}-${letter}.example`);
  await createDomains(page, [name, ...others]);
  await signInAs(page, admin);
  await page.goto(`/domains?search=${word}`);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expectTexts(page, 'account menu, admin');
  await page.keyboard.press('Escape');
  await page.getByRole('row').getByRole('link', { name, exact: true }).click();
  await expectTexts(page, 'domain details, admin');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  const confirm = dialog(page).getByRole('button', { name: /^Delete/ });
  await page.route('**/api/domains/*', onlyMethod('DELETE', serverError));
  await page
    .getByRole('row')
    .getByRole('button', { name: `Delete ${name}` })
    .click();
  await confirm.click();
  await expectTexts(page, 'domain not deleted');
  await page.unrouteAll();
  await confirm.click();
  await expectTexts(page, 'domain deleted');
  await expect(page.getByRole('row')).toHaveCount(3);

  const second = page.getByRole('row').nth(1);
  await page.route('**/api/domains/*', onlyMethod('DELETE', serverError));
  await second.getByRole('button', { name: /^Delete/ }).click();
  await confirm.click();
  await expectTexts(page, 'domain not deleted');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll();

  for (const at of [1, 2]) await page.getByRole('row').nth(at).getByRole('checkbox').check();
  await expectTexts(page, 'rows selected');
  await page.getByRole('button', { name: 'Delete Selected' }).click();
  await expectTexts(page, 'bulk deletion, confirmation');
  await page.route('**/bulk-delete', serverError);
  await confirm.click();
  await expectTexts(page, 'domains not deleted');
  await expect(refusal(page)).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll();
  await second.getByRole('button', { name: /^Delete/ }).click();
  await expect(confirm).toBeVisible();
  await expect(refusal(page)).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete Selected' }).click();
  await confirm.click();
  await expectTexts(page, 'domains deleted');
  await expect(page.getByRole('row')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
});

test('an admin adds and edits a domain; errors are shown', async ({ page }) => {
  const name = `${uniqueName('added')}.example`;
  await signInAs(page, admin);
  await page.goto(`/domains?search=${name}&dialog=add`);
  await dialog(page).getByRole('textbox', { name: 'Domain', exact: true }).fill(name);
  await dialog(page).getByRole('textbox', { name: 'Source', exact: true }).fill('crawler');
  const add = dialog(page).getByRole('button', { name: 'Add Domain' });
  await page.route('**/api/domains', serverError);
  await add.click();
  await expectTexts(page, 'domain not added');
  await page.unrouteAll();
  await add.click();
  await expectTexts(page, 'domain added');

  await page
    .getByRole('row')
    .getByRole('link', { name: `Edit ${name}` })
    .click();
  await dialog(page).getByRole('textbox', { name: 'Niche' }).fill('Travel');
  const save = dialog(page).getByRole('button', { name: /^Save/ });
  await page.route('**/api/domains/*', onlyMethod('PUT', serverError));
  await save.click();
  await expectTexts(page, 'domain not updated');
  await page.unrouteAll();
  await save.click();
  await expectTexts(page, 'domain updated');
});

test('an admin imports a list; other file types are rejected, and a stalled upload is canceled', async ({ page }) => {
  await signInAs(page, admin);
  await hideRunningImports(page);
  await page.goto('/domains?dialog=import');
  const start = dialog(page).getByRole('button', { name: 'Import', exact: true });
  await start.click();
  await expectTexts(page, 'import without a file');
  await chooseFile(page, 'Choose a CSV file', buildCsvFile('list.pdf', ['x']));
  await expectTexts(page, 'import of a wrong file type');
  await dialog(page).getByRole('button', { name: 'Remove list.pdf' }).click();
  const list = buildCsvFile('list.csv', ['domain,source', `${uniqueName('new')}.example,crawler`]);
  await chooseFile(page, 'Choose a CSV file', list);
  await start.click();
  await expectTexts(page, 'import done');
  await expect(dialog(page)).toHaveCount(0);

  await page.getByRole('button', { name: 'Import CSV' }).first().click();
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  await chooseFile(page, 'Choose a CSV file', { name: 'list.csv', mimeType: 'text/csv', buffer: picture });
  await start.click();
  await expectTexts(page, 'import fails');
  await expect(dialog(page).getByText('This is an image, not a CSV or Excel file.')).toBeVisible();
  // A file that takes the server longer fails as an import that has started.
  await dialog(page)
    .getByRole('button', { name: /^(?:Cancel|Close)$/ })
    .last()
    .click();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Import CSV' }).first().click();
  await expect(start).toBeVisible();
  await expect(dialog(page).getByText('This is an image, not a CSV or Excel file.')).toHaveCount(0);

  // The clock is installed before the page sets its timers, so that none of them uses the real clock.
  await page.clock.install();
  await page.goto('/domains?dialog=import');
  await page.route('**/api/domains/upload', () => undefined);
  await chooseLargeFile(page, 6);
  const sent = page.waitForRequest('**/api/domains/upload');
  await start.click();
  await sent;
  await page.clock.fastForward(301_000);
  await expectTexts(page, 'import timed out');
});

test('a user selects a range of rows and copies their names; on a phone, all of the page', async ({ page }) => {
  await allowClipboard(page);
  const names = await getSampleDomains(page);
  await signInAsNewUser(page);
  await openReady(page, `/domains?search=${names[0]?.split('-')[0]}`);
  const copy = page.getByRole('button', { name: 'Copy names' });
  const box = (index: number) => page.getByRole('checkbox', { name: `Select ${names[index]}` });
  await box(5).click();
  await box(2).click({ modifiers: ['Shift'] });
  await box(3).click();
  await expect(page.getByRole('button', { name: 'Delete Selected' })).toHaveCount(0);
  await copy.click();
  await expect(toastOf(page)).toContainText('3 names, one per line.');
  await expectClipboard(page, [names[2], names[4], names[5]].join('\n'));
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');

  await page.mouse.wheel(0, 2000);
  await expect(page.getByRole('link', { name: names[24], exact: true })).toBeInViewport();
  await expect(copy).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Risk' })).toBeInViewport();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(copy).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Results' })).toBeFocused();

  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await copy.click();
  await expect(toastOf(page)).toContainText('25 names, one per line.');
  await expectClipboard(page, names.slice(0, 25).join('\n'));
});

test('the chosen columns and the height of the rows are kept after a reload', async ({ page }) => {
  const [name = ''] = await getSampleDomains(page);
  await signInAsNewUser(page);
  await openReady(page, `/domains?search=${name.split('-')[0]}`);
  const row = page.getByRole('row').nth(2);
  const heightOfRow = async () => (await row.boundingBox())?.height;
  expect(await heightOfRow()).toBe(40);
  const menu = page.getByRole('button', { name: 'Display' });
  await menu.press('ArrowDown');
  const comfortable = page.getByRole('menuitemradio', { name: 'Comfortable rows' });
  await expect(comfortable).toBeFocused();
  await page.getByRole('menuitemcheckbox', { name: 'Date added' }).press('Enter');
  await page.getByRole('menuitemcheckbox', { name: 'Outbound links' }).press('Space');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Outbound links' })).toBeChecked();
  expect(await findViolations(page)).toEqual([]);
  const headings = ['Domain', 'Risk', 'Sources', 'Confidence', 'Niche', 'DR', 'Cost', 'Last updated', 'Outbound links'];
  await expectHeadings(page, headings);
  await page.getByRole('menuitemradio', { name: 'Compact rows' }).click();
  await expect(menu).toBeFocused();
  expect(await heightOfRow()).toBe(32);

  await page.reload();
  await waitForReady(page);
  await expectHeadings(page, headings);
  expect(await heightOfRow()).toBe(32);

  await page.setViewportSize({ width: 1100, height: 900 });
  await expectHeadings(page, headings.slice(0, -1));
  await menu.click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Outbound links No room' })).toBeChecked();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectHeadings(page, [...headings.slice(0, 7), 'Date added', 'Last updated']);
});

test('the list is up to 1,680 px wide, and the head of its table stays in view', async ({ page }) => {
  await getSampleDomains(page);
  await signInAsNewUser(page);
  await page.setViewportSize({ width: 2200, height: 600 });
  await openReady(page, '/domains');
  const { width } = (await page.getByRole('main').locator('> *').first().boundingBox()) ?? {};
  expect(width).toBe(1680);
  const head = page.getByRole('columnheader', { name: 'Domain', exact: true });
  await page.getByRole('row').nth(20).scrollIntoViewIfNeeded();
  await expect(head).toBeInViewport({ ratio: 1 });
  const header = await page.getByRole('banner').boundingBox();
  // It overlaps the line under the header.
  expect((await head.boundingBox())?.y).toBe((header?.height ?? 0) - 1);
});

test('where colors are forced, the current page and filter are outlined and all risk badges have a border', async ({
  page,
}) => {
  const [name = ''] = await getSampleDomains(page);
  await signInAsNewUser(page);
  await page.emulateMedia({ forcedColors: 'active' });
  await openReady(page, `/domains?search=${name.split('-')[0]}`);
  const levels = page.getByRole('table').locator('[data-level]');
  const widths = await levels.evaluateAll((badges) => badges.map((badge) => getComputedStyle(badge).borderTopWidth));
  expect(new Set(await levels.evaluateAll((badges) => badges.map((badge) => badge.dataset.level))).size).toBe(4);
  expect(new Set(widths)).toEqual(new Set(['1px']));
  await page.getByRole('button', { name: /^High/ }).click();
  await page.mouse.move(0, 0);
  for (const current of [
    page.getByRole('link', { name: 'Blacklist', exact: true }),
    page.getByRole('button', { name: /^High/, pressed: true }),
  ]) {
    await expect(current).toHaveCSS('outline-style', 'solid');
  }
});

test('another page starts at the top of the list; the names of buttons contain their visible text', async ({
  page,
}) => {
  const names = await getSampleDomains(page);
  await signInAsNewUser(page);
  await page.request.patch('/api/account', { data: { displayName: 'Una Ueda' }, headers: sameOriginHeaders });
  await changeResponse<{ pagination: object }>(page, /\/api\/domains\?/, (body) => ({
    ...body,
    pagination: { ...body.pagination, total: 100_025, totalPages: 4001 },
  }));
  await openReady(page, `/domains?search=${names[0]?.split('-')[0]}`);
  await expect(page.getByRole('button', { name: 'Page 4,001' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('UU')).toBeVisible();
  expect(await findViolations(page, ['label-content-name-mismatch'])).toEqual([]);

  await page.getByRole('button', { name: 'Next page' }).press('Enter');
  await expect(page.getByText('Showing 26 to 50 of 100,025 results')).toBeVisible();
  const results = page.getByRole('region', { name: 'Results' });
  await expect(results).toBeFocused();
  await expect(page.getByRole('columnheader', { name: 'Risk' })).toBeInViewport();
  const top = (await results.boundingBox())?.y ?? 0;
  expect(top).toBeGreaterThanOrEqual(56);
  const firstLink = page.getByRole('table').getByRole('link', { name: names[25] });
  await expect(firstLink).toBeVisible();
  await page.keyboard.press('j');
  await expect(firstLink).toBeFocused();
});
