import { expect, test } from '@playwright/test';
import { withDebugPages } from './debug-pages.ts';
import { broken, expectTexts, slow, unreachable } from './expect-texts.ts';
import { join } from './person.ts';

test('the simulated checkout', async ({ page }) => {
  await join(page);
  await page.goto('/simulate-checkout?tier=business');
  await expectTexts(page, 'simulated checkout of the other plan');
  await page.goto('/simulate-checkout');
  await expectTexts(page, 'simulated checkout');
  const confirm = page.getByRole('button', { name: 'Confirm Standard Subscription' });
  await page.route('**/api/subscriptions/simulate-success?*', broken);
  await confirm.click();
  await expectTexts(page, 'simulated checkout, fails');
  await page.unroute('**/api/subscriptions/simulate-success?*');
  await page.route('**/api/subscriptions/simulate-success?*', slow);
  await confirm.click();
  await expectTexts(page, 'simulated checkout, on its way');
  await expectTexts(page, 'simulated checkout, confirmed');
});

test('a checkout that is canceled, and one that is paid', async ({ page }) => {
  await join(page);
  await page.goto('/simulate-checkout');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectTexts(page, 'checkout canceled');
  await expect(page).toHaveURL('/features');
  await page.goto('/account?subscription=canceled');
  await expectTexts(page, 'checkout canceled');
  await page.goto('/account?subscription=success');
  await expectTexts(page, 'back from a payment');
});

test('what one pays for is made smaller, and cancelled', async ({ page }) => {
  await join(page);
  await page.goto('/simulate-checkout?tier=business');
  await page.getByRole('button', { name: 'Confirm Business Subscription' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Downgrade to Standard' }).click();
  await dialog.getByRole('button', { name: 'Downgrade to Standard' }).click();
  await expectTexts(page, 'a smaller plan');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Yes, cancel it' }).click();
  await expectTexts(page, 'a plan cancelled');
});

test('trying the checkout of somebody who is signed in', async ({ page }) => {
  await withDebugPages(page);
  await page.goto('/test-stripe-checkout');
  await expectTexts(page, 'test of the checkout, signed out');
  await join(page);
  await page.goto('/test-stripe-checkout');
  const standard = page.getByRole('button', { name: 'Standard $19/month' });
  await page.getByRole('button', { name: 'Free $0/month' }).click();
  await expectTexts(page, 'test of the checkout, a free plan');
  await standard.click();
  await expectTexts(page, 'test of the checkout');
  const opens = page.getByRole('link', { name: 'Open Checkout' });
  await expect(opens).toHaveAttribute('target', '_blank');
  await expect(opens).toHaveAttribute('rel', /noopener/);
  const checkout = '**/api/subscriptions/checkout';
  await page.route(checkout, (route) => route.fulfill({ json: { direct: false } }));
  await standard.click();
  await expectTexts(page, 'test of the checkout, no address');
  await page.route(checkout, (route) => route.fulfill({ body: '<h1>Bad Gateway</h1>' }));
  await standard.click();
  await expectTexts(page, 'test of the checkout, no JSON');
  await page.route(checkout, unreachable);
  await standard.click();
  await expectTexts(page, 'test of the checkout, fails');
});

test('trying the checkout with a mail address', async ({ page }) => {
  await withDebugPages(page);
  await page.goto('/test-stripe');
  await expectTexts(page, 'test by mail address');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@mail.example');
  const standard = page.getByRole('button', { name: 'Standard $19/month' });
  for (const [json, situation] of [
    [{ success: true }, 'test by mail address, no address'],
    [{ success: false }, 'test by mail address, refused'],
  ] as const) {
    await page.route('**/api/test-stripe-checkout', (route) => route.fulfill({ json }));
    await standard.click();
    await expectTexts(page, situation);
  }
  await page.route('**/api/test-stripe-checkout', broken);
  await standard.click();
  await expectTexts(page, 'test by mail address, fails');
});
