import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { changeResponse } from './mock-responses.ts';

export const admin = { username: 'admin', password: 'admin-password-1' } as const;
export const userPassword = 'a long enough secret';

/** What the server asks of every change, and each browser sends. */
export const sameOriginHeaders = { 'sec-fetch-site': 'same-origin' } as const;

/** A name that no other test of the run uses. */
export const uniqueName = (word: string): string =>
  `${word}${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;

/** Signs in through the form and waits until the person has left it. */
export async function signInWithForm(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.goto('/auth');
  await page.getByLabel('Username or email').fill(username);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Registers through the form. @returns the username */
export async function registerWithForm(page: Page): Promise<string> {
  const username = uniqueName('person');
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

/** Registers with a request, for tests that begin after that. @returns the username */
export const signInAsNewUser = (page: Page): Promise<string> => registerUser(page.request);

/** Signs in with a request. */
export async function signInAs(page: Page, who: { username: string; password: string }): Promise<void> {
  await post(page.request, '/api/auth/login', who);
}

/** Sends requests in a session of its own: the person of the page stays signed in. */
export async function inNewSession<T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page has no browser of its own.');
  const context = await browser.newContext();
  try {
    return await work(context.request);
  } finally {
    await context.close();
  }
}

/** Sends requests as the admin, in a session of its own. */
export const asAdmin = <T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> =>
  inNewSession(page, async (request) => {
    await post(request, '/api/auth/login', admin);
    return work(request);
  });

/** Sends a request as the app does. @returns the body of the response, which is a success */
export async function post(request: APIRequestContext, path: string, data: object): Promise<Record<string, unknown>> {
  const response = await request.post(path, { data, headers: sameOriginHeaders });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

/** @returns the username */
export async function registerUser(request: APIRequestContext): Promise<string> {
  const username = uniqueName('person');
  await post(request, '/api/auth/register', { username, email: `${username}@mail.example`, password: userPassword });
  return username;
}

/** A file for a file picker, from its lines. */
export function buildCsvFile(name: string, lines: readonly string[]) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** Chooses a file in the picker with this button. */
export async function chooseFile(page: Page, button: string, file: ReturnType<typeof buildCsvFile>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(file);
}

/**
 * Hides imports in progress from a test that chooses a file: the import dialog would show an import that another test started.
 */
export async function hideRunningImports(page: Page): Promise<void> {
  await changeResponse<{ status: string }[]>(page, '**/api/domains/imports', (imports) =>
    imports.filter(({ status }) => status !== 'processing'),
  );
}

/** The message that is on the screen right now. */
export const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
