import { expect, type Page } from '@playwright/test';
import { openReady, waitForReady } from '../scripts/ready.ts';
import type { AdminStatus } from '../shared/operations/admin.ts';
import { admin, signInAs, uniqueName } from './accounts.ts';
import { findViolations } from './axe.ts';
import { noPendingWork } from './mock-responses.ts';
import { getSampleDomains, importCsv } from './sample-data.ts';
import { test } from './test.ts';

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Admin', exact: true });
const menuButton = (page: Page) => navigation(page).getByRole('button', { name: /^Admin menu/ });
const mockStatus = (page: Page, status: Partial<AdminStatus>) =>
  page.route('**/api/admin/status', (route) => route.fulfill({ json: { ...noPendingWork, ...status } }));

/** The entries of the navigation, which are the headings of their screens, with the URL. */
const entries = [
  ['Site Submissions', '/admin/submissions'],
  ['Discoveries', '/admin/discoveries'],
  ['Held for Review', '/admin/held'],
  ['Message Inbox', '/admin/inbox'],
  ['Import Data', '/admin/panel?tab=import'],
  ['Feeds', '/admin/feeds'],
  ['Sources', '/admin/sources'],
  ['User Management', '/admin/panel?tab=users'],
  ['Manage Profiles', '/admin/profiles'],
  ['Audit Log', '/admin/panel?tab=audit'],
  ['Jobs', '/admin/panel?tab=jobs'],
  ['Database', '/admin/panel?tab=database'],
  ['Settings', '/admin/panel?tab=system'],
  ['Admin Dashboard', '/admin'],
] as const;

for (const width of [1440, 1024, 360]) {
  test(`the admin navigation leads to every admin screen and marks it as current at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await signInAs(page, admin);
    await openReady(page, '/admin');
    for (const [label, url] of entries) {
      if (width < 1280) await menuButton(page).click();
      await navigation(page)
        .getByRole('link', { name: new RegExp(`^${label}`) })
        .click();
      await expect(page).toHaveURL(url);
      await expect(page.getByRole('heading', { level: 1, name: label, exact: true })).toBeVisible();
      await waitForReady(page);
      if (width < 1280) await expect(menuButton(page)).toHaveAccessibleName(new RegExp(`^Admin menu: ${label}`));
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${url} scrolls horizontally`).toBe(0);
      if (width < 1280) await menuButton(page).click();
      await expect(navigation(page).locator('[aria-current]')).toHaveText(new RegExp(`^${label}`));
      if (width < 1280) await page.keyboard.press('Escape');
    }
    await page.goto('/admin/panel?tab=users&page=2');
    if (width < 1280) await menuButton(page).click();
    await expect(navigation(page).locator('[aria-current]')).toHaveText('User Management');
  });
}

test('the admin navigation works with the keyboard', async ({ page }) => {
  await signInAs(page, admin);
  await openReady(page, '/admin');
  await navigation(page)
    .getByRole('link', { name: /^Sources/ })
    .press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Sources' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'All sources' })).toBeFocused();

  await page.setViewportSize({ width: 360, height: 740 });
  await menuButton(page).press('Enter');
  await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'true');
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(navigation(page).getByRole('link', { name: 'Admin Dashboard' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(navigation(page).getByRole('link')).toHaveCount(0);
  await expect(menuButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await navigation(page).getByRole('link', { name: 'Database' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Database' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'false');
  await menuButton(page).click();
  await menuButton(page).press('Shift+Tab');
  await expect(menuButton(page)).toHaveAttribute('aria-expanded', 'false');
});

test('the dashboard begins with what needs attention, and says when nothing does', async ({ page }) => {
  await getSampleDomains(page);
  await signInAs(page, admin);
  await mockStatus(page, {});
  await openReady(page, '/admin');
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(
    'Everything is up to date',
  );
  await expect(page.getByText('Blacklist last updated:')).toBeVisible();

  await mockStatus(page, {
    unreadMessages: 2,
    pendingSubmissions: 3,
    heldListings: 4,
    feeds: [
      { id: 5, name: 'Spam hosts', state: 'failing' },
      { id: 6, name: 'Disavow list', state: 'review' },
    ],
    failedJobs: [{ kind: 'mail', count: 1 }],
  });
  await page.reload();
  const items = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
  await expect(items).toHaveCount(6);
  for (const [index, [text, action, href]] of (
    [
      ['Spam hosts cannot be downloaded.', 'Open feed', '/admin/feeds?feed=5'],
      ['1 email could not be delivered.', 'Open jobs', '/admin/panel?tab=jobs&kind=mail'],
      ['A copy of Disavow list needs review.', 'Review copy', '/admin/feeds?feed=6'],
      ['4 listings held for review.', 'Review listings', '/admin/held'],
      ['3 pending submissions.', 'Review submissions', '/admin/submissions'],
      ['2 unread messages.', 'Read messages', '/admin/inbox?status=new'],
    ] as const
  ).entries()) {
    await expect(items.nth(index)).toContainText(text);
    await expect(items.nth(index).getByRole('link', { name: action })).toHaveAttribute('href', href);
  }
  await expect(navigation(page).getByRole('link', { name: 'Feeds 2 need attention' })).toBeVisible();
  await expect(navigation(page).getByRole('link', { name: 'Message Inbox 2 unread' })).toBeVisible();
  await items.getByRole('link', { name: 'Open jobs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();

  await page.route('**/api/admin/status', (route) => route.fulfill({ status: 500 }));
  await page.goto('/admin');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Something went wrong');
  await expect(page.getByRole('button', { name: 'Delete All Links' })).toBeVisible();
  const retried = page.waitForRequest('**/api/admin/status');
  await page.getByRole('button', { name: 'Retry' }).click();
  await retried;
  // The status is also loaded regularly, so the button may be gone as soon as loading succeeds.
  await mockStatus(page, {});
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Everything is up to date' })).toBeVisible();
});

test('the counts of the navigation follow a decision', async ({ page }) => {
  const word = uniqueName('followed');
  await importCsv(page, `domain,source\n${word}.edu,Seller\n`);
  await signInAs(page, admin);
  await mockStatus(page, { heldListings: 2 });
  await openReady(page, `/admin/held?search=${word}`);
  await expect(navigation(page).getByRole('link', { name: 'Held for Review 2 waiting' })).toBeVisible();
  await mockStatus(page, { heldListings: 1 });
  await page.getByRole('button', { name: `Reject ${word}.edu of Seller` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await expect(navigation(page).getByRole('link', { name: 'Held for Review 1 waiting' })).toBeVisible();
});
