import { type BrowserContext, expect, type Page, type Route } from '@playwright/test';
import { signInAsNewUser, toastOf, uniqueName, userPassword } from './accounts.ts';
import { findViolations } from './axe.ts';
import { mockGapi } from './fake-gapi.ts';
import { projectId } from './google-identity-api.ts';
import { test } from './test.ts';

const isEmulator = process.env.E2E_EMULATOR_URL !== undefined;
const googleButton = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });

// New accounts are limited per IP address, so these tests use a separate address.
test.use({
  extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.40' },
  // Chromium does not know the address of a page that a test serves, and the provider is on this machine.
  permissions: ['local-network-access'],
});

test.beforeEach(({ context }) => mockGapi(context));

test('a visitor signs in with a Google popup, reaches the requested screen and signs in again later', async ({
  page,
}) => {
  await page.goto('/risk-assessment?tab=reports');
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  await expect(page.getByText('also subscribes you to product news')).toBeVisible();
  const googleUser = buildGoogleUser();
  const subscribed = page.waitForResponse('**/api/newsletter/subscribe');
  await signInWithPopup(page, googleUser);
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/risk-assessment\?tab=reports$/);
  expect((await subscribed).ok()).toBe(true);
  expect((await subscribed).request().postDataJSON()).toEqual({ email: googleUser.email, firstName: 'Ada' });
  const account = await getCurrentUser(page);
  expect(account).toMatchObject({ email: googleUser.email, displayName: 'Ada Lovelace', isAdmin: false });

  await page.reload();
  await expect(page).toHaveURL(/\/risk-assessment/);
  expect(await countStoredSessions(page)).toBe(1);
  await signOut(page);
  await expect(toastOf(page)).toContainText('Signed out');
  expect(await countStoredSessions(page)).toBe(0);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth(\?|$)/);

  await signInWithPopup(page, googleUser);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await getCurrentUser(page)).toMatchObject({ id: account.id });
});

test('if the popup is blocked, the page redirects to Google; the user can unsubscribe from news', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/submit-sites');
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  const googleUser = buildGoogleUser();
  const subscribed = page.waitForResponse('**/api/newsletter/subscribe');
  await googleButton(page).click();
  await page.waitForURL('**/emulator/auth/handler*');
  await chooseGoogleAccount(page, googleUser);
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/submit-sites$/);
  expect(await getCurrentUser(page)).toMatchObject({ email: googleUser.email });

  await subscribed;
  await page.goto('/account?tab=notifications');
  const news = page.getByRole('checkbox', { name: 'Send me product news by email' });
  await expect(news).toBeChecked();
  // uncheck() would fail, because the checkbox changes only after the response.
  await news.click();
  await expect(toastOf(page)).toContainText('You will no longer receive product news.');
  await page.reload();
  await expect(news).not.toBeChecked();
});

test('a user who goes back from Google without signing in can try again', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/auth');
  await googleButton(page).click();
  await page.waitForURL('**/emulator/auth/handler*');
  await page.goBack();
  await expect(googleButton(page)).toBeEnabled();
});

test('closing the popup is not an error, and the user can try again', async ({ page, context }) => {
  await page.goto('/auth');
  const popup = await openPopup(page, context);
  await popup.close();
  await expect(page.getByText('The Google window was closed before you were signed in.')).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);
  await expect(googleButton(page)).toBeEnabled();
});

test('a user whom the provider disabled is signed out on the next visit and sees why they cannot sign in', async ({
  page,
}) => {
  const googleUser = buildGoogleUser();
  await page.goto('/auth');
  await signInWithPopup(page, googleUser);
  await expect(page).toHaveURL(/\/dashboard$/);
  const { firebaseUid } = await getCurrentUser(page);
  await disableAtProvider(page, firebaseUid);
  await page.goto('/account');
  await expect(toastOf(page)).toContainText('Google has ended this sign-in.');
  expect(await countStoredSessions(page)).toBe(0);
  expect((await page.request.get('/api/auth/current-user')).status()).toBe(401);
  await page.goto('/auth');
  await signInWithPopup(page, googleUser);
  await expectSignInError(page, 'This account has been disabled.');
});

