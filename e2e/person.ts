import { expect, type Page } from '@playwright/test';

export const admin = { username: 'admin', password: 'admin-password-1' } as const;
export const userPassword = 'a long enough secret';

/** A name that no other test of the run uses. */
export const unique = (word: string): string =>
  `${word}${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;

/** Signs in through the form and waits until the person has left it. */
export async function signIn(
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
export async function signUp(page: Page): Promise<string> {
  const username = unique('person');
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

/** Registers by the call of the form: for what begins after that. @returns the username */
export async function join(page: Page): Promise<string> {
  const username = unique('person');
  const data = { username, email: `${username}@mail.example`, password: userPassword };
  const response = await page.request.post('/api/auth/register', {
    data,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(response.ok(), await response.text()).toBe(true);
  return username;
}

/** Signs in by the call of the form. */
export async function enter(page: Page, data: { username: string; password: string }): Promise<void> {
  const response = await page.request.post('/api/auth/login', { data, headers: { 'sec-fetch-site': 'same-origin' } });
  expect(response.ok(), await response.text()).toBe(true);
}

/** A file for a file picker, from its lines. */
export function fileOf(name: string, lines: readonly string[]) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\r\n')}\r\n`) };
}

/** Chooses a file in the picker with this button. */
export async function chooseFile(page: Page, button: string, file: ReturnType<typeof fileOf>): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: button }).click();
  await (await chooser).setFiles(file);
}

/**
 * The import dialog takes up an import that is under way, and other tests import too: for those that choose a file, none is.
 */
export async function noOtherImports(page: Page): Promise<void> {
  await page.route('**/api/domains/imports', (route) => route.fulfill({ json: [] }));
}

/** The message that is on the screen right now. */
export const toastOf = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
