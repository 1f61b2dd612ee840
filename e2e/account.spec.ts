import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { signIn, signUp, toastOf, unique, userPassword } from './person.ts';

async function addWebsite(page: Page): Promise<string> {
  const domain = `${unique('site')}.example`;
  const response = await page.request.post('/api/profiles', {
    data: { domain },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(response.status()).toBe(201);
  return domain;
}

test('the account says who one is and what one may use', async ({ page }) => {
  const username = await signUp(page);
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  const main = page.getByRole('main');
  await expect(main).toContainText(`${username}@mail.example`);
  await expect(main).toContainText('Member since');
  await expect(main).toContainText('Full Access');
  await expect(main.getByText('active', { exact: true })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Admin Dashboard' })).toHaveCount(0);
  await main.getByRole('link', { name: 'Risk Assessment' }).click();
  await expect(page).toHaveURL(/\/risk-assessment$/);
  await page.goto('/account?subscription=canceled&test=true&tab=nonsense');
  await expect(page.getByRole('tab', { name: 'My Websites' })).toHaveAttribute('aria-selected', 'true');
});

test('a website that is added elsewhere appears within seconds and leads to its reports', async ({ page }) => {
  await signUp(page);
  await page.goto('/account');
  await expect(page.getByText('No Website Profiles')).toBeVisible();
  const domain = await addWebsite(page);
  await expect(page.getByRole('heading', { name: domain })).toBeVisible({ timeout: 15_000 });
  await page.getByRole('link', { name: `View Reports of ${domain}` }).click();
  await expect(page).toHaveURL(/\/risk-assessment\?profile=\d+/);
  await expect(page.getByRole('heading', { name: domain })).toBeVisible();
});

test('websites that can not be loaded are told in a sentence, and tried again', async ({ page }) => {
  await signUp(page);
  await page.route('**/api/profiles', (route) =>
    route.fulfill({ status: 500, json: { error: 'x', code: 'internal' } }),
  );
  await page.goto('/account');
  await expect(page.getByText('Failed to load your website profiles. Please try again.')).toBeVisible();
  await page.unroute('**/api/profiles');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No Website Profiles')).toBeVisible();
});

test('an API key is made, shown, copied, found again after a reload, and deleted', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page);
  await page.goto('/account');
  await page.getByRole('tab', { name: 'API Keys' }).click();
  await expect(page).toHaveURL(/tab=api-keys/);
  await page.getByRole('textbox', { name: 'Name of the key' }).fill('Nightly');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await expect(toastOf(page)).toContainText('API key created');
  const key = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Nightly' }) });
  await expect(key.locator('code')).toHaveText(/^lsv_\w{6}…$/);
  await expect(key).toContainText('0 of 1000 requests today');
  await expect(key).toContainText('Never used');
  await key.getByRole('button', { name: 'Show Nightly' }).click();
  await expect(key.locator('code')).toHaveText(/^lsv_\w{38}$/);
  const value = await key.locator('code').textContent();
  await key.getByRole('button', { name: 'Copy Nightly' }).click();
  await expect(toastOf(page)).toContainText('API key copied');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);

  await page.reload();
  await expect(key.locator('code')).toHaveText(`${value?.slice(0, 10)}…`);
  await key.getByRole('button', { name: 'Show Nightly' }).click();
  await expect(key.locator('code')).toHaveText(String(value));
  await key.getByRole('button', { name: 'Hide Nightly' }).click();
  await key.getByRole('button', { name: 'Delete Nightly' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click();
  await expect(toastOf(page)).toContainText('API key deleted');
  await expect(page.getByText('No API keys yet')).toBeVisible();
});

test('the sixth key can not be asked for, and the reason stands there', async ({ page }) => {
  await signUp(page);
  await page.goto('/account?tab=api-keys');
  const create = page.getByRole('button', { name: 'Create API Key' });
  for (let count = 1; count <= 5; count++) {
    await create.click();
    await expect(page.getByText(`${count} of 5 keys`)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'API Key', exact: true })).toHaveCount(5);
  await expect(create).toBeDisabled();
  await expect(page.getByText('You have 5 API keys, which is the most. Delete one to create another.')).toBeVisible();
  const rows = page.getByRole('list', { name: 'API Keys' }).getByRole('listitem');
  await expect(page.locator(':focus')).toContainText('Never used');
  await rows.first().getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click();
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toBeFocused();
});

test('an Enter that is held makes one key', async ({ page }) => {
  await signUp(page);
  await page.goto('/account?tab=api-keys');
  await page.getByRole('textbox', { name: 'Name of the key' }).focus();
  for (let press = 0; press < 15; press++) {
    await page.keyboard.down('Enter');
    await page.waitForTimeout(50);
  }
  await page.keyboard.up('Enter');
  await expect(page.getByText('1 of 5 keys')).toBeVisible();
  await page.getByRole('button', { name: 'Delete API Key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click();
  await expect(page.getByText('No API keys yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Create an API key' })).toBeFocused();
});

test('what fails about keys is told', async ({ page }) => {
  await signUp(page);
  const broken = { status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } };
  await page.goto('/account?tab=api-keys');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await expect(toastOf(page)).toContainText('API key created');
  await page.route('**/api/api-keys**', (route) => route.fulfill(broken));
  await page.getByRole('textbox', { name: 'Name of the key' }).fill('Kept while it fails');
  await page.getByRole('button', { name: 'Create API Key' }).click();
  await expect(toastOf(page)).toContainText('Error creating API key');
  await expect(page.getByRole('textbox', { name: 'Name of the key' })).toHaveValue('Kept while it fails');
  await page.route('**/api/api-keys/*', (route) => route.fulfill(broken));
  await page.getByRole('button', { name: 'Delete API Key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete API key' }).click();
  await expect(toastOf(page)).toContainText('Error deleting API key');
  await page.route('**/api/users/*/api-keys', (route) => route.fulfill(broken));
  await page.reload();
  await expect(page.getByText('Error loading API keys')).toBeVisible();
});

test('another password signs in, and the old one does not', async ({ page }) => {
  const username = await signUp(page);
  await page.goto('/account?tab=security');
  const fill = async (current: string, next: string, again = next) => {
    await page.getByRole('textbox', { name: 'Current password' }).fill(current);
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(next);
    await page.getByRole('textbox', { name: 'Confirm new password' }).fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill(userPassword, 'another long secret', 'another long secrte');
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await fill('not the password', 'another long secret');
  await expect(page.getByText('This is not your current password.').first()).toBeVisible();
  await fill(userPassword, 'another long secret');
  await expect(toastOf(page)).toContainText('Password changed');
  await expect(page.getByRole('textbox', { name: 'Current password' })).toHaveValue('');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, { username, password: 'another long secret' });
});

test('my data come as one file', async ({ page }) => {
  const username = await signUp(page);
  const domain = await addWebsite(page);
  await page.goto('/account?tab=security');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^linksieve-account-\d{4}-\d\d-\d\d\.json$/);
  const mine = JSON.parse(readFileSync(await file.path(), 'utf8'));
  expect(mine).toMatchObject({ account: { username }, websites: [{ domain, reports: [] }], apiKeys: [] });
});

