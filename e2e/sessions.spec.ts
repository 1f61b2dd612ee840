import { type Browser, expect, type Page } from '@playwright/test';
import {
  admin,
  sameOriginHeaders,
  signInAs,
  signInAsNewUser,
  signInWithForm,
  toastOf,
  uniqueName,
  userPassword,
} from './accounts.ts';
import { allowClipboard, expectClipboard } from './clipboard.ts';
import { waitForEmail } from './emails.ts';
import { holdRequests } from './mock-responses.ts';
import { disableMail } from './page-state.ts';
import { test } from './test.ts';

// Reset links are limited per IP address and hour, so these tests use a separate address.
test.use({ extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.31' } });

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const newPassword = 'another long secret';
const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
const dialogButton = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

/** Signs the user in on another device. @returns its page, which shows the account */
async function signInOnOtherDevice(browser: Browser, username: string): Promise<Page> {
  const context = await browser.newContext({
    userAgent: firefox,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.32' },
  });
  const page = await context.newPage();
  await signInAs(page, { username, password: userPassword });
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  return page;
}

test('the account lists the sessions of a user, who can sign out another device', async ({ page, browser }) => {
  const username = await signInAsNewUser(page);
  const other = await signInOnOtherDevice(browser, username);
  await page.goto('/account?tab=profile');
  await expect(sessions(page)).toHaveCount(2);
  await expect(sessions(page).filter({ hasText: 'This device' })).toContainText('Chrome on Windows');
  const otherSession = sessions(page).filter({ hasText: 'Firefox on Linux' });
  await expect(otherSession).toContainText('198.51.100.32');
  await expect(otherSession).toContainText(/Last used [A-Z][a-z]+ \d+, \d{4} \d+:\d\d [AP]M/);
  await otherSession.getByRole('button', { name: 'Sign out Firefox on Linux, 198.51.100.32' }).click();
  await dialogButton(page, 'Sign out device').click();
  await expect(toastOf(page)).toContainText('Session ended');
  await expect(sessions(page)).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeFocused();
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);
  await page.reload();
  await expect(sessions(page)).toHaveCount(1);
  await other.context().close();
});

test('the account shows a wrong password and a sign-in, and admins find both by user', async ({ page, browser }) => {
  const username = await signInAsNewUser(page);
  const other = await browser.newContext({
    userAgent: firefox,
    extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.33' },
  });
  const form = await other.newPage();
  await form.goto('/auth');
  await form.getByLabel('Username or email').fill(username);
  await form.getByRole('textbox', { name: 'Password' }).fill('a wrong password');
  await form.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(toastOf(form)).toContainText('Invalid username or password');
  await signInWithForm(form, { username, password: userPassword });
  await page.goto('/account?tab=profile');
  const rows = page.getByRole('table', { name: 'Security activity' }).locator('tbody tr');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/Signed in.*Firefox on Linux.*198\.51\.100\.33/);
  await expect(rows.nth(1)).toContainText(/Wrong password.*Firefox on Linux.*198\.51\.100\.33/);
  await expect(rows.nth(2)).toContainText('Account created');
  await other.close();

  await signInAs(page, admin);
  await page.goto('/admin/panel?tab=audit');
  await page.getByRole('combobox', { name: 'Log', exact: true }).selectOption('Security activity');
  await page.getByRole('searchbox', { name: 'Exact username' }).fill(username);
  await expect(rows).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('Wrong password');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(username);
});

test('signing out everywhere else keeps this session, and signing out everywhere ends all sessions', async ({
  page,
  browser,
}) => {
  const username = await signInAsNewUser(page);
  await page.goto('/account?tab=profile');
  await expect(sessions(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
  const other = await signInOnOtherDevice(browser, username);
  await page.reload();
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await dialogButton(page, 'Sign out everywhere else').click();
  await expect(toastOf(page)).toContainText('All other devices were signed out.');
  await expect(sessions(page)).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);

  await signInAs(other, { username, password: userPassword });
  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click();
  await dialogButton(page, 'Sign out everywhere').click();
  await expect(toastOf(page)).toContainText('You have been signed out successfully');
  await expect(page).toHaveURL('/');
  for (const each of [page, other]) {
    await each.goto('/account');
    await expect(each).toHaveURL(/\/auth/);
  }
  await other.context().close();
});

test('changing the password ends the other sessions and updates the list', async ({ page, browser }) => {
  const username = await signInAsNewUser(page);
  const other = await signInOnOtherDevice(browser, username);
  await page.goto('/account?tab=profile');
  await expect(sessions(page)).toHaveCount(2);
  const password = page.getByRole('region', { name: 'Change password' });
  await password.getByRole('textbox', { name: 'Current password' }).fill(userPassword);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(newPassword);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(toastOf(page)).toContainText('Password changed');
  await expect(sessions(page)).toHaveCount(1);
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);
  await other.context().close();
});

test('an error is shown if sessions cannot be loaded or ended', async ({ page, browser }) => {
  const username = await signInAsNewUser(page);
  const other = await signInOnOtherDevice(browser, username);
  let failures = 0;
  await page.route('**/api/account/sessions', async (route) => {
    await route.fulfill({ status: 500, json: { error: 'Something went wrong on our side.', code: 'internal' } });
    failures += 1;
  });
  await page.goto('/account?tab=profile');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.click();
  await expect.poll(() => failures).toBe(2);
  await page.unroute('**/api/account/sessions');
  // A click while the failed response is still being processed does not send another request.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click();
    await expect(sessions(page)).toHaveCount(2, { timeout: 2000 });
  }).toPass();
  await page.route('**/api/account/sessions/*', (route) => route.abort());
  await page.getByRole('button', { name: /^Sign out Firefox/ }).click();
  await dialogButton(page, 'Sign out device').click();
  await expect(toastOf(page)).toContainText('Sign out failed');
  await page.unroute('**/api/account/sessions/*');
  await dialogButton(page, 'Sign out device').click();
  await expect(sessions(page)).toHaveCount(1);
  await other.context().close();
});

