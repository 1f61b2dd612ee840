import { expect, test } from '@playwright/test';
import { withDebugPages } from './debug-pages.ts';
import { expectTexts } from './expect-texts.ts';
import { join, toastOf } from './person.ts';
import { button, support } from './plans.ts';
import { broken, changeAnswer, unreachable } from './routes.ts';
import { withPayments } from './with-payments.ts';

test('a payment that is not confirmed yet is waited for', async ({ page }) => {
  await join(page);
  const mine = { tier: 'standard', status: 'active', nextTier: null, periodEndsAt: null, simulated: false };
  let isConfirmed = false;
  await page.route('**/api/subscriptions/mine', (route) => route.fulfill({ json: isConfirmed ? mine : null }));
  await page.clock.install();
  await withPayments(page);
  await page.goto('/account?subscription=success');
  await expectTexts(page, 'back from a payment');
  await expect(page).toHaveURL('/account');
  await expect(support(page)).toContainText('Waiting for the payment to be confirmed');
  const inTime = (text: string) =>
    expect(async () => {
      await page.clock.runFor(2000);
      await expect(support(page)).toContainText(text, { timeout: 300 });
    }).toPass({ timeout: 30_000 });
  await inTime('The payment is not confirmed yet.');
  await button(page, 'Check again').click();
  await expect(support(page)).toContainText('Waiting for the payment to be confirmed');
  isConfirmed = true;
  await inTime('You support Linksieve with Standard');
});

test('the return from a payment leads to where one came from, and nowhere else', async ({ page }) => {
  await join(page);
  await page.goto('/account?subscription=success');
  await expect(page.getByRole('note')).toContainText('Payment successful');
  await expect(button(page, 'Standard, $19/month')).toBeVisible();
  // This server takes no payments.
  await expect(support(page)).not.toContainText('Waiting for the payment');
  await expect(page).toHaveURL('/account');
  const origin = new URL(page.url()).origin;
  const stored = () => page.evaluate(() => localStorage.getItem('return-url'));
  for (const [address, path] of [
    [`${origin}/submit-sites`, '/submit-sites'],
    ['https://evil.example/submit-sites', '/account'],
    ['//evil.example', '/account'],
    ['javascript:alert(1)', '/account'],
    ['/\\evil.example', '/account'],
    ['/test-stripe', '/account'],
  ] as const) {
    await page.evaluate((url) => localStorage.setItem('return-url', url), address);
    await page.goto('/account?subscription=success');
    await expect(page).toHaveURL(path);
    await expect(toastOf(page)).toContainText('Payment successful');
    expect(await stored()).toBeNull();
  }
});

test('a test says that nothing was charged', async ({ page }) => {
  await join(page);
  await page.goto('/account?subscription=success&test=true&tab=security');
  await expect(toastOf(page)).toContainText('This was a test: nothing was charged.');
  await expect(page.getByRole('note')).toContainText('Payment successful');
  await expect(page).toHaveURL('/account?tab=security');
  await expect(support(page)).toContainText('Support Linksieve');
});

test('a test with a mail address comes back to where it began; failures are shown', async ({ page }) => {
  await withDebugPages(page);
  await join(page);
  await page.goto('/test-stripe');
  const [standard, business] = [button(page, 'Standard $19/month'), button(page, 'Business $49/month')];
  await expect(business).toBeDisabled();
  await page.getByRole('textbox', { name: 'Email' }).fill('  ada@mail.example ');
  const call = '**/api/test-stripe-checkout';
  await page.route(call, (route) => route.fulfill({ json: { success: true } }));
  await standard.click();
  await expectTexts(page, 'test by mail address, no address');
  await page.route(call, (route) => route.fulfill({ json: { success: false } }));
  await standard.click();
  await expectTexts(page, 'test by mail address, refused');
  await page.route(call, broken);
  await standard.click();
  await expectTexts(page, 'test by mail address, fails');

  let asked: { email: string; successUrl: string } | undefined;
  await page.route(call, async (route) => {
    asked = route.request().postDataJSON();
    // A checkout that is paid at once.
    await route.fulfill({ json: { success: true, url: asked?.successUrl, sessionId: 'cs_test_1' } });
  });
  await business.click();
  await expectTexts(page, 'back from a payment');
  await expect(page).toHaveURL('/test-stripe');
  const origin = new URL(page.url()).origin;
  expect(asked).toEqual({
    tier: 'business',
    email: 'ada@mail.example',
    successUrl: `${origin}/account?subscription=success&test=true`,
    cancelUrl: `${origin}/account?subscription=canceled`,
  });
});

test('whom a payment was for is forgotten five minutes after the return, on whatever screen', async ({ page }) => {
  const stored = () => page.evaluate(() => Object.values({ ...localStorage }).join());
  await withDebugPages(page);
  await join(page);
  await changeAnswer(page, '**/api/auth/current-user', (user) => ({ ...user, firebaseUid: 'uid-of-google' }));
  await page.route('**/api/test-stripe-checkout', (route) =>
    route.fulfill({ json: { success: true, url: route.request().postDataJSON().successUrl } }),
  );
  await page.clock.install();
  await page.goto('/test-stripe');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@mail.example');
  await button(page, 'Business $49/month').click();
  await expect(page).toHaveURL('/test-stripe');
  await expect(toastOf(page)).toContainText('Payment successful');
  expect(await stored()).toContain('uid-of-google');
  await page.goto('/features');
  await page.clock.fastForward('04:00');
  expect(await stored()).toContain('uid-of-google');
  await page.reload();
  await expect(async () => {
    await page.clock.fastForward('01:00');
    expect(await stored()).not.toContain('uid-of-google');
  }).toPass();
});

test('a test of somebody who is signed in asks once for a checkout to look at; failures are shown', async ({
  page,
}) => {
  await withDebugPages(page);
  await page.goto('/test-stripe-checkout');
  await expectTexts(page, 'test of the checkout, signed out');
  await join(page);
  const calls: string[] = [];
  page.on('request', (request) => request.url().endsWith('/subscriptions/checkout') && calls.push(request.url()));
  await page.reload();
  await button(page, 'Free $0/month').click();
  await expectTexts(page, 'test of the checkout, a free plan');
  const standard = button(page, 'Standard $19/month');
  await expect(standard).toBeEnabled();
  // Both before the screen is drawn again.
  await standard.evaluate((pressed: HTMLElement) => {
    pressed.click();
    pressed.click();
  });
  await expectTexts(page, 'test of the checkout');
  await expect(page.getByRole('region', { name: 'Response' })).toContainText('tier=standard');
  expect(calls).toHaveLength(2);
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

test('the test pages are not there, and neither is their call', async ({ page }) => {
  await join(page);
  for (const path of ['/test-stripe', '/test-stripe-checkout']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  }
  const call = await page.request.post('/api/test-stripe-checkout', {
    data: { tier: 'free', email: 'ada@mail.example', successUrl: '/account', cancelUrl: '/account' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(call.status()).toBe(404);
});
