import { type APIRequestContext, type BrowserContext, expect, type Page } from '@playwright/test';

export const admin = { username: 'admin', password: 'admin-password-1' } as const;
export const userPassword = 'a long enough secret';

/** What the server asks of every change, and each browser sends. */
export const sameOrigin = { 'sec-fetch-site': 'same-origin' } as const;

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

/** Registers with a request, for tests that begin after that. @returns the username */
export const join = (page: Page): Promise<string> => register(page.request);

/** Signs in with a request. All tests of a worker share one session of the admin: a test that ends it uses `signIn`. */
export async function enter(page: Page, who: { username: string; password: string }): Promise<void> {
  if (who.username === admin.username) await enterShared(page.context(), 'admin');
  else await post(page.request, '/api/auth/login', who);
}

/** Signs in as the account that all tests of a worker share: for tests that leave nothing behind in it. */
export const enterAsMember = (page: Page): Promise<void> => enterShared(page.context(), 'member');

/** Sends requests from another session of this browser, such as `asAdmin` for one of the admin. */
export async function elsewhere<T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> {
  return inContext(page, ({ request }) => work(request));
}

/** Sends requests as the admin. The person of the page stays signed in. */
export async function asAdmin<T>(page: Page, work: (request: APIRequestContext) => Promise<T>): Promise<T> {
  return inContext(page, async (context) => {
    await enterShared(context, 'admin');
    return work(context.request);
  });
}

/** Sends a request as the app does. @returns the body of the response, which is a success */
export async function post(request: APIRequestContext, path: string, data: object): Promise<Record<string, unknown>> {
  const response = await request.post(path, { data, headers: sameOrigin });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

export async function register(request: APIRequestContext): Promise<string> {
  const username = unique('person');
  await post(request, '/api/auth/register', { username, email: `${username}@mail.example`, password: userPassword });
  return username;
}

const begin = {
  admin: (request: APIRequestContext) => post(request, '/api/auth/login', admin),
  member: register,
};
const sharedSessions = new Map<keyof typeof begin, Cookie[]>();
type Cookie = Awaited<ReturnType<BrowserContext['cookies']>>[number];

/** One password is hashed per worker and not per test. A session that a test has ended is replaced. */
async function enterShared(context: BrowserContext, who: keyof typeof begin): Promise<void> {
  const cookies = sharedSessions.get(who);
  if (cookies) {
    await context.addCookies(cookies);
    if ((await context.request.get('/api/auth/current-user')).ok()) return;
  }
  await begin[who](context.request);
  sharedSessions.set(who, await context.cookies());
}

async function inContext<T>(page: Page, work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const browser = page.context().browser();
  if (!browser) throw new Error('This page has no browser of its own.');
  const context = await browser.newContext();
  try {
    return await work(context);
  } finally {
    await context.close();
  }
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
