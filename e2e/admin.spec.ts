import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { admin, signInAs, signInAsNewUser, toastOf, uniqueName, userPassword } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { buildCsvFile, chooseFile, chooseLargeFile } from './files.ts';
import { holdRequests, serverError } from './mock-responses.ts';
import { createWebsite } from './sample-data.ts';
import { test } from './test.ts';

test('maintenance in the panel survives a reload, and the audit log shows the admin and IP address', async ({
  page,
}) => {
  await signInAs(page, admin);
  await page.goto('/account');
  await expectTexts(page, 'account, admin');
  await page.getByRole('main').getByRole('link', { name: 'Admin Dashboard' }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole('link', { name: /^Total Domains/ })).toHaveAttribute('href', '/domains');
  await expect(page.getByRole('link', { name: /^High Risk/ })).toHaveAttribute('href', '/domains?riskLevel=high');
  await expect(page.getByRole('link', { name: /^Very High Risk/ })).toHaveAttribute(
    'href',
    '/domains?riskLevel=very+high',
  );
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Users/ })
    .click();
  await expect(page).toHaveURL(/\/admin\/panel\?tab=users/);

  await page.goto('/admin');
  await page.route('**/api/stats/count', serverError);
  await page.reload();
  await expectTexts(page, 'dashboard, counts not loaded');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await expect(page.getByText('Failed to load system statistics. Please try again.')).toHaveCount(0);

  const navigation = page.getByRole('navigation', { name: 'Admin', exact: true });
  await navigation.getByRole('link', { name: 'Database' }).click();
  await expect(page).toHaveURL(/tab=database/);
  await page.getByRole('button', { name: 'Run Maintenance' }).click();
  await expect(page.getByText(/Started by admin/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/tables were vacuumed.*Started by admin/)).toBeVisible({ timeout: 30_000 });

  // The server would change the levels of the sample domains, which other tests use.
  const stats = { low: 1, medium: 2, high: 3, veryHigh: 4 };
  await page.route('**/api/risk/update-risk-levels', (route) => route.fulfill({ json: { timeTaken: 5, stats } }));
  const update = page.getByRole('button', { name: 'Update Risk Levels' });
  const release = await holdRequests(page, '**/api/risk/update-risk-levels');
  await update.click();
  await expectTexts(page, 'panel, risk update running');
  release();
  await expectTexts(page, 'panel, risk levels updated');
  await page.route('**/api/risk/update-risk-levels', serverError);
  await update.click();
  await expectTexts(page, 'panel, risk update fails');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export All Data' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^domain,/);

  await page.getByRole('button', { name: 'Clear Database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete all domains' });
  await expect(dialog.getByText(/\d+ domains? will be deleted/)).toBeVisible();
  await dialog.getByRole('textbox').fill('delete all domains');
  await dialog.getByRole('button', { name: 'Delete all domains' }).click();
  await expectTexts(page, 'delete all domains, wrong confirmation');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await navigation.getByRole('link', { name: 'Audit Log' }).click();
  await page.getByLabel('Event', { exact: true }).selectOption('Started maintenance');
  await expect(page).toHaveURL(/event=Started(\+|%20)maintenance/);
  const event = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1);
  await expect(event).toContainText('Started maintenance');
  await expect(event).toContainText('admin');
  await expect(event).toContainText(/127\.0\.0\.1|::1/);
  await navigation.getByRole('link', { name: 'Jobs' }).click();
  await expect(page.getByRole('table', { name: 'Recent jobs' })).toContainText('Maintenance');
  await navigation.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible();
});

test('the importer shows progress and rejects files that are too large, of another type or invalid', async ({
  page,
}) => {
  await signInAs(page, admin);
  await page.goto('/admin/panel');
  await chooseFile(page, 'Choose a CSV file', buildCsvFile('list.pdf', ['x']));
  await expectTexts(page, 'importer, wrong file type');
  await page.getByRole('button', { name: 'Remove list.pdf' }).click();
  await chooseLargeFile(page, 60);
  await expectTexts(page, 'importer, a large file');
  await page.getByRole('button', { name: 'Remove large.csv' }).click();
  await chooseLargeFile(page, 201);
  await expectTexts(page, 'importer, file too large');
  await page.getByRole('button', { name: 'Remove large.csv' }).click();

  const start = page.getByRole('button', { name: 'Start Import' });
  await chooseFile(page, 'Choose a CSV file', buildCsvFile('list.csv', ['name,place', 'a,b']));
  await start.click();
  await expectTexts(page, 'importer, import fails');
  await page.getByRole('button', { name: 'Reset' }).click();
  const list = buildCsvFile('list.csv', ['domain,source', `${uniqueName('new')}.example,crawler`]);
  await chooseFile(page, 'Choose a CSV file', list);
  await start.click();
  await expectTexts(page, 'panel, import done');
  await page.getByRole('button', { name: 'Import Another File' }).click();

  const job = {
    jobId: '3f8f7f3e-58c5-4c0c-9a5e-6f0a6d7b1c11',
    status: 'processing',
    progress: 40,
    imported: 1200,
    updated: 0,
    failedCount: 0,
    totalCount: 3000,
    processedCount: 1200,
    timeTaken: 14,
    message: '',
    fileName: 'list.csv',
    failures: [],
    held: [],
  };
  await page.route('**/api/domains/import-status/*', (route) => route.fulfill({ json: job }));
  await page.route('**/api/domains/upload', (route) => route.fulfill({ status: 202, json: job }));
  const release = await holdRequests(page, '**/api/domains/upload');
  await chooseFile(page, 'Choose a CSV file', list);
  await start.click();
  await expectTexts(page, 'importer, uploading');
  release();
  await expectTexts(page, 'importer, processing');
});

