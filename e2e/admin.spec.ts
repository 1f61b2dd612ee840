import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { admin, signIn, signUp, toastOf, unique, userPassword } from './person.ts';

test('from the dashboard through every tab: maintenance survives a reload, and the log shows who did what from where', async ({
  page,
}) => {
  await signIn(page, admin);
  await page.goto('/admin');
  await expect(page.getByRole('link', { name: /^Total Domains/ })).toHaveAttribute('href', '/domains');
  await expect(page.getByRole('link', { name: /^High Risk/ })).toHaveAttribute('href', '/domains?riskLevel=high');
  await page.getByRole('link', { name: /^Users/ }).click();
  await expect(page).toHaveURL(/\/admin\/panel\?tab=users/);

  await page.getByRole('tab', { name: 'Database' }).click();
  await expect(page).toHaveURL(/tab=database/);
  await page.getByRole('button', { name: 'Run Maintenance' }).click();
  await expect(page.getByText(/Started by admin/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/tables were tidied.*Started by admin/)).toBeVisible({ timeout: 30_000 });

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export All Data' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toMatch(/^domain,/);

  await page.getByRole('button', { name: 'Clear Database' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete All Domains' });
  await expect(dialog.getByText(/\d+ domains? will be deleted/)).toBeVisible();
  await dialog.getByRole('textbox').fill('delete all');
  await dialog.getByRole('button', { name: 'Delete All Domains' }).click();
  await expect(toastOf(page)).toContainText('Confirmation Failed');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('tab', { name: 'System' }).click();
  await page.getByLabel('What was done').selectOption('Started maintenance');
  await expect(page).toHaveURL(/act=Started(\+|%20)maintenance/);
  const act = page.getByRole('table', { name: 'Admin activity' }).getByRole('row').nth(1);
  await expect(act).toContainText('Started maintenance');
  await expect(act).toContainText('admin');
  await expect(act).toContainText(/127\.0\.0\.1|::1/);
  await expect(page.getByRole('table', { name: 'Recent jobs' })).toContainText('Maintenance');
  await expect(page.getByText('PostgreSQL', { exact: true })).toBeVisible();
});

test('an account is made an admin, unmade, disabled and enabled; a disabled person is out at once', async ({
  browser,
  page,
}) => {
  const theirs = await (await browser.newContext()).newPage();
  const username = await signUp(theirs);
  await signIn(page, admin);
  await page.goto('/admin/panel?tab=users');
  await page.getByLabel('Search accounts').fill(username);
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(page).toHaveURL(new RegExp(`search=${username}`));
  for (const [button, confirm, state, told] of [
    ['Make admin', 'Make admin', 'Admin', 'Admin added'],
    ['Remove admin', 'Remove admin', undefined, 'Admin removed'],
    ['Disable', 'Disable account', 'Disabled', 'Account disabled'],
  ] as const) {
    await row.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByRole('button', { name: confirm }).click();
    await expect(toastOf(page)).toContainText(told);
    if (state) await expect(row.getByText(state, { exact: true })).toBeVisible();
    else await expect(row.getByRole('button', { name: 'Make admin' })).toBeVisible();
  }
  await theirs.goto('/domains');
  await expect(theirs).toHaveURL(/\/auth/);
  await row.getByRole('button', { name: 'Enable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enable account' }).click();
  await expect(row.getByRole('button', { name: 'Disable' })).toBeVisible();
  await signIn(theirs, { username, password: userPassword });
  await expect(page.getByText('This is you')).toHaveCount(0);
});

test('a website is given to somebody who is named first, and can be deleted', async ({ browser, page }) => {
  const [first, second] = await Promise.all([browser.newContext(), browser.newContext()]);
  const [before, after] = [await first.newPage(), await second.newPage()];
  const domain = `${unique('moved')}.example`;
  await signUp(before);
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await before.request.post('/api/profiles', { data: { domain }, headers })).status()).toBe(201);
  const newOwner = await signUp(after);

  await signIn(page, admin);
  await page.goto('/admin');
  await page.getByRole('link', { name: /Manage Profiles/ }).click();
  await page.getByLabel('Search domain or owner').fill(domain);
  const row = page.getByRole('row').filter({ hasText: domain });
  await row.getByRole('button', { name: 'Transfer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Transfer Profile' });
  await dialog.getByRole('button', { name: 'Find account' }).click();
  await expect(toastOf(page)).toContainText('Missing Information');
  const field = dialog.getByLabel('New owner Firebase UID');
  await field.fill('nobody-of-this-name');
  await dialog.getByRole('button', { name: 'Find account' }).click();
  await expect(dialog.getByText('There is no account with this UID, email address or username.')).toBeVisible();
  await field.fill(newOwner);
  await field.press('Enter');
  await expect(dialog.getByText(`${newOwner}@mail.example`)).toBeVisible();
  await dialog.getByRole('button', { name: `Transfer to ${newOwner}` }).click();
  await expect(toastOf(page)).toContainText('Profile Transferred');
  await expect(row).toContainText(newOwner);

  await row.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' }).click();
  await expect(toastOf(page)).toContainText('Profile Deleted');
  await expect(page.getByText('No profiles found')).toBeVisible();
  // Other tests leave websites without an owner.
  await page.route('**/api/admin/orphaned-profiles*', (route) => route.fulfill({ json: [] }));
  await page.getByRole('button', { name: /Orphaned Profiles/ }).click();
  await expect(page.getByRole('dialog').getByText('No orphaned profiles found')).toBeVisible();

  await page.goto('/admin/panel?tab=system');
  const log = page.getByRole('table', { name: 'Admin activity' });
  const transferred = log.getByRole('row').filter({ hasText: 'Transferred a website profile' }).first();
  await expect(transferred).toContainText(new RegExp(`${domain}.*to ${newOwner}`));
});

test('who is no admin is told so, and taken home', async ({ page }) => {
  await signUp(page);
  for (const path of ['/admin', '/admin/panel', '/admin/profiles']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  }
  await expect(page).toHaveURL(/:\d+\/$/, { timeout: 10_000 });
});
