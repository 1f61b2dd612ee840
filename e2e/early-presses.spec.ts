import { expect, type Page, test } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';

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

test('a keyboard shortcut to the protected screen leads to the sign-in page again', async ({ page }) => {
  const release = await holdRequests(page, '**/assets/auth-page*.js');
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/auth');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  release();
  await expect(page).toHaveURL('/auth');
  await expect(page.getByRole('tab', { name: 'Login' })).toBeVisible();
});

/**
 * Opens a public page and holds the app's scripts.
 * @returns a function that releases the scripts and waits until the app has started
 */
async function openBeforeApp(page: Page, path: string): Promise<() => Promise<void>> {
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('contentinfo')).toBeVisible();
  return async () => {
    release();
    await waitForReady(page);
  };
}

const openHome = (page: Page) => openBeforeApp(page, '/');
const checkField = (page: Page) => page.getByLabel('Domain or page URL');
const checkBox = (page: Page) => page.getByRole('region', { name: 'Is a domain on the blacklist?' });
const themeButton = (page: Page) => page.getByRole('button', { name: 'Theme' });

test('a menu clicked twice before the app starts opens once', async ({ page }) => {
  const startApp = await openHome(page);
  await themeButton(page).click();
  await themeButton(page).click();
  await startApp();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('the phone menu opens if it was clicked before the app starts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const startApp = await openHome(page);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await startApp();
  await expect(page.getByRole('navigation', { name: 'Main, small screen' })).toBeVisible();
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

for (const trigger of ['Enter', 'the button'] as const) {
  test(`a check submitted with ${trigger} before the app starts is sent once`, async ({ page }) => {
    const checks: string[] = [];
    page.on('request', (request) => request.url().includes('/api/check') && checks.push(request.url()));
    const startApp = await openHome(page);
    await checkField(page).fill('there-is-no-such-name.example');
    if (trigger === 'Enter') await page.keyboard.press('Enter');
    else await page.getByRole('button', { name: 'Check', exact: true }).click();
    await startApp();
    await expect(checkBox(page)).toContainText('there-is-no-such-name.example');
    expect(checks).toHaveLength(1);
  });
}

test('shortcuts pressed before the app starts work', async ({ page }) => {
  const startApp = await openHome(page);
  await page.keyboard.press('ControlOrMeta+k');
  await startApp();
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();

  const startAppAgain = await openHome(page);
  await page.keyboard.press('/');
  await startAppAgain();
  await expect(checkField(page)).toBeFocused();
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

test('a link of a public page opens before the app has loaded', async ({ page }) => {
  await openBeforeApp(page, '/contact');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Methodology' }).click();
  await expect(page).toHaveURL('/methodology');
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

test('a button of the risk assessment that is pressed before the app starts opens its dialog', async ({ page }) => {
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/risk-assessment');
  await page.getByRole('button', { name: 'Analyze My Backlinks' }).click();
  await startApp();
  await expect(page.getByRole('dialog')).toBeVisible();
});

/** Hovers over the theme button before the app starts, runs `press`, and then starts the app. */
async function pressBeforeApp(page: Page, press: (page: Page) => Promise<void>): Promise<void> {
  const release = await holdRequests(page, '**/assets/*.js');
  await page.goto('/', { waitUntil: 'commit' });
  await themeButton(page).hover();
  await press(page);
  release();
  // Waits until every script of the app is loaded and has run.
  await page.waitForLoadState('load');
  await page.evaluate(async () => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    await Promise.all(
      loaded.filter((name) => name.endsWith('.js') && name.includes('/assets/')).map((name) => import(name)),
    );
    await new Promise((resolve) => setTimeout(resolve));
  });
}

test('a press that is held while the app starts takes effect', async ({ page }) => {
  await pressBeforeApp(page, () => page.mouse.down());
  await page.mouse.up();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
});

test('the second press of a double click delays the app after the first press ends', async ({ page }) => {
  await page.clock.install();
  await pressBeforeApp(page, async () => {
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

test('a press that does not end delays the app for ten seconds', async ({ page }) => {
  await page.clock.install();
  await pressBeforeApp(page, () => page.mouse.down());
  await expect(page.locator('html')).not.toHaveAttribute('data-ready');
  await page.clock.fastForward(11_000);
  await waitForReady(page);
});

test('no presses are recorded if the script that replays them cannot be loaded', async ({ page }) => {
  await page.route('**/assets/early-presses*.js', (route) => route.abort());
  await openReady(page, '/');
  await page.keyboard.press('x');
  expect(await page.evaluate('earlyPresses.presses.length')).toBe(0);
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

test('a second press loads the app if it could not be loaded at the first', async ({ page }) => {
  await page.route('**/assets/shell*.js', (route) => route.abort());
  await page.goto('/');
  await themeButton(page).click();
  await expect(themeButton(page)).not.toHaveAttribute('aria-busy');
  await page.unroute('**/assets/shell*.js');
  await themeButton(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
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
