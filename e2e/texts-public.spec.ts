import { expect, test } from '@playwright/test';
import { withDebugPages } from './debug-pages.ts';
import { broken, expectTexts, slow, unreachable } from './expect-texts.ts';
import { join, unique, userPassword } from './person.ts';
import { importSample } from './sample-data.ts';

test('the public pages', async ({ page }) => {
  // An empty blacklist has no 'at least so many'.
  await importSample(page, 1);
  await page.goto('/');
  await expectTexts(page, 'every page: header and footer, signed out');
  await expectTexts(page, 'home, signed out');
  await page.goto('/features');
  await expectTexts(page, 'features, signed out');
  await page.goto('/use-cases');
  await expectTexts(page, 'use cases');
  await page.goto('/about');
  await expectTexts(page, 'about');
  await page.goto('/privacy-policy');
  await expectTexts(page, 'privacy policy');
  await page.goto('/terms-of-service');
  await expectTexts(page, 'terms of service');
  await page.goto('/no-such-page');
  await expectTexts(page, 'not found');
});

test('the price list sends on to the features', async ({ page }) => {
  await page.route(/assets\/features-page.*\.js/, slow);
  await page.goto('/pricing', { waitUntil: 'commit' });
  await expectTexts(page, 'pricing, on its way');
  await expect(page).toHaveURL('/features');
});

test('the public pages of somebody who is signed in', async ({ page }) => {
  await join(page);
  await page.goto('/');
  await expectTexts(page, 'home, signed in');
  await page.goto('/features');
  await expectTexts(page, 'features, signed in');
});

test('the contact form', async ({ page }) => {
  await page.goto('/contact');
  await expectTexts(page, 'contact');
  const send = page.getByRole('button', { name: /^Send/ });
  await send.click();
  await expectTexts(page, 'contact, nothing filled in');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@mail.example');
  await page.getByRole('textbox', { name: 'Subject' }).fill(unique('question'));
  await page.getByRole('textbox', { name: 'Message' }).fill('Is this address read by somebody?');
  await page.route('**/api/contact', broken);
  await send.click();
  await expectTexts(page, 'contact, the server fails');
  await page.unroute('**/api/contact');
  await send.click();
  await expectTexts(page, 'contact, sent');
});

test('signing in and out', async ({ page }) => {
  const username = await join(page);
  await page.route('**/api/auth/current-user', slow);
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expectTexts(page, 'session unknown');
  await expect(page.getByRole('heading', { name: 'Blacklist' })).toBeVisible();
  await page.unroute('**/api/auth/current-user');
  await page.context().clearCookies();
  await page.goto('/auth');
  await expectTexts(page, 'sign in');
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await signIn.click();
  await expectTexts(page, 'sign in, nothing filled in');
  await page.getByLabel('Username or email').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill('not my password');
  await signIn.click();
  await expectTexts(page, 'sign in, refused');
  await page.getByRole('textbox', { name: 'Password' }).fill(userPassword);
  await page.route('**/api/auth/login', broken);
  await signIn.click();
  await expectTexts(page, 'sign in, unexpected answer');
  await page.unroute('**/api/auth/login');
  await signIn.click();
  await expectTexts(page, 'signed in');
  await expect(page).toHaveURL('/dashboard');
  await page.route('**/api/auth/logout', unreachable);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expectTexts(page, 'sign out fails');
  await page.unroute('**/api/auth/logout');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expectTexts(page, 'signed out');
});

test('registering', async ({ page }) => {
  await page.goto('/auth?tab=register');
  await expectTexts(page, 'register');
  const create = page.getByRole('button', { name: 'Create account' });
  await create.click();
  await expectTexts(page, 'register, nothing filled in');
  const username = unique('person');
  await page.getByLabel('Email').fill(`${username}@mail.example`);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(userPassword);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('another secret');
  await create.click();
  await expectTexts(page, 'register, passwords differ');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(userPassword);
  await expectTexts(page, 'register, passwords match');
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 400, json: { error: '' } }));
  await create.click();
  await expectTexts(page, 'register, refused without a reason');
  await page.unroute('**/api/auth/register');
  await page.route('**/api/auth/register', broken);
  await create.click();
  await expectTexts(page, 'register, the server fails');
  await page.unroute('**/api/auth/register');
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 201, json: null }));
  await create.click();
  await expectTexts(page, 'register, unexpected answer');
  await page.unroute('**/api/auth/register');
  await create.click();
  await expectTexts(page, 'registered');
});

test('the debug sign-in', async ({ page }) => {
  await withDebugPages(page);
  await page.goto('/debug-login');
  await expectTexts(page, 'debug login');
  await page.getByRole('button', { name: 'Create debug user' }).click();
  await expectTexts(page, 'debug login, nothing filled in');
  await page.getByLabel('Email').fill('tester@mail.example');
  await page.getByRole('button', { name: 'Create debug user' }).click();
  await expectTexts(page, 'debug login, refused');
});
