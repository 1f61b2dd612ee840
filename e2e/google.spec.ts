import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test';
import { findViolations } from './axe.ts';
import { standInForGapi } from './gapi-stand-in.ts';
import { projectId } from './google-identities.ts';
import { join, toastOf, unique, userPassword } from './person.ts';

const isEmulator = process.env.E2E_EMULATOR_URL !== undefined;
const googleButton = (page: Page) => page.getByRole('button', { name: 'Continue with Google' });

// New accounts are counted by the address they come from: the other tests have another one.
test.use({ extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.40' } });

test.beforeEach(({ context }) => standInForGapi(context));

test('a visitor signs in with Google in a window, lands where they wanted to go, signs out, and is known the next time', async ({
  page,
}) => {
  await page.goto('/risk-assessment?tab=reports');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('also subscribes you to product news')).toBeVisible();
  const person = newPerson();
  const subscribed = page.waitForResponse('**/api/newsletter/subscribe');
  await signInByWindow(page, person);
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/risk-assessment\?tab=reports$/);
  expect((await subscribed).ok()).toBe(true);
  expect((await subscribed).request().postDataJSON()).toEqual({ email: person.email, firstName: 'Ada' });
  const account = await me(page);
  expect(account).toMatchObject({ email: person.email, displayName: 'Ada Lovelace', isAdmin: false });

  await page.reload();
  await expect(page).toHaveURL(/\/risk-assessment/);
  expect(await keptByProvider(page)).toBe(1);
  await logOut(page);
  await expect(toastOf(page)).toContainText('Signed out');
  expect(await keptByProvider(page)).toBe(0);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);

  await signInByWindow(page, person);
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await me(page)).toMatchObject({ id: account.id });
});

test('where the window is blocked, the page itself goes to Google and comes back; product news can be ended', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/submit-sites');
  await expect(page).toHaveURL(/\/auth$/);
  const person = newPerson();
  const subscribed = page.waitForResponse('**/api/newsletter/subscribe');
  await googleButton(page).click();
  await page.waitForURL('**/emulator/auth/handler*');
  await choose(page, person);
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/submit-sites$/);
  expect(await me(page)).toMatchObject({ email: person.email });

  await subscribed;
  await page.goto('/account?tab=security');
  const news = page.getByRole('checkbox', { name: 'Send me product news by email' });
  await expect(news).toBeChecked();
  // Not uncheck(), which wants the box to change before the request is on its way.
  await news.click();
  await expect(toastOf(page)).toContainText('You will no longer receive product news.');
  await page.reload();
  await expect(news).not.toBeChecked();
});

test('a person who comes back from Google without signing in can try again', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto('/auth');
  await googleButton(page).click();
  await page.waitForURL('**/emulator/auth/handler*');
  await page.goBack();
  await expect(googleButton(page)).toBeEnabled();
});

test('closing the window is no failure, and one can try again', async ({ page, context }) => {
  await page.goto('/auth');
  const popup = await openWindow(page, context);
  await popup.close();
  await expect(page.getByText('The Google window was closed before you were signed in.')).toBeVisible();
  await expect(toastOf(page)).toHaveCount(0);
  await expect(googleButton(page)).toBeEnabled();
});

test('somebody whom the provider disables is signed out when they come again, and told why they get in no more', async ({
  page,
}) => {
  const person = newPerson();
  await page.goto('/auth');
  await signInByWindow(page, person);
  await expect(page).toHaveURL(/\/dashboard$/);
  const { firebaseUid } = await me(page);
  await disableAtProvider(page, firebaseUid);
  await page.goto('/account');
  await expect(toastOf(page)).toContainText('Google has ended this sign-in.');
  expect(await keptByProvider(page)).toBe(0);
  expect((await page.request.get('/api/auth/current-user')).status()).toBe(401);
  await page.goto('/auth');
  await signInByWindow(page, person);
  await expectRefusal(page, 'This account has been disabled.');
});

