import { expect, type Page } from '@playwright/test';
import {
  inNewSession,
  post,
  registerUser,
  signInAsNewUser,
  signInWithForm,
  toastOf,
  uniqueName,
  userPassword,
} from './accounts.ts';
import { waitForEmail } from './emails.ts';
import { serverError } from './mock-responses.ts';
import { test } from './test.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const currentPassword = (page: Page) =>
  page.getByRole('region', { name: 'Email address' }).getByRole('textbox', { name: 'Current password', exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const linkPattern = /http:\/\/localhost:\d+\/account\?tab=profile#[\w-]{43}/;

async function changeEmail(page: Page, email: string, password = userPassword): Promise<void> {
  await field(page, 'New email address').fill(email);
  await currentPassword(page).fill(password);
  await button(page, 'Change email address').click();
}

test('a new name appears in the header at once and survives a reload; an empty one is refused', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/account');
  await page.getByRole('link', { name: 'Edit profile' }).click();
  await expect(page.getByRole('tab', { name: 'Profile & security' })).toHaveAttribute('aria-selected', 'true');
  await field(page, 'Display name').fill(' ');
  await button(page, 'Save name').click();
  await expect(field(page, 'Display name')).toHaveAccessibleDescription('Please enter a name');
  await expect(field(page, 'Display name')).toBeFocused();
  await page.route('**/api/account', serverError);
  await field(page, 'Display name').fill('Kept Name');
  await button(page, 'Save name').click();
  await expect(toastOf(page)).toContainText('Name not changed');
  await expect(field(page, 'Display name')).toHaveValue('Kept Name');
  await page.unroute('**/api/account');
  await field(page, 'Display name').fill('Grace Hopper');
  await button(page, 'Save name').click();
  await expect(toastOf(page)).toContainText('Name changed');
  const menu = page.getByRole('banner').getByRole('button', { name: 'Account menu' });
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await expect(menu).toContainText('GH');
    await expect(page.getByRole('main')).toContainText('Grace Hopper');
    await expect(field(page, 'Display name')).toHaveValue('Grace Hopper');
  }
});

test('a new email address replaces the old one when the user confirms its link', async ({ page }) => {
  const username = await signInAsNewUser(page);
  const email = `${uniqueName('moved')}@mail.example`;
  const taken = await inNewSession(page, registerUser);
  await page.goto('/account?tab=profile');
  await changeEmail(page, email, 'not the password');
  await expect(currentPassword(page)).toHaveAccessibleDescription('This is not your current password.');
  await expect(currentPassword(page)).toBeFocused();
  await changeEmail(page, `${taken}@mail.example`);
  await expect(field(page, 'New email address')).toHaveAccessibleDescription(
    'An account with this email address already exists.',
  );
  await changeEmail(page, 'no address');
  await expect(field(page, 'New email address')).toHaveAccessibleDescription('Please enter a valid email address');
  await changeEmail(page, email);
  const main = page.getByRole('main');
  const note = main.getByRole('note');
  await expect(note).toContainText(`We sent a link to ${email}.`);
  await expect(currentPassword(page)).toHaveValue('');
  await page.reload();
  await expect(note).toContainText(email);
  await expect(main).toContainText(`Your current address is ${username}@mail.example.`);

  const link = await waitForEmail(email, linkPattern);
  // The link leads through the sign-in if the browser has no session.
  await page.context().clearCookies();
  await page.goto('/');
  await page.goto(link);
  await expect(page).toHaveURL(/\/auth/);
  await page.getByLabel('Username or email').fill(username);
  await field(page, 'Password').fill(userPassword);
  await button(page, 'Sign in').click();
  await button(page, 'Confirm address').click();
  await expect(toastOf(page)).toContainText('Email address changed');
  await expect(page).toHaveURL('/account?tab=profile');
  await expect(main).toContainText(`Your current address is ${email}.`);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menu')).toContainText(email);
  // The old address was not confirmed, so its email does not contain the new one.
  await waitForEmail(`${username}@mail.example`, /was changed\./);

  await page.goto(link);
  await page.reload();
  await expect(main).toContainText('This link has expired, was already used or belongs to another account.');
  await page.context().clearCookies();
  await signInWithForm(page, { username: email, password: userPassword });
});

test('the address of a registration is confirmed with its link, which can be sent again', async ({ page }) => {
  const username = await signInAsNewUser(page);
  const email = `${username}@mail.example`;
  const first = await waitForEmail(email, linkPattern);
  await page.goto('/account');
  const notice = page.getByRole('region', { name: 'Confirm your email address' });
  await expect(notice).toContainText(`We sent a link to ${email}.`);
  await button(page, 'Send a new link').click();
  await expect(toastOf(page)).toContainText('Check your email');
  const [url, token] = first.split('#');
  await waitForEmail(email, new RegExp(`#(?!${token})[\\w-]{43}`));
  await page.goto(first);
  await button(page, 'Confirm address').click();
  await expect(toastOf(page)).toContainText('This link has expired');
  await expect(notice).toContainText(`We sent a link to ${email}.`);
  await page.goto(await waitForEmail(email, new RegExp(`${RegExp.escape(String(url))}#(?!${token})[\\w-]{43}`)));
  await expect(button(page, 'Send a new link')).toHaveCount(0);
  await button(page, 'Confirm address').click();
  await expect(toastOf(page)).toContainText('Email address confirmed');
  await expect(page).toHaveURL('/account?tab=profile');
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText(email);
  await expect(notice).toHaveCount(0);
});

test('the link of an older request is refused', async ({ page }) => {
  await signInAsNewUser(page);
  const [older, newer] = [`${uniqueName('older')}@mail.example`, `${uniqueName('newer')}@mail.example`];
  await post(page.request, '/api/account/email', { email: older, currentPassword: userPassword });
  const link = await waitForEmail(older, linkPattern);
  await post(page.request, '/api/account/email', { email: newer, currentPassword: userPassword });
  await page.goto(link);
  await button(page, 'Confirm address').click();
  await expect(toastOf(page)).toContainText('Email address not changed');
  await expect(page.getByRole('main')).toContainText('This link has expired, was already used');
});

test('an account without a password is told to set one first', async ({ page }) => {
  await signInAsNewUser(page);
  await page.route('**/api/account', (route) =>
    route.fulfill({
      json: { memberSince: '2026-01-05T10:00:00.000Z', hasPassword: false, pendingEmail: null, secondFactor: null },
    }),
  );
  await page.goto('/account?tab=profile');
  await expect(page.getByRole('main')).toContainText('first set a password on this page');
  await expect(field(page, 'New email address')).toHaveCount(0);
});
