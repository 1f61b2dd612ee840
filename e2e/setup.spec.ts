import { expect, type Page, test } from '@playwright/test';
import { findFreePort } from '../server/net/ports.ts';
import { admin, signInWithForm } from './accounts.ts';
import { findViolations } from './axe.ts';
import { failedFeed } from './feeds.ts';
import { domainsPerList, startListMirror } from './list-mirror.ts';
import { onlyMethod, serverError } from './mock-responses.ts';
import { startSeparateServer } from './separate-server.ts';

/** A recommended list that fails at first. The others load. */
const failing = { name: 'Bad Website Blocklist', path: '/popcar2/BadWebsiteBlocklist/HEAD/uBlacklist.txt' };
const account = { username: 'founder', password: 'a long enough secret' };

test.describe('a new installation', () => {
  // Each test continues where the last one ended.
  test.describe.configure({ mode: 'serial' });

  let lists: Awaited<ReturnType<typeof startListMirror>>;
  let server: Awaited<ReturnType<typeof startSeparateServer>>;
  let setupLink: string;

  test.beforeAll(async () => {
    lists = await startListMirror();
    const settings = { FEED_MIRROR_URL: lists.address, ALLOW_PRIVATE_ADDRESSES: '1' };
    server = await startSeparateServer(await findFreePort(), settings);
    await expect.poll(() => server.output()).toContain('Stop with Ctrl+C');
    setupLink = /^http\S+\/setup#\S+$/m.exec(server.output())?.[0] ?? 'no link';
  });
  test.afterAll(async () => {
    await server?.stop();
    await lists?.stop();
  });

  test('without the printed link, the screen explains where to find it', async ({ page }) => {
    await page.goto(`${server.address}/setup`);
    await expect(page.getByRole('heading', { name: 'Open the setup link' })).toBeVisible();
    await page.goto(`${server.address}/setup#not-the-printed-token`);
    await expect(page.getByRole('heading', { name: 'This setup link is not valid' })).toBeVisible();
    await expect(page.getByText('Restart the server and use the link it prints.')).toBeVisible();
  });

  test('three clicks lead from the link to more than 20,000 domains, across reloads', async ({ page }) => {
    await countClicks(page);
    await page.goto(setupLink);
    await expect(page).toHaveURL(`${server.address}/setup`);
    await expectStep(page, 'Create the admin');
    await page.reload();
    await page.getByLabel('Username').fill(account.username);
    await page.getByLabel('Email').fill('founder@mail.example');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password);
    await page.getByRole('textbox', { name: 'Confirm password' }).fill(account.password);
    await page.getByRole('button', { name: 'Create admin' }).click();

    await expect(page.getByRole('heading', { name: 'Fill your blacklist' })).toBeFocused();
    await expectStep(page, 'Choose lists');
    await expect(page.getByRole('checkbox', { name: 'Public Disavow Links' })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Search Engine Spam Domains' })).not.toBeChecked();
    await expect(page.getByText('License: MIT').first()).toBeVisible();
    await page.reload();
    await expectStep(page, 'Choose lists');
    lists.hold();
    lists.setFailing(failing.path, true);
    await page.getByRole('button', { name: /^Load \d+ lists$/ }).click();

    await expect(page.getByRole('heading', { name: /^Loading \d+ lists$/ })).toBeFocused();
    await expect.poll(() => lists.countWaiting()).toBeGreaterThan(0);
    await page.reload();
    await expectStep(page, 'Load lists');
    await expect(page.getByRole('status').filter({ hasText: /^0 of \d+ lists loaded$/ })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Public Disavow Links' })).toBeAttached();
    lists.release();

    const result = page.getByRole('heading', { name: /^Your blacklist has [\d,]+ domains$/ });
    await expect(result).toBeVisible({ timeout: 60_000 });
    const total = Number((await result.innerText()).replace(/\D/g, ''));
    expect(total).toBeGreaterThan(20_000);
    const row = page.getByRole('listitem').filter({ hasText: 'Public Disavow Links' });
    await expect(row).toContainText(`${domainsPerList.toLocaleString('en-US')} domains`);
    await expect(row).toContainText('License: MIT');
    await expect(row.getByRole('link', { name: /^Homepage/ })).toHaveAttribute('href', /^https:\/\/github\.com\//);
    const failed = page.getByRole('listitem').filter({ hasText: failing.name });
    await expect(failed).toContainText('The server responded with 503 Service Unavailable.');
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open the blacklist' }).click();

    await expect(page).toHaveURL(`${server.address}/domains`);
    await expect(page.getByText(`${total.toLocaleString('en-US')} domains`).first()).toBeVisible();
    expect(await readClicks(page)).toBe(3);
    await page.goBack();
    await expect(result).toBeVisible();
  });

  test('a list that failed can be retried', async ({ page }) => {
    lists.setFailing(failing.path, false);
    await signIn(page, server.address);
    await page.goto(`${server.address}/setup`);
    const row = page.getByRole('listitem').filter({ hasText: failing.name });
    await row.getByRole('button', { name: /^Try again/ }).click();
    await expect(row).toContainText(`${domainsPerList.toLocaleString('en-US')} domains`, { timeout: 60_000 });
  });

  test('the used link offers to sign in', async ({ page }) => {
    await page.goto(setupLink);
    await expect(page.getByRole('heading', { name: 'This server already has an admin' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(`${server.address}/auth`);
  });
});

test('an admin who signs in to an empty blacklist comes to the lists, and can skip them', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  await expect(page.getByRole('heading', { name: 'Fill your blacklist' })).toBeVisible();
  await page.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL(/\/domains$/);
  await page.getByRole('link', { name: 'Load public lists' }).click();
  await expect(page).toHaveURL(/\/setup$/);
});

test('an admin who wanted another screen comes to that screen after signing in', async ({ page }) => {
  await showEmptyInstallation(page);
  await page.goto('/account');
  await page.getByLabel('Username or email').fill(admin.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/account$/);
});

test('a double click adds each list once, and the last step names a list that could not be added', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  const added: string[] = [];
  await page.route('**/api/admin/feeds', async (route) => {
    if (route.request().method() === 'GET') {
      // The lists that were added end without a domain.
      return added.length === 0
        ? route.fallback()
        : route.fulfill({ json: [{ ...failedFeed, catalogueKey: added[0] }] });
    }
    const { catalogueKey } = route.request().postDataJSON();
    added.push(catalogueKey);
    const isBroken = catalogueKey === 'spamdexing-sites';
    // The others were added in another tab.
    await route.fulfill({
      status: isBroken ? 503 : 409,
      json: isBroken
        ? { error: 'The server is busy.', code: 'unavailable' }
        : { error: 'You already subscribe to this list.', code: 'conflict', existingId: 1 },
    });
  });
  await page.getByRole('button', { name: /^Load \d+ lists$/ }).dblclick();
  await expect(page.getByRole('heading', { name: 'Your blacklist is still empty' })).toBeFocused();
  await expectStep(page, 'Load lists');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('1 list could not be added');
  await expect(alert).toContainText('Spamdexing Sites: The server is busy.');
  expect(new Set(added).size).toBe(added.length);
  await expect(page.getByText('Try the failed lists again, or choose more lists.')).toBeVisible();
  await page.getByRole('link', { name: 'Choose more lists' }).click();
  await expect(page).toHaveURL(/\/admin\/feeds\?dialog=catalogue$/);
});

test('if no list can be added, the selection stays', async ({ page }) => {
  await showEmptyInstallation(page);
  await signInWithForm(page, admin);
  await page.route('**/api/admin/feeds', onlyMethod('POST', serverError));
  const load = page.getByRole('button', { name: /^Load \d+ lists$/ });
  const label = await load.innerText();
  await load.click();
  await expect(page.getByRole('alert')).toContainText(/\d+ lists could not be added/);
  await expectStep(page, 'Choose lists');
  await expect(page.getByRole('button', { name: label })).toBeEnabled();
});

/** Other tests fill the blacklist of the shared server. */
async function showEmptyInstallation(page: Page): Promise<void> {
  const counts = { low: 0, medium: 0, high: 0, veryHigh: 0, total: 0, lastUpdated: null };
  await page.route('**/api/stats/count', (route) => route.fulfill({ json: counts }));
  await page.route('**/api/admin/feeds', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.fallback(),
  );
  const pagination = { page: 0, pageSize: 50, total: 0, totalPages: 0 };
  await page.route('**/api/domains?*', (route) => route.fulfill({ json: { domains: [], pagination } }));
}

async function expectStep(page: Page, name: string): Promise<void> {
  await expect(page.locator('[aria-current=step]')).toHaveText(new RegExp(`${name}$`));
}

async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/auth`);
  await page.getByLabel('Username or email').fill(account.username);
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Counts the clicks of the user on all pages of this tab. */
async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener(
      'click',
      () => {
        sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
      },
      true,
    );
  });
}

const readClicks = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('clicks')));
