import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { sameOriginHeaders, signInAsNewUser, signInWithForm, toastOf, uniqueName, userPassword } from './accounts.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { expectTexts } from './expect-texts.ts';
import { holdEnter } from './hold-enter.ts';
import { changeResponse, holdRequests, networkError, serverError } from './mock-responses.ts';
import { enableDebugPages } from './page-state.ts';
import { createWebsite } from './sample-data.ts';
import { test } from './test.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

test('the account shows the user; a website added in another tab appears with a link to its reports', async ({
  page,
}) => {
  await page.clock.install();
  const username = await signInAsNewUser(page);
  await page.goto('/account?test=true&tab=nonsense');
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'My Websites' })).toHaveAttribute('aria-selected', 'true');
  const main = page.getByRole('main');
  await expect(main).toContainText(`${username}@mail.example`);
  await expect(main).toContainText('Member since');
  await expect(main.getByRole('link', { name: 'Admin Dashboard' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Risk Assessment' }).click();
  await expect(page).toHaveURL(/\/risk-assessment$/);
  await page.goBack();

  await expect(page.getByText('No Website Profiles')).toBeVisible();
  const { domain } = await createWebsite(page);
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('heading', { name: domain })).toBeVisible();
  await page.getByRole('link', { name: `View Reports for ${domain}` }).click();
  await expect(page).toHaveURL(/\/risk-assessment\?profile=\d+/);
  await expect(page.getByRole('heading', { name: domain })).toBeVisible();
});

test('an inactive account without a name is shown, and loading the websites can be retried', async ({ page }) => {
  await signInAsNewUser(page);
  await changeResponse(page, '**/api/auth/current-user', (user) => ({
    ...user,
    displayName: '',
    subscriptionStatus: 'inactive',
  }));
  await page.route('**/api/profiles', serverError);
  await page.goto('/account');
  await expectTexts(page, 'account without a display name');
  await expectTexts(page, 'account, inactive');
  await expectTexts(page, 'websites not loaded');
  await page.unroute('**/api/profiles');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No Website Profiles')).toBeVisible();
});

test('an API key is created, shown, copied and deleted, and survives a reload; errors are shown', async ({ page }) => {
  await allowClipboard(page);
  await signInAsNewUser(page);
  await page.goto('/account');
  await page.getByRole('tab', { name: 'API Keys' }).click();
  await expect(page).toHaveURL(/tab=api-keys/);
  const create = page.getByRole('button', { name: 'Create API Key' });
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete API key' });
  await field(page, 'Key name').fill('Nightly');
  await create.click();
  await expectTexts(page, 'API key created');
  const key = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Nightly' }) });
  await expect(key.locator('code')).toHaveText(/^lsv_\w{6}…$/);
  await expect(key).toContainText('0 of 1000 requests today');
  await expect(key).toContainText('Never used');
  await key.getByRole('button', { name: 'Show Nightly' }).click();
  await expectTexts(page, 'API key shown');
  await expect(key.locator('code')).toHaveText(/^lsv_\w{38}$/);
  const value = await key.locator('code').innerText();
  await key.getByRole('button', { name: 'Copy Nightly' }).click();
  await expectTexts(page, 'API key copied');
  await expectClipboard(page, value);

  await page.route('**/api/api-keys**', serverError);
  await field(page, 'Key name').fill('Kept while it fails');
  await create.click();
  await expectTexts(page, 'API key not created');
  await expect(field(page, 'Key name')).toHaveValue('Kept while it fails');
  await page.route('**/api/api-keys/*', serverError);
  await key.getByRole('button', { name: 'Delete Nightly' }).click();
  await confirm.click();
  await expectTexts(page, 'API key not deleted');
  await page.route('**/api/users/*/api-keys', serverError);
  await page.reload();
  await expectTexts(page, 'API keys not loaded');

  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(key.locator('code')).toHaveText(`${value?.slice(0, 10)}…`);
  await key.getByRole('button', { name: 'Show Nightly' }).click();
  await expect(key.locator('code')).toHaveText(String(value));
  await key.getByRole('button', { name: 'Hide Nightly' }).click();
  await key.getByRole('button', { name: 'Delete Nightly' }).click();
  await confirm.click();
  await expectTexts(page, 'API key deleted');
  await expect(page.getByText('No API keys yet')).toBeVisible();
});

