import { expect, type Page, test } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { checkField, openBeforeApp, openHome, themeButton } from './early-presses.ts';
import { holdRequests } from './mock-responses.ts';

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

test('the phone menu opens if it was clicked before the app starts', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const startApp = await openHome(page);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await startApp();
  await expect(page.getByRole('navigation', { name: 'Main, small screen' })).toBeVisible();
});

test('a check submitted with the button before the app starts is sent once', async ({ page }) => {
  const checks: string[] = [];
  page.on('request', (request) => request.url().includes('/api/check') && checks.push(request.url()));
  const startApp = await openHome(page);
  await checkField(page).fill('there-is-no-such-name.example');
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await startApp();
  await expect(page.getByRole('region', { name: 'Is a domain on the blacklist?' })).toContainText(
    'there-is-no-such-name.example',
  );
  expect(checks).toHaveLength(1);
});

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

test('a link of a public page opens before the app has loaded', async ({ page }) => {
  await openBeforeApp(page, '/contact');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Methodology' }).click();
  await expect(page).toHaveURL('/methodology');
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

test('a second press loads the app if it could not be loaded at the first', async ({ page }) => {
  await page.route('**/assets/shell*.js', (route) => route.abort());
  await page.goto('/');
  await themeButton(page).click();
  await expect(themeButton(page)).not.toHaveAttribute('aria-busy');
  await page.unroute('**/assets/shell*.js');
  await themeButton(page).click();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
});
