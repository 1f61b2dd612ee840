import { expect, type Page, test } from '@playwright/test';
import { waitForReady } from '../scripts/ready.ts';
import { hold } from './routes.ts';

test('a link pressed while the sign-in page loads wins, and the screen asked for first is remembered', async ({
  page,
}) => {
  const release = await hold(page, '**/assets/auth-page*.js');
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

test('a shortcut back to the same screen leads to the sign-in page again', async ({ page }) => {
  const release = await hold(page, '**/assets/auth-page*.js');
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/auth');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  release();
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible();
});

/** Opens a public page whose app is still on its way. @returns lets the app come, and waits until it is there */
async function openEarly(page: Page, path: string, button: string): Promise<() => Promise<void>> {
  const release = await hold(page, '**/assets/*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: button, exact: true })).toBeDisabled();
  return async () => {
    release();
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled();
  };
}

const openHome = (page: Page) => openEarly(page, '/', 'Check');
const checkField = (page: Page) => page.getByLabel('Domain or page URL');
const checkBox = (page: Page) => page.getByRole('region', { name: 'Is a domain on the blacklist?' });
const themeButton = (page: Page) => page.getByRole('button', { name: 'Theme' });

test('a menu pressed before the app is there opens once, however often it was pressed', async ({ page }) => {
  const arrive = await openHome(page);
  await themeButton(page).click();
  await themeButton(page).click();
  await arrive();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('the menu of a phone pressed before the app is there opens', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const arrive = await openHome(page);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await arrive();
  await expect(page.getByRole('navigation', { name: 'Main, small screen' })).toBeVisible();
});

test('a menu pressed before the app is there stays closed when the person has turned to something else', async ({
  page,
}) => {
  const arrive = await openHome(page);
  await themeButton(page).click();
  await checkField(page).click();
  await page.keyboard.type('typed.example');
  await arrive();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('!');
  await expect(checkField(page)).toHaveValue('typed.exampl!e');
  await expect(themeButton(page)).toHaveAttribute('aria-expanded', 'false');
});

for (const way of ['Enter', 'the button'] as const) {
  test(`a check sent with ${way} before the app is there is answered`, async ({ page }) => {
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/api/check') && asked.push(request.url()));
    const arrive = await openHome(page);
    await checkField(page).fill('there-is-no-such-name.example');
    if (way === 'Enter') await page.keyboard.press('Enter');
    else await page.getByRole('button', { name: 'Check', exact: true }).click({ force: true });
    await arrive();
    await expect(checkBox(page)).toContainText('there-is-no-such-name.example is not listed');
    expect(asked).toHaveLength(1);
  });
}

test('keys pressed before the app is there work', async ({ page }) => {
  const arrive = await openHome(page);
  await page.keyboard.press('ControlOrMeta+k');
  await arrive();
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();

  const arriveAgain = await openHome(page);
  await page.keyboard.press('/');
  await arriveAgain();
  await expect(checkField(page)).toBeFocused();
});

test('the focus, the caret and what was opened or chosen stay when the app comes', async ({ page }) => {
  const arrive = await openEarly(page, '/api/docs', 'Send request');
  const answers = page.getByRole('group').filter({ has: page.locator('summary') });
  const [first, second] = [answers.nth(0), answers.nth(1)];
  await first.locator('summary').click();
  await second.locator('summary').click();
  await page.getByRole('radio', { name: 'Python' }).first().check();
  const field = page.getByLabel('Domain', { exact: true });
  await field.fill('caret.example');
  await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(5, 6));
  await arrive();
  await expect(first).not.toHaveAttribute('open');
  await expect(second).toHaveAttribute('open');
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked();
  await page.keyboard.type('-');
  await expect(field).toHaveValue('caret-example');
});

/** Presses on a button of a public page whose app is still on its way, and lets the app come once `press` has ended. */
async function pressEarly(page: Page, press: (page: Page) => Promise<void>): Promise<void> {
  const release = await hold(page, '**/assets/*.js');
  await page.goto('/', { waitUntil: 'commit' });
  await themeButton(page).hover();
  await press(page);
  release();
  // Everything that the app takes over with has been loaded and run.
  await page.waitForLoadState('load');
  await page.evaluate(async () => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    await Promise.all(
      loaded.filter((name) => name.endsWith('.js') && name.includes('/assets/')).map((name) => import(name)),
    );
    await new Promise((resolve) => setTimeout(resolve));
  });
}

test('a press that is under way when the app comes takes effect', async ({ page }) => {
  await pressEarly(page, () => page.mouse.down());
  await page.mouse.up();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
});

test('the second press of a double click holds the app back after the first one has ended', async ({ page }) => {
  await page.clock.install();
  await pressEarly(page, async () => {
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.down();
    await page.clock.runFor(60);
    expect(await page.evaluate('earlyPresses.held.has("pointer")')).toBe(true);
    await page.clock.resume();
  });
  await page.mouse.up();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
});

test('a press that does not end holds the app back for ten seconds', async ({ page }) => {
  await page.clock.install();
  await pressEarly(page, () => page.mouse.down());
  await expect(page.getByRole('button', { name: 'Check', exact: true })).toBeDisabled();
  await page.clock.fastForward(11_000);
  await expect(page.getByRole('button', { name: 'Check', exact: true })).toBeEnabled();
});

test('the app remembers no presses if the part that repeats them cannot be loaded', async ({ page }) => {
  await page.route('**/assets/early-presses*.js', (route) => route.abort());
  await page.goto('/');
  await waitForReady(page);
  await page.keyboard.press('x');
  expect(await page.evaluate('earlyPresses.presses.length')).toBe(0);
});