test('an admin adds and removes another admin; disabling an account signs it out immediately', async ({
  browser,
  page,
}) => {
  const userPage = await (await browser.newContext()).newPage();
  const username = await signInAsNewUser(userPage);
  await signInAs(page, admin);
  await page.goto('/admin/panel?tab=users');
  await page.getByLabel('Search accounts').fill(username);
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(page).toHaveURL(new RegExp(`search=${username}`));
  for (const [button, confirm, badge, toast] of [
    ['Make admin', 'Make admin', 'Admin', 'Admin added'],
    ['Remove admin', 'Remove admin', undefined, 'Admin removed'],
    ['Disable', 'Disable account', 'Disabled', 'Account disabled'],
  ] as const) {
    await row.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
    await expect(toastOf(page)).toContainText(toast);
    if (badge) await expect(row.getByText(badge, { exact: true })).toBeVisible();
    else await expect(row.getByRole('button', { name: 'Make admin' })).toBeVisible();
  }
  await userPage.goto('/domains');
  await expect(userPage).toHaveURL(/\/auth/);
  await row.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable account' }).click();
  await expect(row.getByRole('button', { name: 'Disable' })).toBeVisible();
  await signInAs(userPage, { username, password: userPassword });
  await expect(page.getByText('This is you')).toHaveCount(0);
});

test('an admin transfers a website to another account and deletes it; errors are shown', async ({ browser, page }) => {
  const [ownerPage, newOwnerPage] = [await browser.newPage(), await browser.newPage()];
  await signInAsNewUser(ownerPage);
  const { domain } = await createWebsite(ownerPage);
  const newOwner = await signInAsNewUser(newOwnerPage);

  await signInAs(page, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: /Manage Profiles/ }).click();
  await page.getByLabel('Search domain or owner').fill(domain);
  const row = page.getByRole('row').filter({ hasText: domain });
  await row.getByRole('button', { name: 'Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer Profile' });
  await dialog.getByRole('button', { name: 'Find account' }).click();
  await expectTexts(page, 'transfer without a new owner');
  const field = dialog.getByLabel('New owner Firebase UID');
  await field.fill('nobody-of-this-name');
  await dialog.getByRole('button', { name: 'Find account' }).click();
  await expect(dialog.getByText('There is no account with this UID, email address or username.')).toBeVisible();
  await field.fill(newOwner);
  await field.press('Enter');
  await expect(dialog.getByText(`${newOwner}@mail.example`)).toBeVisible();
  const transfer = dialog.getByRole('button', { name: `Transfer to ${newOwner}` });
  await page.route('**/api/admin/transfer-profile', serverError);
  await transfer.click();
  await expectTexts(page, 'transfer fails');
  await page.unrouteAll();
  await transfer.click();
  await expectTexts(page, 'profile transferred');
  await expect(row).toContainText(newOwner);

  await row.getByRole('button', { name: 'Delete' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' });
  await page.route('**/api/admin/profiles/*', serverError);
  await confirm.click();
  await expectTexts(page, 'profile deletion fails');
  await page.unrouteAll();
  await confirm.click();
  await expectTexts(page, 'profile deleted');
  await expectTexts(page, 'profiles, none');
  // Other tests leave websites without an owner.
  await page.route('**/api/admin/orphaned-profiles*', (route) => route.fulfill({ json: [] }));
  await page.getByRole('button', { name: /Orphaned Profiles/ }).click();
  await expectTexts(page, 'profiles, none orphaned');

  await page.goto('/admin/panel?tab=audit');
  const log = page.getByRole('table', { name: 'Audit log' });
  const transferred = log.getByRole('row').filter({ hasText: 'Transferred a website profile' }).first();
  await expect(transferred).toContainText(new RegExp(`${domain}.*to ${newOwner}`));
});

test('a user without admin rights sees Access Denied and is redirected to the home page', async ({ page }) => {
  await signInAsNewUser(page);
  for (const path of ['/admin', '/admin/panel', '/admin/profiles']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  }
  await expect(page).toHaveURL(/:\d+\/$/);
  await expectTexts(page, 'home, signed in');
});

test('a list leaves a page that no longer exists, and a canceled change returns the focus', async ({ page }) => {
  const name = await signInAsNewUser(page);
  await signInAs(page, admin);
  for (const path of ['/admin/panel?tab=users&page=999', '/admin/submissions?status=rejected&page=999']) {
    await page.goto(path);
    await expect(page).not.toHaveURL(/page=999/);
  }
  await page.goto(`/admin/panel?tab=users&search=${name}`);
  const disable = page.getByRole('button', { name: `Disable: ${name}` });
  await disable.click();
  await page.getByRole('dialog', { name: 'Disable account' }).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(disable).toBeFocused();
});