test('an API key is created with an expiry and rotated, and both values work until the old one is stopped', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await page.goto('/account?tab=api-keys');
  await field(page, 'Key name').fill('Crawler');
  await page.getByLabel('Expires').selectOption('On a date');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await expect(page.getByText('Please choose a date in the future')).toBeVisible();
  const date = page.getByLabel('Date');
  await expect(date).toBeFocused();
  await date.fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Create API Key' }).click();
  const key = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Crawler' }) });
  await expect(key).toContainText(/Expires in [234] days/);
  await expect(page.getByLabel('Expires')).toHaveValue('never');

  const value = key.locator('code');
  await key.getByRole('button', { name: 'Show Crawler' }).click();
  await expect(value).toHaveText(/^lsv_\w{38}$/);
  const first = await value.innerText();
  const statusOf = async (sent: string) =>
    (await page.request.get('/api/v1/check?domain=clean.example', { headers: { 'x-api-key': sent } })).status();
  const rotate = async (current: string, expires: string) => {
    await key.getByRole('button', { name: 'Rotate Crawler' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rotate API key' });
    await dialog.getByRole('radio', { name: current }).check();
    await dialog.getByLabel('Expires').selectOption(expires);
    await dialog.getByRole('button', { name: 'Rotate API key' }).click();
    await expect(dialog).toBeHidden();
  };
  await rotate('Works for 24 hours', 'In 90 days');
  await expect(key).toContainText('The earlier value works until');
  await expect(key).not.toContainText(/Expires in [234] days/);
  await expect(value).toHaveText(/^lsv_\w{38}$/);
  const second = await value.innerText();
  expect(second).not.toBe(first);
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
  await page.reload();
  await expect(key).toContainText(/Last used .* from (127\.0\.0\.1|::1)/);
  await expect(key).toContainText('2 of 1000 requests today');

  await rotate('Stops working immediately', 'Never');
  await expect(key).not.toContainText('The earlier value works until');
  await expect(key).not.toContainText('Expires');
  expect([await statusOf(first), await statusOf(second), await statusOf(await value.innerText())]).toEqual([
    401, 401, 200,
  ]);
});

test('holding Enter creates one API key; after five keys, the button is disabled with the reason', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/account?tab=api-keys');
  await field(page, 'Key name').focus();
  await holdEnter(page, page.getByText('1 of 5 keys'));
  await expect(page.getByText('1 of 5 keys')).toBeVisible();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete API key' });
  await page.getByRole('button', { name: 'Delete API Key' }).click();
  await confirm.click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Create an API key' })).toBeFocused();

  const create = page.getByRole('button', { name: 'Create API Key' });
  for (let count = 1; count <= 5; count++) {
    await create.click();
    await expect(page.getByText(`${count} of 5 keys`)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'API Key', exact: true })).toHaveCount(5);
  await expect(create).toBeDisabled();
  await expect(page.getByText('You have reached the limit of 5 API keys. Delete one to create another.')).toBeVisible();
  const rows = page.getByRole('list', { name: 'API Keys' }).getByRole('listitem');
  await expect(page.locator(':focus')).toContainText('Never used');
  await rows.first().getByRole('button', { name: 'Delete' }).click();
  await confirm.click();
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toBeFocused();
});

