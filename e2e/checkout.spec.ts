import { expect, type Page } from '@playwright/test';
import { signInAsNewUser, toastOf } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { holdRequests, serverError } from './mock-responses.ts';
import { button, dialogButton, getSubscription, support } from './subscription.ts';
import { test } from './test.ts';

const confirmUrl = '**/api/subscriptions/simulate-success?*';

/** Records the URLs of the requests that confirm a checkout. @returns the array that they are added to */
function recordConfirmCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/simulate-success') && calls.push(request.url()));
  return calls;
}

test('a user subscribes: the account leads to the checkout, and the checkout back to the account', async ({ page }) => {
  await signInAsNewUser(page);
  const calls = recordConfirmCalls(page);
  await page.goto('/account');
  await expect(page.getByRole('main')).toContainText('Full Access');
  await button(page, 'Standard, $19/month').click();
  await expect(page).toHaveURL(/\/simulate-checkout\?tier=standard/);
  await expectTexts(page, 'simulated checkout');
  await button(page, 'Confirm Standard Subscription').click();
  await expectTexts(page, 'simulated checkout, confirmed');
  await expect(page).toHaveURL('/account');
  await expect(page.getByRole('note')).toContainText('nothing was charged');
  await expect(support(page)).toContainText('You support Linksieve with Standard, $19/month');

  await page.reload();
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  await expect(page.getByRole('note')).toHaveCount(0);
  await expect(toastOf(page)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL('/account');
  expect(calls).toHaveLength(1);
});

test('a double click and another Enter confirm a checkout once', async ({ page }) => {
  await signInAsNewUser(page);
  const calls = recordConfirmCalls(page);
  const release = await holdRequests(page, confirmUrl);
  await page.goto('/simulate-checkout');
  await button(page, 'Confirm Standard Subscription').dblclick();
  await expectTexts(page, 'simulated checkout, processing');
  await button(page, 'Processing...').press('Enter');
  await expect(button(page, 'Cancel')).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveCount(0);
  release();
  await expect(toastOf(page)).toContainText('Subscription Activated');
  expect(calls).toHaveLength(1);
});

test('a user who leaves a checkout while it is confirmed stays on the new page', async ({ page }) => {
  await signInAsNewUser(page);
  const release = await holdRequests(page, confirmUrl);
  await page.goto('/simulate-checkout');
  await button(page, 'Confirm Standard Subscription').click();
  await page.getByRole('banner').getByRole('link', { name: 'Features' }).click();
  await expect(page).toHaveURL('/features');
  release();
  await expect(toastOf(page)).toContainText('Subscription Activated');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page).toHaveURL('/features');
  await expectTexts(page, 'features, signed in');
  expect(await getSubscription(page)).toMatchObject({ tier: 'standard' });
});

test('going back to a checkout and reloading it confirms nothing', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/simulate-checkout?tier=business');
  await button(page, 'Confirm Business Subscription').click();
  await expect(page).toHaveURL('/account');
  await button(page, 'Cancel subscription').click();
  await dialogButton(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Subscription Cancelled');
  const calls = recordConfirmCalls(page);
  await page.goto('/simulate-checkout?tier=business');
  await page.goto('/features');
  await page.goBack();
  await expect(button(page, 'Confirm Business Subscription')).toBeVisible();
  await page.reload();
  await expect(button(page, 'Confirm Business Subscription')).toBeVisible();
  expect(calls).toEqual([]);
  expect(await getSubscription(page)).toBeNull();
});

test('canceling a checkout charges nothing and says so; the pricing page leads to the features', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/simulate-checkout');
  const release = await holdRequests(page, /assets\/features-page.*\.js/);
  await page.goto('/pricing', { waitUntil: 'commit' });
  await expectTexts(page, 'pricing, redirecting');
  release();
  await expect(page).toHaveURL('/features');
  await page.goBack();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/features');
  await expectTexts(page, 'checkout canceled');
  expect(await getSubscription(page)).toBeNull();
  await page.goBack();
  await expect(button(page, 'Confirm Standard Subscription')).toBeVisible();
});

test('a failed checkout shows an error and can be retried, even after a reload', async ({ page }) => {
  await signInAsNewUser(page);
  // Users can only pay for themselves and for an existing plan, whatever the URL says.
  await page.goto('/simulate-checkout?tier=platinum&userId=1');
  await page.route(confirmUrl, serverError);
  await button(page, 'Confirm Standard Subscription').click();
  await expectTexts(page, 'simulated checkout, fails');
  await expect(button(page, 'Confirm Standard Subscription')).toBeFocused();
  await page.unroute(confirmUrl);
  // The response never comes, and the user reloads the page.
  await page.route(confirmUrl, () => undefined);
  await button(page, 'Confirm Standard Subscription').click();
  await expect(button(page, 'Processing...')).toBeVisible();
  await page.reload();
  await page.unroute(confirmUrl);
  await button(page, 'Confirm Standard Subscription').click();
  await expect(page).toHaveURL('/account');
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  expect(await getSubscription(page)).toMatchObject({ tier: 'standard', simulated: true });
});
