import { expect, type Locator, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';
import { sameOriginHeaders, signInAsNewUser, toastOf } from './accounts.ts';
import { findViolations } from './axe.ts';
import { allowClipboard, expectInClipboard } from './clipboard.ts';
import { changeResponse, holdRequests, onlyMethod, serverError } from './mock-responses.ts';
import { decisionOf, focusedDomain, listRows, nameOf, row } from './report-page.ts';
import { createReport, getSampleDomains, uploadLinks } from './sample-data.ts';
import { test } from './test.ts';

/**
 * Opens the report of a new user with this number of listed domains.
 * @returns the domains of its first page, in order
 */
async function openReport(page: Page, count: number, query = '') {
  const names = (await getSampleDomains(page)).slice(0, count);
  await signInAsNewUser(page);
  const { reportId, websiteId } = await createReport(page, names);
  await openReady(page, `/reports/${reportId}${query}`);
  return { domains: await listRows(page), url: `/api/profiles/${websiteId}/decisions` };
}

/** Returns what is stored, as 'domain: decision'. */
async function listDecisions(page: Page, url: string): Promise<string[]> {
  const { decisions } = await (await page.request.get(`${url}?pageSize=100`)).json();
  return decisions.map((one: { domain: string; decision: string | null }) => `${one.domain}: ${one.decision}`).sort();
}

test('a decision about all matches leaves out those that the user has just decided about, and says how many it changes', async ({
  page,
}) => {
  const { domains, url } = await openReport(page, 70, '?decision=undecided');
  const kept = domains.slice(0, 5);
  for (const domain of kept) await decisionOf(page, domain, 'Keep').click();
  await expect(page.getByText('5 of 70 domains reviewed')).toBeVisible();

  // A list that is opened again leaves them out, on all of its pages.
  await page.getByRole('button', { name: 'All 70' }).click();
  await expect(page.getByText('Showing 1 to 50 of 70 results')).toBeVisible();
  await page.getByRole('button', { name: 'To review 65' }).click();
  await expect(page.getByText('Showing 1 to 50 of 65 results')).toBeVisible();
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('Showing 51 to 65 of 65 results')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Showing 1 to 50 of 65 results')).toBeVisible();

  const more = (await listRows(page)).slice(0, 5);
  for (const domain of more) await decisionOf(page, domain, 'Keep').click();
  await page.getByRole('checkbox', { name: `Select ${(await listRows(page))[7]}` }).check();
  await expect(page.getByText('All 60 matching domains:')).toBeVisible();
  await page.getByRole('button', { name: 'Disavow all' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Disavow: 60 domains' })).toBeVisible();
  await expect(page.getByText('70 of 70 domains reviewed')).toBeVisible();
  const stored = (await listDecisions(page, url)).filter((line) => line.endsWith(': keep'));
  expect(stored).toEqual([...kept, ...more].map((domain) => `${domain}: keep`).sort());
});

test('52 keys decide about 50 domains and undo the last decision', async ({ page }) => {
  const { url } = await openReport(page, 55);
  await page.keyboard.press('j');
  for (let i = 0; i < 50; i += 1) await page.keyboard.press('erd'.charAt(i % 3));
  await expect(page.getByText('50 of 55 domains reviewed')).toBeVisible();
  await expect.poll(() => listDecisions(page, url)).toHaveLength(50);
  await page.keyboard.press('u');
  await expect(page.getByText('49 of 55 domains reviewed')).toBeVisible();
});

test('keys that are pressed while the next page loads decide nothing, and undo returns to the row', async ({
  page,
}) => {
  const { domains, url } = await openReport(page, 55);
  const last = domains.at(-1) ?? '';
  const release = await holdRequests(page, '**/domains?**');
  await nameOf(page, last).focus();
  for (const key of ['d', 'e', 'r', 'j']) await page.keyboard.press(key);
  await expect(page).toHaveURL(/page=2/);
  await page.keyboard.press('e');
  release();
  await expect(page.locator('[data-row]')).toHaveCount(5);
  await expect.poll(() => focusedDomain(page)).toBe((await listRows(page))[0]);
  await expect(page.getByText('1 of 55 domains reviewed')).toBeVisible();
  expect(await listDecisions(page, url)).toEqual([`${last}: disavow`]);

  await page.keyboard.press('k');
  await expect.poll(() => focusedDomain(page)).toBe(last);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('e');
  await page.keyboard.press('j');
  await expect(page).toHaveURL(/page=2/);
  await page.keyboard.press('k');
  await expect.poll(() => focusedDomain(page)).toBe(last);
  await page.keyboard.press('u');
  await expect.poll(() => focusedDomain(page)).toBe(domains.at(-2));
  await expect(decisionOf(page, domains.at(-2) ?? '', 'Keep')).toHaveAttribute('aria-pressed', 'false');
});

test('the keys act on an open domain while the focus is in its links', async ({ page }) => {
  const { domains } = await openReport(page, 4);
  const [first = '', second = '', third = ''] = domains;
  await nameOf(page, second).click();
  await page.getByRole('link', { name: 'Public page of the domain' }).focus();
  await page.keyboard.press('d');
  await expect(decisionOf(page, second, 'Disavow')).toHaveAttribute('aria-pressed', 'true');
  expect(await focusedDomain(page)).toBe(third);
  await page.getByRole('link', { name: 'Public page of the domain' }).focus();
  await page.keyboard.press('k');
  expect(await focusedDomain(page)).toBe(first);
});

test('a note that cannot be saved stays in its field, and does not overwrite a newer decision', async ({ page }) => {
  const { domains, url } = await openReport(page, 4);
  const [first = ''] = domains;
  await nameOf(page, first).click();
  await page.route('**/decisions', onlyMethod('PUT', serverError));
  await page.getByLabel('Note').fill('Asked the owner');
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(toastOf(page)).toContainText('Note Not Saved');
  await expect(page.getByLabel('Note')).toHaveValue('Asked the owner');
  await page.unrouteAll();

  // In another tab.
  const data = { domains: [first], decision: 'disavow' };
  expect((await page.request.put(url, { data, headers: sameOriginHeaders })).status()).toBe(200);
  await page.getByRole('button', { name: 'Save note' }).click();
  await expect(row(page, first)).toContainText('Asked the owner');
  await expect.poll(() => listDecisions(page, url)).toEqual([`${first}: disavow`]);
});

test('the page stays while it loads with lost links, and warns before a decision that is not saved is lost', async ({
  page,
}) => {
  const { domains } = await openReport(page, 4);
  await decisionOf(page, domains[0] ?? '', 'Keep').click();
  const releaseOverview = await holdRequests(page, '**/overview?lost=include');
  await page.getByRole('checkbox', { name: 'Include lost links' }).check();
  await expect(page).toHaveURL(/lost=include/);
  await expect(page.getByRole('checkbox', { name: 'Include lost links' })).toBeFocused();
  releaseOverview();
  await expect(page.getByRole('status').filter({ hasText: `Keep: ${domains[0]}` })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();

  const releaseDecision = await holdRequests(page, '**/decisions');
  await decisionOf(page, domains[1] ?? '', 'Disavow').click();
  const warning = page.waitForEvent('dialog');
  void page.close({ runBeforeUnload: true });
  const dialog = await warning;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  releaseDecision();
  await expect(page.getByText('2 of 4 domains reviewed')).toBeVisible();
});

test('a report without toxic domains shows the trend, the patterns and the advice', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 8);
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, names);
  const clean = Array.from({ length: 30 }, (_, i) => `https://clean-${i}.example/,mowers`);
  const reportId = await uploadLinks(page, websiteId, ['source_url,anchor', ...clean]);
  await openReady(page, `/reports/${reportId}`);
  await expect(page.getByRole('heading', { name: 'No harmful backlinks found' })).toBeVisible();
  await expect(page.getByText(/^Since .*: no new toxic domains, 8 gone$/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Toxicity of/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Patterns in the export' })).toBeVisible();
  await expect(page.getByText('No toxic domain shows this pattern.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Three questions' })).toBeVisible();
  await expect(page.getByText(/8 fewer than in the report of/).first()).toBeAttached();
  await expect(page.getByRole('heading', { name: 'Niches' })).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Method' })).toBeVisible();
});

test('the first decision is in sight, the parts are in the URL, and the next step stays in sight', async ({ page }) => {
  const names = (await getSampleDomains(page)).slice(0, 40);
  await signInAsNewUser(page);
  const { reportId } = await createReport(page, names);
  const firstDecision = page.getByRole('group', { name: /^Decision about/ }).first();
  const bottomOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
  };
  for (const [width, height, lowest] of [
    [1440, 900, 900],
    [390, 844, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    await openReady(page, `/reports/${reportId}`);
    expect(await bottomOf(firstDecision)).toBeLessThanOrEqual(lowest);
  }

  await page.setViewportSize({ width: 1440, height: 900 });
  await openReady(page, `/reports/${reportId}`);
  await page.locator('[data-row]').last().scrollIntoViewIfNeeded();
  const next = page.getByRole('link', { name: 'Build disavow file' });
  await expect(next).toBeInViewport();
  await expect(page.getByText('0 of 40 domains reviewed')).toBeInViewport();
  for (const name of ['Links', 'Patterns', 'Overview']) {
    const tab = page.getByRole('tab', { name });
    if ((await tab.count()) === 0) continue;
    await tab.click();
    await expect(page).toHaveURL(new RegExp(`view=${name.toLowerCase()}`));
    await expect(next).toBeVisible();
  }
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Overview', selected: true })).toBeVisible();
  await expect(page.getByText('Unique root domains')).toBeVisible();
  await page.goBack();
  await page.getByRole('tab', { name: 'Review' }).click();
  await expect(page).toHaveURL(new RegExp(`/reports/${reportId}$`));
});

test('domains to remove lead to their owners: a text is copied, the day is noted, and silence ends in a disavow', async ({
  page,
}) => {
  const names = (await getSampleDomains(page)).slice(0, 3);
  const [first = ''] = names;
  await signInAsNewUser(page);
  await allowClipboard(page);
  const { reportId, websiteId } = await createReport(page, names);
  await openReady(page, `/reports/${reportId}`);
  await decisionOf(page, first, 'Remove').click();
  await page.getByRole('button', { name: 'Remove 1' }).click();
  await page.getByRole('link', { name: 'Sites to contact' }).click();
  await expect(page).toHaveURL(new RegExp(`/websites/${websiteId}/disavow#removals`));
  const sites = page.getByRole('table', { name: 'Sites to contact' });
  const site = sites.getByRole('row').filter({ hasText: first });
  await expect(site).toContainText('Not yet');
  await page.getByRole('button', { name: `Copy text for ${first}` }).click();
  await expect(toastOf(page)).toContainText('Text Copied');
  await expectInClipboard(page, `of ${first} link`);
  await page.getByRole('button', { name: `Mark as asked: ${first}` }).click();
  await expect(page.getByRole('button', { name: `Not asked: ${first}` })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);

  const monthMs = 30 * 86_400_000;
  await changeResponse<{ decisions: object[] }>(page, /\/decisions\?/, ({ decisions, ...rest }) => ({
    ...rest,
    decisions: decisions.map((one) => ({ ...one, askedAt: new Date(Date.now() - monthMs).toISOString() })),
  }));
  // The next list of sites says that a month has passed.
  await page.getByRole('button', { name: `Not asked: ${first}` }).click();
  await expect(site).toContainText('no answer for 30 days');
  await page.unrouteAll();
  await page.getByRole('button', { name: `Disavow ${first}` }).click();
  await expect(page.getByText('Sites that you decide to remove are listed here')).toBeVisible();
});