test('a sign-in that fails is told in a sentence, can be tried again, and leaves nobody half signed in', async ({
  page,
}) => {
  await page.goto('/auth');
  const person = newPerson();
  const failing = async (url: string, answer: (route: Route) => Promise<void>, sentence: string) => {
    await page.route(url, answer);
    await signInByWindow(page, person);
    await expectRefusal(page, sentence);
    await page.unroute(url);
    expect(await keptByProvider(page)).toBe(0);
  };
  const signIn = '**/accounts:signInWithIdp*';
  const tooMany = { error: { code: 400, message: 'TOO_MANY_ATTEMPTS_TRY_LATER' } };
  await failing(signIn, (route) => route.abort(), 'Google could not be reached.');
  await failing(signIn, (route) => route.fulfill({ status: 400, json: tooMany }), 'Too many attempts.');
  const broken = (route: Route) => route.fulfill({ status: 500, body: 'broken' });
  await failing('**/api/auth/firebase', broken, 'There was a problem signing you in. Please try again.');
  await signInByWindow(page, person);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a password account with the same address is joined by its password, and not without', async ({
  page,
  context,
}) => {
  const username = await join(page);
  await context.clearCookies();
  const person = { ...newPerson(), email: `${username}@mail.example` };
  await page.goto('/auth');
  await signInByWindow(page, person);
  const dialog = page.getByRole('dialog', { name: 'You already have an account' });
  await expect(dialog.getByRole('textbox')).toBeFocused();
  expect(await findViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => keptByProvider(page)).toBe(0);

  await signInByWindow(page, person);
  const password = dialog.getByRole('textbox', { name: 'Account password' });
  await password.fill('not this one');
  await dialog.getByRole('button', { name: 'Sign in and link' }).click();
  await expect(dialog.getByText('This is not your current password.')).toBeVisible();
  await password.fill(userPassword);
  await dialog.getByRole('button', { name: 'Sign in and link' }).click();
  await expect(toastOf(page)).toContainText('Signed in successfully!');
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(await me(page)).toMatchObject({ username, displayName: 'Ada Lovelace' });
});

test('people with a password never load the library of the provider', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await join(page);
  await page.goto('/dashboard');
  await logOut(page);
  await expect(toastOf(page)).toContainText('Signed out');
  expect(loaded.filter((url) => /google/.test(url))).toEqual([]);
});

interface Person {
  email: string;
  name: string;
}

const newPerson = (): Person => ({ email: `${unique('g')}@mail.example`, name: 'Ada Lovelace' });

async function signInByWindow(page: Page, person: Person): Promise<void> {
  await choose(await openWindow(page, page.context()), person);
}

async function openWindow(page: Page, context: BrowserContext): Promise<Page> {
  const popup = context.waitForEvent('page');
  await googleButton(page).click();
  return await popup;
}

/** Chooses an account on the page of the stand-in, or of the emulator. */
async function choose(page: Page, { email, name }: Person): Promise<void> {
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

async function expectRefusal(page: Page, sentence: string): Promise<void> {
  await expect(toastOf(page)).toContainText('Sign in failed');
  await expect(toastOf(page)).toContainText(sentence);
  await expect(page.locator('main').getByText(sentence)).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(googleButton(page)).toBeEnabled();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function me(page: Page) {
  return await (await page.request.get('/api/auth/current-user')).json();
}

/** How many people the provider's library keeps in this browser. */
const keptByProvider = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('firebase:authUser:')).length);

/** As an administrator of the project does it. */
async function disableAtProvider(page: Page, localId: string): Promise<void> {
  const state = await page.locator('meta[name="page-state"]').getAttribute('content');
  const provider = JSON.parse(state ?? '{}').google.emulatorUrl;
  const response = await page.request.post(
    `${provider}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:update`,
    { data: { localId, disableUser: true }, headers: { authorization: 'Bearer owner' } },
  );
  expect(response.ok(), await response.text()).toBe(true);
}
