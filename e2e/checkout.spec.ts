import { expect, type Page, test } from '@playwright/test';
import { expectTexts } from './expect-texts.ts';
import { join, toastOf } from './person.ts';
import { button, inDialog, paidFor, support } from './plans.ts';
import { broken, hold } from './routes.ts';

const settle = '**/api/subscriptions/simulate-success?*';

/** Counts the calls that settle a checkout. */
function settlingCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/simulate-success') && calls.push(request.url()));
  return calls;
}

test('a person supports the site: the account leads to the checkout, and the checkout back', async ({ page }) => {
  await join(page);
  const calls = settlingCalls(page);
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

test('a double click settles one checkout, and so does an Enter that is held', async ({ page }) => {
  await join(page);
  const calls = settlingCalls(page);
  const answer = await hold(page, settle);
  await page.goto('/simulate-checkout');
  await button(page, 'Confirm Standard Subscription').dblclick();
  await expectTexts(page, 'simulated checkout, on its way');
  await button(page, 'Processing...').press('Enter');
  await expect(button(page, 'Cancel')).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Cancel' })).toHaveCount(0);
  answer();
  await expect(toastOf(page)).toContainText('Subscription Activated');
  expect(calls).toHaveLength(1);
});

test('a person who leaves a checkout while it is settled stays where they go', async ({ page }) => {
  await join(page);
  const answer = await hold(page, settle);
  await page.goto('/simulate-checkout');
  await button(page, 'Confirm Standard Subscription').click();
  await page.getByRole('banner').getByRole('link', { name: 'Features' }).click();
  await expect(page).toHaveURL('/features');
  answer();
  await expect(toastOf(page)).toContainText('Subscription Activated');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page).toHaveURL('/features');
  await expectTexts(page, 'features, signed in');
  expect(await paidFor(page)).toMatchObject({ tier: 'standard' });
});

test('going back to a checkout and loading it anew settles nothing', async ({ page }) => {
  await join(page);
  await page.goto('/simulate-checkout?tier=business');
  await button(page, 'Confirm Business Subscription').click();
  await expect(page).toHaveURL('/account');
  await button(page, 'Cancel subscription').click();
  await inDialog(page, 'Yes, cancel it').click();
  await expect(toastOf(page)).toContainText('Subscription Cancelled');
  const calls = settlingCalls(page);
  await page.goto('/simulate-checkout?tier=business');
  await page.goto('/features');
  await page.goBack();
  await expect(button(page, 'Confirm Business Subscription')).toBeVisible();
  await page.reload();
  await expect(button(page, 'Confirm Business Subscription')).toBeVisible();
  expect(calls).toEqual([]);
  expect(await paidFor(page)).toBeNull();
});

test('a checkout that is left by Cancel charges nothing and says so; the price list leads to the features too', async ({
  page,
}) => {
  await join(page);
  await page.goto('/simulate-checkout');
  const load = await hold(page, /assets\/features-page.*\.js/);
  await page.goto('/pricing', { waitUntil: 'commit' });
  await expectTexts(page, 'pricing, on its way');
  load();
  await expect(page).toHaveURL('/features');
  await page.goBack();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page).toHaveURL('/features');
  await expectTexts(page, 'checkout canceled');
  expect(await paidFor(page)).toBeNull();
  await page.goBack();
  await expect(button(page, 'Confirm Standard Subscription')).toBeVisible();
});

test('a checkout that fails is told, and can be tried again, also after the page was loaded anew', async ({ page }) => {
  await join(page);
  // Whatever the address asks for, people pay for themselves, and for a plan that there is.
  await page.goto('/simulate-checkout?tier=platinum&userId=1');
  await page.route(settle, broken);
  await button(page, 'Confirm Standard Subscription').click();
  await expectTexts(page, 'simulated checkout, fails');
  await expect(button(page, 'Confirm Standard Subscription')).toBeFocused();
  await page.unroute(settle);
  // An answer that never comes, and a person who does not wait for it.
  await page.route(settle, () => undefined);
  await button(page, 'Confirm Standard Subscription').click();
  await expect(button(page, 'Processing...')).toBeVisible();
  await page.reload();
  await page.unroute(settle);
  await button(page, 'Confirm Standard Subscription').click();
  await expect(page).toHaveURL('/account');
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  expect(await paidFor(page)).toMatchObject({ tier: 'standard', simulated: true });
});