test('a failed sign-in shows an error, can be retried, and leaves no stored provider session', async ({ page }) => {
  await page.goto('/auth');
  const googleUser = buildGoogleUser();
  const expectFailure = async (url: string, handle: (route: Route) => Promise<void>, sentence: string) => {
    await page.route(url, handle);
    await signInWithPopup(page, googleUser);
    await expectSignInError(page, sentence);
    await page.unroute(url);
    expect(await countStoredSessions(page)).toBe(0);
  };
  const signIn = '**/accounts:signInWithIdp*';
  const tooMany = { error: { code: 400, message: 'TOO_MANY_ATTEMPTS_TRY_LATER' } };
  await expectFailure(signIn, (route) => route.abort(), 'Google could not be reached.');
  await expectFailure(signIn, (route) => route.fulfill({ status: 400, json: tooMany }), 'Too many attempts.');
  const serverError = (route: Route) => route.fulfill({ status: 500, body: 'broken' });
  await expectFailure('**/api/auth/firebase', serverError, 'There was a problem signing you in. Please try again.');
  await signInWithPopup(page, googleUser);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a password account with the same email address is linked only with its password', async ({ page, context }) => {
  const username = await signInAsNewUser(page);
  await context.clearCookies();
  const googleUser = { ...buildGoogleUser(), email: `${username}@mail.example` };
  await page.goto('/auth');
  await signInWithPopup(page, googleUser);
  const dialog = page.getByRole('dialog', { name: 'You already have an account' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => countStoredSessions(page)).toBe(0);

  await signInWithPopup(page, googleUser);
  const password = dialog.getByRole('textbox', { name: 'Account password' });
  await password.fill('not this one');
  await dialog.getByRole('button', { name: 'Sign in and link' }).click();
  await expect(dialog.getByText('This is not your current password.')).toBeVisible();
  await password.fill(userPassword);
  await dialog.getByRole('button', { name: 'Sign in and link' }).click();
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await getCurrentUser(page)).toMatchObject({ username, displayName: 'Ada Lovelace' });
});

test('users with a password never load the provider library', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await signInAsNewUser(page);
  await page.goto('/dashboard');
  await signOut(page);
  await expect(toastOf(page)).toContainText('Signed out');
  expect(loaded.filter((url) => /google/.test(url))).toEqual([]);
});

interface GoogleUser {
  email: string;
  name: string;
}

const buildGoogleUser = (): GoogleUser => ({ email: `${uniqueName('g')}@mail.example`, name: 'Ada Lovelace' });

async function signInWithPopup(page: Page, googleUser: GoogleUser): Promise<void> {
  await chooseGoogleAccount(await openPopup(page, page.context()), googleUser);
}

async function openPopup(page: Page, context: BrowserContext): Promise<Page> {
  const popup = context.waitForEvent('page');
  await googleButton(page).click();
  return await popup;
}

/** Chooses an account on the provider's page: that of our stand-in, or of the emulator. */
async function chooseGoogleAccount(page: Page, { email, name }: GoogleUser): Promise<void> {
  if (!isEmulator) {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return;
  }
  const known = page.locator('.js-reuse-account', { hasText: email });
  await page.locator('.js-new-account').waitFor();
  if (await known.count()) return await known.first().click();
  await page.locator('.js-new-account').click();
  await page.locator('#email-input').fill(email);
  await page.locator('#display-name-input').fill(name);
  await page.locator('#sign-in').click();
}

async function expectSignInError(page: Page, sentence: string): Promise<void> {
  await expect(toastOf(page)).toContainText('Sign in failed');
  await expect(toastOf(page)).toContainText(sentence);
  await expect(page.locator('main').getByText(sentence)).toBeVisible();
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  await expect(googleButton(page)).toBeEnabled();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function getCurrentUser(page: Page) {
  return await (await page.request.get('/api/auth/current-user')).json();
}

/** Counts the users that the provider library has stored in this browser. */
const countStoredSessions = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('firebase:authUser:')).length);

/** Disables a user as an administrator of the Firebase project does. */
async function disableAtProvider(page: Page, localId: string): Promise<void> {
  const data = await page.locator('#page-data').textContent();
  const provider = JSON.parse(data ?? '{}').state.google.emulatorUrl;
  const response = await page.request.post(
    `${provider}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:update`,
    { data: { localId, disableUser: true }, headers: { authorization: 'Bearer owner' } },
  );
  expect(response.ok(), await response.text()).toBe(true);
}
