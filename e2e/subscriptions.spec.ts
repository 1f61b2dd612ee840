import { expect, test } from '@playwright/test';
import { broken } from './expect-texts.ts';
import { join, toastOf } from './person.ts';
import { button, inDialog, joinWith, paidFor, support } from './plans.ts';

test('a smaller plan is asked about, scheduled, and taken back', async ({ page }) => {
  await joinWith(page, 'Business');
  await button(page, 'Downgrade to Standard').click();
  await inDialog(page, 'Cancel').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await paidFor(page)).toMatchObject({ tier: 'business', status: 'active' });
  await button(page, 'Downgrade to Standard').click();
  await expect(page.getByRole('dialog')).toContainText('From then on it is Standard for $19/month.');
  await inDialog(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText('Downgrade Scheduled');
  await expect(support(page)).toContainText('It becomes Standard, $19/month, on ');
  await expect(support(page)).toBeFocused();
  await button(page, 'Keep Business').click();
  await expect(toastOf(page)).toContainText('Subscription kept');
  await expect(button(page, 'Downgrade to Standard')).toBeVisible();
  expect(await paidFor(page)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });
});

test('a plan is cancelled, and the account is as before', async ({ page }) => {
  await joinWith(page, 'Standard');
  await expect(page.getByRole('note')).toContainText('Subscription Activated');
  await button(page, 'Cancel subscription').click();
  await inDialog(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Subscription Cancelled');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page.getByRole('note')).toHaveCount(0);
  await expect(support(page)).toBeFocused();
  await expect(page.getByRole('main')).toContainText('Full Access');
  expect(await paidFor(page)).toBeNull();
});

test('what is done about a plan that has ended meanwhile opens no checkout', async ({ page }) => {
  await joinWith(page, 'Business');
  await page.request.post('/api/subscriptions/manual-change', {
    data: { tier: 'free' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  await button(page, 'Downgrade to Standard').click();
  await inDialog(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText('Subscription ended');
  await expect(toastOf(page)).toContainText('Your Business subscription has ended meanwhile.');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page).toHaveURL('/account');
});

test('the title of what was done about a plan says what its sentence says', async ({ page }) => {
  await joinWith(page, 'Business');
  const message = 'Your subscription is another one by now. Please look again.';
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ json: { cancelled: false, redirect: false, done: 'nothing', message } }),
  );
  await button(page, 'Downgrade to Standard').click();
  await inDialog(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText(message);
  await expect(toastOf(page)).toContainText('Nothing was changed');
});

test('on a narrow screen the buttons of a question stand one above the other', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await joinWith(page, 'Business');
  await button(page, 'Downgrade to Standard').click();
  const yes = await inDialog(page, 'Downgrade to Standard').boundingBox();
  const no = await inDialog(page, 'Cancel').boundingBox();
  expect([no?.x, no?.width]).toEqual([yes?.x, yes?.width]);
  expect(no?.y).toBeGreaterThan((yes?.y ?? 0) + (yes?.height ?? 0));
});

test('a larger plan leads to its checkout', async ({ page }) => {
  await joinWith(page, 'Standard');
  await button(page, 'Upgrade to Business').click();
  await expect(page).toHaveURL(/\/simulate-checkout\?tier=business/);
  await button(page, 'Confirm Business Subscription').click();
  await expect(support(page)).toContainText('You support Linksieve with Business, $49/month');
});

test('what fails about a plan is told, and the question stays', async ({ page }) => {
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ status: 503, json: { error: 'Payments do not answer. Please try again later.' } }),
  );
  await page.route('**/api/subscriptions/checkout', broken);
  await join(page);
  await page.goto('/account');
  await button(page, 'Business, $49/month').click();
  await expect(toastOf(page)).toContainText('Subscription Error');
  await joinWith(page, 'Business');
  await button(page, 'Cancel subscription').click();
  await inDialog(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Payments do not answer.');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.route('**/api/subscriptions/mine', broken);
  await page.goto('/account');
  await expect(support(page)).toContainText('Subscription Error');
  await page.unroute('**/api/subscriptions/mine');
  await button(page, 'Retry').click();
  await expect(support(page)).toContainText('You support Linksieve with Business');
});
