import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { openReady } from '../scripts/ready.ts';

export const admin = { username: 'admin', password: 'admin-password-1' } as const;
export const userPassword = 'a long enough secret';

/** The header that the server requires for every change, and that browsers send. */
export const sameOriginHeaders = { 'sec-fetch-site': 'same-origin' } as const;

interface Credentials {
  username: string;
  password: string;
}

/** Returns a name that no other test of the run uses. */
export const uniqueName = (word: string): string =>
  `${word}${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;

/** Signs in through the form and waits until the browser leaves the sign-in page. */
export async function signInWithForm(page: Page, { username, password }: Credentials): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username or email').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Registers through the form. @returns the username */
export async function registerWithForm(page: Page): Promise<string> {
  const username = uniqueName('user');
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('Email').fill(`${username}@mail.example`);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(userPassword);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(userPassword);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).not.toHaveURL(/\/auth/);
  return username;
}

/** Registers a new user through the API, which also signs the page in. @returns the username */
export const signInAsNewUser = (page: Page): Promise<string> => registerUser(page.request);

/** Signs in through the API. */
export async function signInAs(page: Page, credentials: Credentials): Promise<void> {
  await post(page.request, '/api/auth/login', credentials);
}

/** Sends requests in a separate session. The user of the page stays signed in. */
export async function inNewSession<T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page does not belong to a browser that can open another context.');
  const context = await browser.newContext();
  try {
    return await work(context.request);
  } finally {
    await context.close();
  }
}

let adminSession: Promise<APIRequestContext> | undefined;

/** Sends requests as the admin, in one session for all tests of a worker. */
export async function asAdmin<T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> {
  adminSession ??= openAdminSession(page);
  return work(await adminSession);
}

async function openAdminSession(page: Page): Promise<APIRequestContext> {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('This page does not belong to a browser that can open another context.');
  await post(context.request, '/api/auth/login', admin);
  return context.request;
}

/** Sends a request as the app does, and expects it to succeed. @returns the response body */
export async function post(
  request: APIRequestContext,
  path: string,
  data: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const response = await request.post(path, { data, headers: { ...sameOriginHeaders, ...headers } });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

/** Registers a new user through the API, which also signs the request context in. @returns the username */
export async function registerUser(request: APIRequestContext): Promise<string> {
  const username = uniqueName('user');
  const data = { username, email: `${username}@mail.example`, password: userPassword };
  await post(request, '/api/auth/register', data, differentAddress());
  return username;
}

/** Returns a header with a random client address, so that the tests of a run stay below the limits of one address. */
export function differentAddress(): Record<string, string> {
  const part = () => Math.floor(Math.random() * 256);
  return { 'x-forwarded-for': `10.${part()}.${part()}.${part()}` };
}

/** Locates the toasts on the screen. */
export const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');

/** Opens a page as somebody without an account. */
export async function openSignedOut(page: Page, url: string): Promise<Page> {
  const context = await page.context().browser()?.newContext({ reducedMotion: 'reduce' });
  if (!context) throw new Error('This page does not belong to a browser that can open another context.');
  const reader = await context.newPage();
  await openReady(reader, url);
  return reader;
}
