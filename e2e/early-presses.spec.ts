import { expect, type Page, test } from '@playwright/test';
import { signInAsNewUser } from './accounts.ts';
import { checkField, openBeforeApp, openHome, themeButton } from './early-presses.ts';
import { holdRequests } from './mock-responses.ts';

const checkBox = (page: Page) => page.getByRole('region', { name: 'Is a domain on the blacklist?' });

test('a link clicked while the sign-in page loads opens, and the sign-in still returns to the first screen', async ({
  page,
}) => {
  const release = await holdRequests(page, '**/assets/auth-page*.js');
  await page.goto('/domains?search=first.example');
  await expect(page).toHaveURL('/auth');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  release();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem('redirect-after-login'))).toBe(
    '/domains?search=first.example',
  );
});

test('a menu clicked twice before the app starts opens once', async ({ page }) => {
  const startApp = await openHome(page);
  await themeButton(page).click();
  await themeButton(page).click();
  await startApp();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a menu clicked before the app starts stays closed if the user then clicked something else', async ({ page }) => {
  const startApp = await openHome(page);
  await themeButton(page).click();
  await checkField(page).click();
  await page.keyboard.type('typed.example');
  await startApp();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('!');
  await expect(checkField(page)).toHaveValue('typed.exampl!e');
  await expect(themeButton(page)).toHaveAttribute('aria-expanded', 'false');
});

test('a check submitted before the app starts is sent once', async ({ page }) => {
  const checks: string[] = [];
  page.on('request', (request) => request.url().includes('/api/check') && checks.push(request.url()));
  const startApp = await openHome(page);
  await checkField(page).fill('there-is-no-such-name.example');
  await page.keyboard.press('Enter');
  await startApp();
  await expect(checkBox(page)).toContainText('there-is-no-such-name.example');
  expect(checks).toHaveLength(1);
});

test('the focus, the caret and opened or chosen controls stay when the app starts', async ({ page }) => {
  const startApp = await openBeforeApp(page, '/api/docs');
  const details = page.getByRole('group').filter({ has: page.locator('summary') });
  const [first, second] = [details.nth(0), details.nth(1)];
  await first.locator('summary').click();
  await second.locator('summary').click();
  await page.getByRole('radio', { name: 'Python' }).first().check();
  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('caret.example');
  await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 6));
  await startApp();
  await expect(first).not.toHaveAttribute('open');
  await expect(second).toHaveAttribute('open');
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked();
  await page.keyboard.type('-');
  await expect(field).toHaveValue('caret-example');
});

test('a message that is written and sent before the app starts is sent once', async ({ page }) => {
  const bodies: unknown[] = [];
  page.on('request', (request) => request.url().endsWith('/api/contact') && bodies.push(request.postDataJSON()));
  const startApp = await openBeforeApp(page, '/contact');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill('ada@mail.example');
  await page.getByLabel('Subject').fill('A question');
  await page.getByRole('textbox', { name: 'Message' }).fill('Is this message sent, although the app has not loaded?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await startApp();
  await expect(page.getByRole('main')).toContainText('Thank You for Reaching Out!');
  expect(bodies).toHaveLength(1);
  expect(bodies[0]).toMatchObject({ name: 'Ada', subject: 'A question' });
});

test('a search that is typed and submitted before the app starts shows its results', async ({ page }) => {
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/domains');
  await page.getByLabel('Sort by').selectOption('Date added');
  await page.getByRole('searchbox', { name: 'Search domains' }).fill('typed-early');
  await page.keyboard.press('Enter');
  await startApp();
  await expect(page).toHaveURL(/search=typed-early/);
  await expect(page.getByRole('searchbox', { name: 'Search domains' })).toHaveValue('typed-early');
  await expect(page).toHaveURL(/sort=/);
});

test('a public page loads the app when a control is used, and keeps the scroll position and the selected text', async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto('/api/docs#errors');
  await page.getByRole('heading', { name: 'Rate limits', exact: true }).dblclick();
  const selected = () => page.evaluate(() => getSelection()?.toString().trim());
  const before = await selected();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ControlOrMeta+c');
  expect(scripts.filter((url) => !url.endsWith('/first-paint.js'))).toEqual([]);

  await page.mouse.wheel(0, -200);
  const scrolled = () => page.evaluate(() => window.scrollY);
  const position = await page.evaluate(waitForScrollEnd);
  await themeButton(page).hover();
  await expect(page.locator('html')).toHaveAttribute('data-ready');
  expect([await selected(), await scrolled()]).toEqual([before, position]);
});

test('the check opens the page of the domain if the app cannot be loaded', async ({ page }) => {
  await page.route('**/assets/shell*.js', (route) => route.abort());
  await page.goto('/');
  await checkField(page).fill('there-is-no-such-name.example');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/domain/there-is-no-such-name.example');
});

test('a page restored from the memory of the browser reloads after a sign-in', async ({ page }) => {
  await page.goto('/');
  const restore = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await restore();
  await page.evaluate(() => localStorage.setItem('session-changed', '1'));
  await Promise.all([page.waitForEvent('load'), restore()]);
});

/** Runs in the page: waits until it has scrolled and does not move for ten frames. @returns the position in pixels */
async function waitForScrollEnd(): Promise<number> {
  let last = 0;
  for (let still = 0; still < 10; ) {
    await new Promise(requestAnimationFrame);
    still = window.scrollY === last && last > 0 ? still + 1 : 0;
    last = window.scrollY;
  }
  return last;
}