for (const keep of [true, false]) {
  test(`a deleted account ${keep ? 'leaves its websites to the admins' : 'takes its websites with it'}`, async ({
    page,
  }) => {
    const username = await signUp(page);
    const domain = await addWebsite(page);
    await page.goto('/account?tab=security');
    await page.getByRole('button', { name: 'Delete my account' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete my account' });
    await confirm.click();
    await expect(dialog.getByText('Please enter your password')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill('not the password');
    await confirm.click();
    await expect(dialog.getByText('This is not your current password.')).toBeVisible();
    if (keep) await dialog.getByRole('checkbox', { name: 'Keep my reports with an admin' }).check();
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(userPassword);
    await confirm.click();
    await expect(page).toHaveURL(/\/$/);
    await expect(toastOf(page)).toContainText('Account deleted');
    const origin = new URL(page.url()).origin;
    const login = { data: { username, password: userPassword }, headers: { origin } };
    expect((await page.request.post('/api/auth/login', login)).status()).toBe(401);
    await signUp(page);
    const data = { domain };
    const again = await page.request.post('/api/profiles', { data, headers: { origin } });
    expect(again.status()).toBe(keep ? 409 : 201);
  });
}

test('what fails about signing in and up is told, and nothing typed is lost', async ({ page }) => {
  const broken = { status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } };
  await page.goto('/auth');
  await page.getByLabel('Username or email').fill('nobody-of-this-name');
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toastOf(page)).toContainText('Login Failed');
  await expect(toastOf(page)).toContainText('Invalid username or password');
  await page.route('**/api/auth/login', (route) => route.abort());
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toastOf(page)).toContainText('Sign in failed');
  await expect(page.getByLabel('Username or email')).toHaveValue('nobody-of-this-name');

  await page.goto('/auth?tab=register');
  await page.route('**/api/auth/register', (route) => route.fulfill(broken));
  await page.getByLabel('Email').fill('new@mail.example');
  await page.getByLabel('Username').fill('newcomer');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(userPassword);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(userPassword);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(toastOf(page)).toContainText('Registration Failed');
  await expect(toastOf(page)).toContainText('Could not create account. Please try again.');
  await expect(page.getByLabel('Email')).toHaveValue('new@mail.example');
});

test('a website that can not be deleted is told: when the server refuses, and when it is out of reach', async ({
  page,
}) => {
  await signUp(page);
  const domain = await addWebsite(page);
  await page.goto('/risk-assessment?tab=reports');
  await page.route('**/api/profiles/*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } }),
  );
  await page.getByRole('button', { name: `Delete Profile ${domain}` }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Profile' });
  await confirm.click();
  await expect(toastOf(page)).toContainText('Failed to Delete Profile');
  await page.route('**/api/profiles/*', (route) => route.abort());
  await confirm.click();
  await expect(toastOf(page)).toContainText('Error Deleting Profile');
});