test('a user downloads their data and changes the password', async ({ page }) => {
  const username = await signInAsNewUser(page);
  const { domain } = await createWebsite(page);
  await page.goto('/account?tab=privacy');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^linksieve-account-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'));
  expect(data).toMatchObject({ account: { username }, websites: [{ domain, reports: [] }], apiKeys: [] });

  await page.getByRole('tab', { name: 'Profile & security' }).click();
  const currentPassword = page
    .getByRole('region', { name: 'Change password' })
    .getByRole('textbox', { name: 'Current password', exact: true });
  const changePassword = async (current: string, next: string, confirmation = next) => {
    await currentPassword.fill(current);
    await field(page, 'New password').fill(next);
    await field(page, 'Confirm new password').fill(confirmation);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await changePassword(userPassword, 'another long secret', 'another long secrte');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await changePassword('not the password', 'another long secret');
  await expect(page.getByText('This is not your current password.').first()).toBeVisible();
  await changePassword(userPassword, 'another long secret');
  await expect(toastOf(page)).toContainText('Password changed');
  await expect(currentPassword).toHaveValue('');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signInWithForm(page, { username, password: 'another long secret' });
});

for (const keep of [true, false]) {
  test(`deleting an account ${keep ? 'leaves its websites to the admins' : 'deletes its websites'}`, async ({
    page,
  }) => {
    const username = await signInAsNewUser(page);
    const { domain } = await createWebsite(page);
    await page.goto('/account?tab=privacy');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete my account' });
    await confirm.click();
    await expect(dialog.getByText('Please enter your password')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the password');
    await confirm.click();
    await expect(dialog.getByText('This is not your current password.')).toBeVisible();
    if (keep) await dialog.getByRole('checkbox', { name: 'Keep my reports without my name' }).check();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(userPassword);
    await confirm.click();
    await expect(page).toHaveURL(/\/$/);
    await expect(toastOf(page)).toContainText('Account deleted');
    const login = { data: { username, password: userPassword }, headers: sameOriginHeaders };
    expect((await page.request.post('/api/auth/login', login)).status()).toBe(401);
    await signInAsNewUser(page);
    const again = await page.request.post('/api/profiles', { data: { domain }, headers: sameOriginHeaders });
    expect(again.status()).toBe(keep ? 409 : 201);
  });
}

test('signing in leads to the screen that was requested; errors of signing out and in are shown', async ({ page }) => {
  const username = await signInAsNewUser(page);
  const release = await holdRequests(page, '**/api/auth/current-user');
  await page.goto('/alerts', { waitUntil: 'commit' });
  await expectTexts(page, 'session loading');
  release();
  await expect(page.getByRole('heading', { name: 'Alerts', level: 1 })).toBeVisible();
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account menu' }).click();
    await expectTexts(page, 'account menu');
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };
  await page.route('**/api/auth/logout', networkError);
  await signOut();
  await expectTexts(page, 'sign out fails');
  await page.unroute('**/api/auth/logout');
  await signOut();
  await expectTexts(page, 'signed out');

  await page.goto('/domains?search=casino&riskLevel=high');
  await expect(page).toHaveURL(/\/auth/);
  const name = page.getByLabel('Username or email');
  const password = page.getByRole('textbox', { name: 'Password' });
  const submit = page.getByRole('button', { name: 'Sign in', exact: true });
  await submit.click();
  await expectTexts(page, 'sign in, nothing filled in');
  await name.fill(username);
  await password.fill('not the password');
  await submit.click();
  await expectTexts(page, 'sign in, refused');
  await page.route('**/api/auth/login', networkError);
  await submit.click();
  await expect(toastOf(page)).toContainText('Sign in failed');
  await page.route('**/api/auth/login', serverError);
  await submit.click();
  await expectTexts(page, 'sign in, unexpected response');
  await page.unroute('**/api/auth/login');
  await expect(name).toHaveValue(username);
  await password.fill(userPassword);
  await submit.click();
  await expectTexts(page, 'signed in');
  await expect(page).toHaveURL(/\/domains\?search=casino&riskLevel=high/);
});

test('a visitor registers; errors are shown, and the form keeps its values', async ({ page }) => {
  await page.goto('/auth?tab=register');
  const create = page.getByRole('button', { name: 'Create account' });
  await create.click();
  await expectTexts(page, 'register, nothing filled in');
  const username = uniqueName('user');
  await page.getByLabel('Email').fill(`${username}@mail.example`);
  await page.getByLabel('Username').fill(username);
  await field(page, 'Password').fill(userPassword);
  await field(page, 'Confirm password').fill('another secret');
  await create.click();
  await expectTexts(page, 'register, passwords differ');
  await field(page, 'Confirm password').fill(userPassword);
  await expectTexts(page, 'register, passwords match');
  const call = '**/api/auth/register';
  await page.route(call, (route) => route.fulfill({ status: 400, json: { error: '' } }));
  await create.click();
  await expectTexts(page, 'register, refused without a reason');
  await page.route(call, serverError);
  await create.click();
  await expectTexts(page, 'register, the server fails');
  await page.route(call, (route) => route.fulfill({ status: 201, json: null }));
  await create.click();
  await expectTexts(page, 'register, unexpected response');
  await expect(page.getByLabel('Email')).toHaveValue(`${username}@mail.example`);
  await page.unroute(call);
  await create.click();
  await expectTexts(page, 'registered');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the debug sign-in shows its form and its errors', async ({ page }) => {
  await enableDebugPages(page);
  await page.goto('/debug-login');
  await expectTexts(page, 'debug login');
  const create = page.getByRole('button', { name: 'Create debug user' });
  await create.click();
  await expectTexts(page, 'debug login, nothing filled in');
  await page.getByLabel('Email').fill('tester@mail.example');
  await create.click();
  await expectTexts(page, 'debug login, refused');
});
