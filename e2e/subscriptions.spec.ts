import { expect } from '@playwright/test';
import { sameOriginHeaders, signInAsNewUser, toastOf } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { serverError } from './mock-responses.ts';
import {
  button,
  createSubscription,
  dialogButton,
  getSubscription,
  signInAsSubscriber,
  support,
} from './subscription.ts';
import { test } from './test.ts';

test('a downgrade is scheduled and undone; it opens no checkout if the plan has ended meanwhile', async ({ page }) => {
  await signInAsSubscriber(page, 'Business');
  const downgrade = support(page).getByRole('button', { name: 'Downgrade to Standard' });
  await downgrade.click();
  await dialogButton(page, 'Cancel').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await getSubscription(page)).toMatchObject({ tier: 'business', status: 'active' });
  await downgrade.click();
  await expect(page.getByRole('dialog')).toContainText('Then it changes to Standard for $19/month.');
  await dialogButton(page, 'Downgrade to Standard').click();
  await expectTexts(page, 'downgrade scheduled');
  await expect(support(page)).toContainText('It changes to Standard, $19/month, on ');
  await expect(support(page)).toBeFocused();
  await button(page, 'Keep Business').click();
  await expect(toastOf(page)).toContainText('Subscription kept');
  await expect(downgrade).toBeVisible();
  expect(await getSubscription(page)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });

  const message = 'Your subscription changed. Refresh the page.';
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ json: { cancelled: false, redirect: false, done: 'nothing', message } }),
  );
  await downgrade.click();
  const refreshed = page.waitForResponse('**/api/subscriptions/mine');
  await dialogButton(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText(message);
  await expect(toastOf(page)).toContainText('Nothing was changed');
  // The page would otherwise see the end of the plan, which the test causes next.
  await refreshed;
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute('**/api/subscriptions/manual-change');

  await page.request.post('/api/subscriptions/manual-change', {
    data: { tier: 'free' },
    headers: sameOriginHeaders,
  });
  await downgrade.click();
  await dialogButton(page, 'Downgrade to Standard').click();
  await expect(toastOf(page)).toContainText('Subscription ended');
  await expect(toastOf(page)).toContainText('Your Business subscription has already ended.');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page).toHaveURL('/account');
});

test('an upgrade leads to its checkout, and canceling it leaves the account without a subscription', async ({
  page,
}) => {
  await signInAsSubscriber(page, 'Standard');
  await button(page, 'Upgrade to Business').click();
  await expect(page).toHaveURL(/\/simulate-checkout\?tier=business/);
  await button(page, 'Confirm Business Subscription').click();
  await expect(support(page)).toContainText('You support Linksieve with Business, $49/month');
  await expect(page.getByRole('note')).toContainText('Subscription Activated');
  await button(page, 'Cancel subscription').click();
  await dialogButton(page, 'Yes, cancel it').click();
  await expectTexts(page, 'subscription cancelled');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  await expect(page.getByRole('note')).toHaveCount(0);
  await expect(support(page)).toBeFocused();
  await expect(page.getByRole('main')).toContainText('Full Access');
  expect(await getSubscription(page)).toBeNull();
});

test('a failed change of plan shows an error and keeps the dialog open, whose buttons are stacked on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.route('**/api/subscriptions/manual-change', (route) =>
    route.fulfill({ status: 503, json: { error: 'Payments are not available. Please try again later.' } }),
  );
  await page.route('**/api/subscriptions/checkout', serverError);
  await signInAsNewUser(page);
  await page.goto('/account');
  await button(page, 'Business, $49/month').click();
  await expect(toastOf(page)).toContainText('Subscription Error');

  await createSubscription(page, 'Business');
  await page.route('**/api/subscriptions/mine', serverError);
  await page.reload();
  await expect(support(page)).toContainText('Subscription Error');
  await page.unroute('**/api/subscriptions/mine');
  await button(page, 'Retry').click();
  await expect(support(page)).toContainText('You support Linksieve with Business');
  await button(page, 'Cancel subscription').click();
  await dialogButton(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Payments are not available.');
  await expect(page.getByRole('dialog')).toBeVisible();
  const confirm = await dialogButton(page, 'Yes, cancel it').boundingBox();
  const close = await dialogButton(page, 'Cancel').boundingBox();
  expect([close?.x, close?.width]).toEqual([confirm?.x, confirm?.width]);
  expect(close?.y).toBeGreaterThan((confirm?.y ?? 0) + (confirm?.height ?? 0));
});
