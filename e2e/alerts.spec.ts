import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser, toastOf, uniqueName } from './accounts.ts';
import { routeAlerts, sampleAlerts } from './alerts.ts';
import { findViolations } from './axe.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { changeResponse, onlyMethod, serverError } from './mock-responses.ts';
import { disableMail } from './page-state.ts';
import { decisionOf, focusedDomain, listRows, nameOf } from './report-page.ts';
import { createReport, createWebsite, importCsv, uploadLinks } from './sample-data.ts';
import { test } from './test.ts';

const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Alerts(, .* unread)?$/ });
const watchDialog = (page: Page, domain: string) => page.getByRole('dialog', { name: `Watch ${domain}` });

/** Creates a website with links from these domains, lists them, and waits for the alerts. */
async function createAlerts(page: Page, names: readonly string[]): Promise<{ id: number; domain: string }> {
  const website = await createWebsite(page);
  await uploadLinks(page, website.id, ['source_url', ...names.map((name) => `https://${name}/`)]);
  await importCsv(page, ['domain,source,riskLevel', ...names.map((name) => `${name},fiverr,high`)].join('\n'));
  const countAlerts = async () => (await (await page.request.get('/api/alerts')).json()).pagination.total;
  // Other tests change the blacklist all the time, and changes are matched once no other follows.
  await expect.poll(countAlerts, { timeout: 150_000 }).toBe(names.length);
  return website;
}

test('alerts lead from My Websites to the decision, and are read by deciding, by opening and by marking', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const word = uniqueName('alerted');
  const names = ['a', 'b', 'c', 'd'].map((letter) => `${word}-${letter}.example`);
  const [first = '', second = ''] = names;
  await signInAsNewUser(page);
  const { id, domain } = await createAlerts(page, names);

  await openReady(page, '/risk-assessment?tab=reports');
  await expect(page.getByText('Watching')).toBeVisible();
  await page.getByRole('link', { name: '4 new alerts: 4 listed' }).click();
  await expect(page).toHaveURL(`/alerts?website=${id}`);
  await expect(bell(page)).toHaveAccessibleName('Alerts, 4 unread');
  const group = page.getByRole('list', { name: `Alerts of ${domain}` });
  await expect(page.getByText('4 listed', { exact: true })).toBeVisible();
  await expect(group.getByRole('listitem').first()).toContainText('Not listed');
  await expect(group.getByRole('listitem').first()).toContainText('High Risk');

  // A decision reads the alert, and can be undone.
  await decisionOf(page, first, 'Disavow').click();
  await expect(bell(page)).toHaveAccessibleName('Alerts, 3 unread');
  await expect(page.getByRole('status').filter({ hasText: `Disavow: ${first}` })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(decisionOf(page, first, 'Disavow')).toHaveAttribute('aria-pressed', 'false');
  expect(await focusedDomain(page)).toBe(first);
  await decisionOf(page, first, 'Keep').click();
  const listDecisions = async () => (await (await page.request.get(`/api/profiles/${id}/decisions`)).json()).decisions;
  await expect
    .poll(async () => (await listDecisions()).map((one: { decision: string }) => one.decision))
    .toEqual(['keep']);

  // A link of the alert reads it too.
  await nameOf(page, second).click();
  await expect(page).toHaveURL(`/domain/${second}`);
  await expect(bell(page)).toHaveAccessibleName('Alerts, 2 unread');
  await page.goBack();
  await expect(decisionOf(page, first, 'Keep')).toHaveAttribute('aria-pressed', 'true');

  // Read alerts stay on the screen until the list is loaded again.
  await page.getByRole('checkbox', { name: 'Unread only' }).check();
  await expect(page).toHaveURL(`/alerts?website=${id}&unread=true`);
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await page.getByRole('button', { name: `Mark as read: 2 alerts of ${domain}` }).click();
  await expect(bell(page)).toHaveAccessibleName('Alerts');
  await expect(page.locator('[data-row]')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Mark website as read' })).toBeDisabled();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No matching alerts' })).toBeVisible();
  await page.goBack();
  await expect(page.locator('[data-row]')).toHaveCount(4);
  await expect(page.getByText('Unread', { exact: true })).toHaveCount(0);

  // After the next upload, the domains are in the newest report.
  await uploadLinks(page, id, ['source_url', ...names.map((name) => `https://${name}/`)]);
  await page.reload();
  await page.getByRole('link', { name: `1 link from ${second} in the last report` }).click();
  await expect(page).toHaveURL(new RegExp(`/reports/\\d+\\?search=${second}`));
  await expect.poll(() => listRows(page)).toEqual([second]);
});

