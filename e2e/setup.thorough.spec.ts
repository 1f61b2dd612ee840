import { expect, type Page } from '@playwright/test';
import { findFreePort } from '../server/platform/net/ports.ts';
import { findViolations } from './axe.ts';
import { domainsPerList, startListMirror } from './list-mirror.ts';
import { startSeparateServer } from './separate-server.ts';
import { expectStep } from './setup-step.ts';
import { test } from './test.ts';

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