test('a user resets a forgotten password with the link in an email', async ({ page, browser }) => {
  const username = await signInAsNewUser(page);
  const other = await signInOnOtherDevice(browser, username);
  await page.context().clearCookies();
  await page.goto('/auth');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveTitle('Forgot your password? · Linksieve');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Please enter a valid email address/);
  await page.getByLabel('Email').fill(`${username}@mail.example`);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Check your email.')).toBeVisible();

  const link = await waitForEmail(`${username}@mail.example`, /http:\/\/localhost:\d+\/auth\?tab=reset#[\w-]{43}/);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url() + JSON.stringify(request.headers())));
  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('short');
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('other');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('textbox', { name: 'New password', exact: true })).toBeFocused();
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(newPassword);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(toastOf(page)).toContainText('Password changed');
  await expect(page).toHaveURL('/account?tab=profile');
  const access = page.getByRole('region', { name: 'Other access' });
  await expect(access).toContainText('Anyone with its address can read your alerts');
  await access.getByRole('button', { name: 'Revoke all access' }).click();
  await dialogButton(page, 'Revoke all access').click();
  await expect(toastOf(page).last()).toContainText('Access revoked');
  // The token after the # never appears in a URL or header, only in the body of the request that uses it.
  expect(requests.filter((request) => request.includes(link.split('#')[1] ?? ''))).toEqual([]);
  await other.reload();
  await expect(other).toHaveURL(/\/auth/);
  await other.context().close();

  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a third long secret');
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('a third long secret');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await page.getByRole('link', { name: 'Get a new link' }).click();
  // A signed-in user needs no link.
  await expect(page).toHaveURL('/dashboard');
  await page.context().clearCookies();
  await signInWithForm(page, { username, password: newPassword });
});

test('an account that uses Google gets a link by email to set its first password', async ({ page }) => {
  const username = await signInAsNewUser(page);
  await page.route('**/api/account', (route) =>
    route.fulfill({
      json: { memberSince: '2026-01-05T10:00:00.000Z', hasPassword: false, pendingEmail: null, secondFactor: null },
    }),
  );
  await page.goto('/account?tab=profile');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(toastOf(page)).toContainText(`We sent a link to ${username}@mail.example.`);
  await page.goto(await waitForEmail(`${username}@mail.example`, /http:\/\/localhost:\d+\/auth\?tab=reset#[\w-]{43}/));
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
});

test('an email address without an account gets the same response', async ({ page }) => {
  await page.goto('/auth?tab=forgot');
  await page.getByLabel('Email').fill(`${uniqueName('nobody')}@mail.example`);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByText('Check your email.').locator('..')).toBeFocused();
  await page.getByRole('button', { name: 'Try another address' }).click();
  await page.route('**/api/auth/reset-request', (route) => route.abort());
  await page.getByLabel('Email').fill('kept@mail.example');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(toastOf(page)).toContainText('Email not sent');
  await expect(page.getByLabel('Email')).toHaveValue('kept@mail.example');
});

test('a server without email says that an admin can help', async ({ page }) => {
  await disableMail(page);
  await page.goto('/auth?tab=forgot');
  await expect(page.getByRole('main')).toContainText(
    'This server does not send email. An admin can create a link for you',
  );
});

test('an admin creates a reset link, which works while another user is signed in', async ({ page }) => {
  await allowClipboard(page);
  const username = await signInAsNewUser(page);
  await signInAs(page, admin);
  await page.goto(`/admin/panel?tab=users&search=${username}`);
  await page.getByRole('button', { name: `Create reset link: ${username}` }).click();
  await dialogButton(page, 'Create reset link').click();
  const link = await page.getByRole('textbox', { name: `Link for ${username}` }).inputValue();
  await dialogButton(page, 'Copy the link').click();
  await expectClipboard(page, link);
  await dialogButton(page, 'Done').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The dialog does not show the link a second time.
  await page.getByRole('button', { name: `Create reset link: ${username}` }).click();
  await expect(page.getByRole('textbox', { name: `Link for ${username}` })).toHaveCount(0);
  await dialogButton(page, 'Cancel').click();

  await page.goto(link);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(newPassword);
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill(newPassword);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(toastOf(page)).toContainText(`You are signed in as ${username}.`);
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText(`${username}@mail.example`);
});

test('going back after signing out does not show the account', async ({ page }) => {
  const username = await signInAsNewUser(page);
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText(`${username}@mail.example`);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page).toHaveURL(/\/auth/);
  await expect(page.getByText(`${username}@mail.example`)).toHaveCount(0);
});

test('signing out while other requests are running leads to the home page', async ({ page }) => {
  await signInAsNewUser(page);
  const release = await holdRequests(page, '**/api/backlinks/analyses');
  await page.goto('/risk-assessment');
  const visited: string[] = [];
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname));
  await page.route('**/api/auth/logout', async (route) => {
    const response = await route.fetch();
    const refused = page.waitForResponse((other) => other.status() === 401);
    release();
    await (await refused).finished();
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(toastOf(page)).toContainText('Signed out');
  await expect(page).toHaveURL('/');
  expect(visited).not.toContain('/auth');
});

test('the debug sign-in returns 404', async ({ page }) => {
  const response = await page.goto('/debug-login');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  const post = await page.request.post('/api/auth/debug-login', {
    data: { email: 'tester@mail.example' },
    headers: sameOriginHeaders,
  });
  expect(post.status()).toBe(404);
});