test('the list has filters in the URL, groups by website and run, and works with keys and on a phone', async ({
  page,
}) => {
  await signInAsNewUser(page);
  const more = Array.from({ length: 60 }, (_, i) => ({
    ...sampleAlerts[0],
    id: 100 + i,
    runId: 0,
    domain: `more-${i}.example`,
  }));
  await routeAlerts(page, [...sampleAlerts, ...more] as typeof sampleAlerts);
  await page.route('**/api/alerts/read', (route) => route.fulfill({ json: { unread: 0 } }));
  await page.route('**/decisions', (route) => route.fulfill({ json: { count: 1 } }));
  await createWebsite(page);
  await openReady(page, '/alerts');
  await expect(page.getByRole('heading', { name: 'garden-tools.example' })).toHaveCount(3);
  await expect(page.getByText('2 listed, 1 raised')).toBeVisible();
  await expect(page.getByText('45 listed on this page')).toBeVisible();
  await expect(page.getByText('63 unread')).toBeVisible();
  const gone = sampleAlerts.find(({ event }) => event === 'delisted');
  const offered = page.getByRole('group', { name: `Decision about ${gone?.domain}` }).getByRole('button');
  await expect(offered).toHaveText(['Keep', 'Remove']);
  await expect(bell(page)).toHaveText('63');

  await page.keyboard.press('j');
  expect(await focusedDomain(page)).toBe(sampleAlerts[0]?.domain);
  await page.keyboard.press('d');
  expect(await focusedDomain(page)).toBe(sampleAlerts[1]?.domain);
  await expect(decisionOf(page, sampleAlerts[0]?.domain ?? '', 'Disavow')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('u');
  expect(await focusedDomain(page)).toBe(sampleAlerts[0]?.domain);

  await page.getByRole('combobox', { name: 'Event' }).selectOption('Delisted');
  await expect(page).toHaveURL('/alerts?event=delisted');
  await expect.poll(() => listRows(page)).toEqual(['old-directory.example']);
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Event' })).toHaveValue('');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page).toHaveURL('/alerts?page=2');
  await expect(page.getByText('15 listed on this page')).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(bell(page)).toHaveAccessibleName('Alerts');

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await waitForReady(page);
  await expect(page.locator('[data-row]')).toHaveCount(15);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(page.getByRole('navigation', { name: 'Main, small screen' }).getByText('Alerts')).toBeVisible();
});

test('the screen says what to do without websites, without alerts, and when alerts cannot be loaded', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await openReady(page, '/alerts');
  await expect(page.getByRole('heading', { name: 'No websites yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upload backlinks' })).toBeVisible();

  await createReport(page, []);
  await openReady(page, '/alerts');
  await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible();
  await expect(page.getByText(/^1 website with 60 hosts is watched\./)).toBeVisible();

  await openReady(page, '/alerts?website=1000000000');
  await expect(page.getByRole('heading', { name: 'Website not found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all alerts' }).click();
  await expect(page).toHaveURL('/alerts');

  await page.route('**/api/alerts?*', serverError);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Error Loading Alerts');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible();
});

test('the watch of a website is changed on My Websites, and the dialog says what is watched', async ({ page }) => {
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, []);
  const { domain } = (await (await page.request.get('/api/profiles')).json())[0];
  await openReady(page, '/risk-assessment?tab=reports');
  await page.getByRole('button', { name: `Watch ${domain}` }).click();
  const dialog = watchDialog(page, domain);
  await expect(dialog.getByText(/^60 hosts, from the export of /)).toBeVisible();
  await expect(dialog.getByRole('switch', { name: 'Watch this website' })).toBeChecked();
  await dialog.getByRole('checkbox', { name: 'Risk lowered' }).uncheck();
  await dialog.getByRole('radio', { name: 'Weekly' }).check();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(toastOf(page)).toContainText(`${domain} is watched.`);
  await expect(dialog).toBeHidden();
  const getWatch = async () => (await page.request.get(`/api/profiles/${websiteId}/watch`)).json();
  expect(await getWatch()).toMatchObject({ digest: 'weekly', events: { listed: true, lowered: false } });

  await openReady(page, '/account?tab=notifications');
  await expect(page.getByText('60 hosts · Weekly email')).toBeVisible();
  await page.getByRole('button', { name: `Edit the watch of ${domain}` }).click();
  await expect(dialog.getByRole('checkbox', { name: 'Risk lowered' })).not.toBeChecked();
  await dialog.getByRole('switch', { name: 'Watch this website' }).press('Space');
  await expect(dialog.getByRole('checkbox', { name: 'Listed', exact: true })).toBeDisabled();
  await page.route('**/watch', onlyMethod('PUT', serverError));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not watched', { exact: true })).toBeVisible();
  expect(await getWatch()).toMatchObject({ enabled: false, digest: 'weekly' });
});

