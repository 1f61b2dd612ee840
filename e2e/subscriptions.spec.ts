import { expect, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { join, toastOf } from './person.ts';
import { button, inDialog, joinWith, paidFor, pay, support } from './plans.ts';
import { broken } from './routes.ts';

test('a smaller plan is asked about, scheduled, and taken back; a plan that has ended meanwhile opens no checkout', async ({
  page,
}) => {
  await joinWith(page, 'Business');
  const downgrade = support(page).getByRole('button', { name: 'Downgrade to Standard' });
  await downgrade.click();
  await inDialog(page, 'Cancel').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await paidFor(page)).toMatchObject({ tier: 'business', status: 'active' });
  await downgrade.click();
  await expect(page.getByRole('dialog')).toContainText('From then on it is Standard for $19/month.');
  await inDialog(page, 'Downgrade to Standard').click();
  await expectTexts(page, 'a smaller plan');
  await expect(support(page)).toContainText('It becomes Standard, $19/month, on ');
  await expect(support(page)).toBeFocused();
  await button(page, 'Keep Business').click();
  await expect(toastOf(page)).toContainText('Subscription kept');
  await expect(downgrade).toBeVisible();
  expect(await paidFor(page)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });

  const message = 'Your subscription changed. Refresh the page.';
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ json: { cancelled: false, redirect: false, done: 'nothing', message } }),
  );
  await downgrade.click();
  await inDialog(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText(message);
  await expect(toastOf(page)).toContainText('Nothing was changed');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute('**/api/subscriptions/manual-change');

  await page.request.post('/api/subscriptions/manual-change', {
    data: { tier: 'free' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  await downgrade.click();
  await inDialog(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText('Subscription ended');
  await expect(toastOf(page)).toContainText('Your Business subscription has ended meanwhile.');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page).toHaveURL('/account');
});

test('a larger plan leads to its checkout, is cancelled, and the account is as before', async ({ page }) => {
  await joinWith(page, 'Standard');
  await button(page, 'Upgrade to Business').click();
  await expect(page).toHaveURL(/\/simulate-checkout\?tier=business/);
  await button(page, 'Confirm Business Subscription').click();
  await expect(support(page)).toContainText('You support Linksieve with Business, $49/month');
  await expect(page.getByRole('note')).toContainText('Subscription Activated');
  await button(page, 'Cancel subscription').click();
  await inDialog(page, 'Yes, cancel it').click();
  await expectTexts(page, 'a plan cancelled');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page.getByRole('note')).toHaveCount(0);
  await expect(support(page)).toBeFocused();
  await expect(page.getByRole('main')).toContainText('Full Access');
  expect(await paidFor(page)).toBeNull();
});

test('a failed change of plan shows an error, and the question stays, its buttons one above the other on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ status: 503, json: { error: 'Payments do not answer. Please try again later.' } }),
  );
  await page.route('**/api/subscriptions/checkout', broken);
  await join(page);
  await page.goto('/account');
  await button(page, 'Business, $49/month').click();
  await expect(toastOf(page)).toContainText('Subscription Error');

  await pay(page, 'Business');
  await page.route('**/api/subscriptions/mine', broken);
  await page.reload();
  await expect(support(page)).toContainText('Subscription Error');
  await page.unroute('**/api/subscriptions/mine');
  await button(page, 'Retry').click();
  await expect(support(page)).toContainText('You support Linksieve with Business');
  await button(page, 'Cancel subscription').click();
  await inDialog(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Payments do not answer.');
  await expect(page.getByRole('dialog')).toBeVisible();
  const yes = await inDialog(page, 'Yes, cancel it').boundingBox();
  const no = await inDialog(page, 'Cancel').boundingBox();
  expect([no?.x, no?.width]).toEqual([yes?.x, yes?.width]);
  expect(no?.y).toBeGreaterThan((yes?.y ?? 0) + (yes?.height ?? 0));
});
