import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import { signInAsNewUser } from './accounts.ts';
import { holdRequests } from './mock-responses.ts';
import { test } from './test.ts';

/**
 * Opens a page and holds the app's scripts.
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

test('a button pressed twice before the app starts works once', async ({ page }) => {
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/domains');
  const button = page.getByRole('button', { name: 'Advanced filters' });
  await button.click();
  await button.click();
  await startApp();
  await expect(page.getByRole('form', { name: 'Advanced filters' })).toBeVisible();
});

test('a press before the app starts is forgotten if the user then pressed something else', async ({ page }) => {
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/domains');
  await page.getByRole('button', { name: 'Advanced filters' }).click();
  const field = page.getByRole('searchbox', { name: 'Search domains' });
  await field.click();
  await page.keyboard.type('typed.example');
  await startApp();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('!');
  await expect(field).toHaveValue('typed.exampl!e');
  await expect(page.getByRole('form', { name: 'Advanced filters' })).toHaveCount(0);
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
  await expect(page.getByRole('radio', { name: 'Python' }).last()).toBeChecked();
  await page.keyboard.type('-');
  await expect(field).toHaveValue('caret-example');
});

test('the page stays where the user scrolled it before the app starts, and the selected tab is visible', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/account?tab=privacy');
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  const readTop = () => page.evaluate(() => window.scrollY);
  const top = await readTop();
  expect(top).toBeGreaterThan(0);
  await startApp();
  expect(await readTop()).toBe(top);
  await page.unrouteAll();
  await page.reload();
  await waitForReady(page);
  expect(await readTop()).toBe(top);
  await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 });
});

test('a field that the user leaves before the app starts is checked like any other', async ({ page }) => {
  await signInAsNewUser(page);
  const startApp = await openBeforeApp(page, '/submit-sites');
  const field = page.getByLabel('Domain Name');
  await field.fill('https://www.early.example/offer');
  await page.getByLabel('Evidence').fill('A price list');
  await startApp();
  await expect(field).toHaveValue('early.example');
});

test('a choice that is made while the app starts is not reset', async ({ page }) => {
  await signInAsNewUser(page);
  // Between the start of the app and the first part of the page that it adopts.
  await page.addInitScript(() => {
    let early: object;
    let isStarted = false;
    const choose = () => {
      const select = document.querySelector('select');
      if (!select) throw new Error('There is no select.');
      select.value = 'date';
      for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
    };
    Object.defineProperty(window, 'earlyInput', {
      get: () => early,
      set(value: object) {
        early = Object.defineProperty(value, 'isStarted', {
          get: () => isStarted,
          set(now: boolean) {
            isStarted = now;
            queueMicrotask(choose);
          },
        });
      },
    });
  });
  await openReady(page, '/account?tab=api-keys');
  await expect(page.getByLabel('Expires')).toHaveValue('date');
  await expect(page.getByLabel('Date')).toBeVisible();
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

test('a document shows what this browser has stored for it', async ({ page }) => {
  await openReady(page, '/contact');
  await page.getByRole('textbox', { name: 'Message' }).fill('A draft');
  await waitForReady(page);
  await page.getByRole('textbox', { name: 'Message' }).fill('A longer draft');
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('A longer draft');
  await openReady(page, '/api/docs');
  await page.getByRole('radio', { name: 'Python' }).first().check();
  await waitForReady(page);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Python' }).first()).toBeChecked();
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

test('the nodes of a page stay when the app starts, and nothing is requested again', async ({ page }) => {
  await signInAsNewUser(page);
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()));
  const startApp = await openBeforeApp(page, '/dashboard');
  const main = await page.locator('main').elementHandle();
  await startApp();
  expect(await main?.evaluate((element) => element.isConnected)).toBe(true);
  expect(calls).toEqual([]);
});

test('a user who goes back before the app starts sees the earlier screen', async ({ page }) => {
  await signInAsNewUser(page);
  const search = page.getByRole('searchbox', { name: 'Search domains' });
  const showNothing = async () => {
    await openReady(page, '/domains');
    await search.fill('no-such-domain');
    await search.press('Enter');
    await expect(page).toHaveURL('/domains?search=no-such-domain');
  };
  const expectAll = async () => {
    await waitForReady(page);
    await expect(page).toHaveURL('/domains');
    await expect(search).toHaveValue('');
  };

  await showNothing();
  const release = await holdRequests(page, '**/assets/*.js');
  await page.reload({ waitUntil: 'commit' });
  await expect(search).toHaveValue('no-such-domain');
  // The earlier screen has loaded only when its scripts are released.
  await page.goBack({ waitUntil: 'commit' });
  release();
  await expectAll();

  // While React adopts the page, when the router does not listen yet.
  await showNothing();
  await page.addInitScript(() => {
    const goBack = () => {
      history.replaceState(history.state, '', '/domains');
      dispatchEvent(new PopStateEvent('popstate'));
    };
    const isReload = location.search !== '';
    Object.defineProperty(window, '__TSR_ROUTER__', {
      set: (router: object) => isReload && Object.defineProperty(router, 'ssr', { set: () => queueMicrotask(goBack) }),
    });
  });
  await page.reload();
  await expectAll();
});

test('a visitor reads public pages and chooses a theme without the app', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto('/');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('button', { name: 'Dark' })).toBeHidden();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Methodology' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.goto('/domain/there-is-no-such-name.example');
  expect(scripts).toEqual([]);
});

test('a document loads the app when a visitor uses its field, and keeps what was typed', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('Domain or page URL');
  await field.pressSequentially('there-is-no-such-name.example');
  await waitForReady(page);
  await expect(field).toBeFocused();
  await field.press('Enter');
  // The blacklist can be empty, which the answer says.
  const answer = page.getByRole('paragraph').filter({ hasText: 'there-is-no-such-name.example' });
  await expect(answer.first()).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('without scripts, the form of the home page opens the page of the domain', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto('/');
  await page.getByLabel('Domain or page URL').fill('there-is-no-such-name.example');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/domain/there-is-no-such-name.example');
  await page.context().close();
});

test('a page restored from the memory of the browser reloads after a sign-in', async ({ page }) => {
  await page.goto('/');
  const restore = () => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await restore();
  await page.evaluate(() => localStorage.setItem('session-changed', '1'));
  await Promise.all([page.waitForEvent('load'), restore()]);
});