test('an old export, paused email and a server without email are explained', async ({ page }) => {
  await signInAsNewUser(page);
  const { websiteId } = await createReport(page, []);
  const old = new Date(Date.now() - 95.5 * 86_400_000).toISOString();
  await changeResponse<{ domain: string; lastReport: object }[]>(page, '**/api/profiles', (websites) =>
    websites.map((website) => ({ ...website, lastReport: { ...website.lastReport, dateCreated: old } })),
  );
  await changeResponse(page, '**/watch', (watch) => ({
    ...watch,
    exportedAt: old,
    digest: 'daily',
    emailPaused: watch.digest === 'off',
  }));
  await openReady(page, `/risk-assessment?tab=reports&profile=${websiteId}`);
  await expect(page.getByText('Export is 95 days old')).toBeVisible();
  await page.getByRole('button', { name: /^Upload a new one for/ }).click();
  await expect(page.getByRole('dialog', { name: 'Analyze' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Watch / }).click();
  const dialog = page.getByRole('dialog', { name: /^Watch/ });
  await expect(dialog.getByText('This export is 95 days old')).toBeVisible();
  await expect(dialog.getByText('Email paused: the mail server refused your address.')).toBeVisible();
  const resumed = page.waitForRequest((request) => request.method() === 'PUT' && request.url().endsWith('/watch'));
  await dialog.getByRole('button', { name: 'Resume email' }).click();
  expect((await resumed).postDataJSON()).toEqual({ digest: 'daily' });
  await expect(dialog.getByText('Email paused')).toBeHidden();
  await expect(dialog).toBeVisible();

  await disableMail(page);
  await page.reload();
  await page.getByRole('button', { name: /^Watch / }).click();
  await expect(dialog.getByText('This server does not send email.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Weekly' })).toBeDisabled();
});

test('the account shows the address of the feed, and replaces it after a confirmation', async ({ page }) => {
  await signInAsNewUser(page);
  let url = 'https://linksieve.example/alerts/first.xml';
  await page.route('**/api/account/alert-feed', async (route) => {
    if (route.request().method() === 'POST') url = 'https://linksieve.example/alerts/second.xml';
    await route.fulfill({ json: { url } });
  });
  await allowClipboard(page);
  await openReady(page, '/account?tab=notifications');
  await expect(page.getByLabel('Feed address', { exact: true })).toHaveValue(url);
  await page.getByRole('button', { name: 'Copy the feed address' }).click();
  await expectClipboard(page, url);
  await page.getByRole('button', { name: 'Replace address' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace address' }).click();
  await expect(toastOf(page)).toContainText('Feed address replaced');
  await expect(page.getByLabel('Feed address', { exact: true })).toHaveValue(/second/);
});
