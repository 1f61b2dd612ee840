import { expect } from '@playwright/test';
import { sameOriginHeaders, signInAsNewUser, toastOf } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { changeResponse, networkError, serverError } from './mock-responses.ts';
import { enableDebugPages, enablePayments } from './page-state.ts';
import { button, support } from './subscription.ts';
import { test } from './test.ts';

const subscription = { tier: 'standard', status: 'active', nextTier: null, periodEndsAt: null, simulated: false };

test('a payment is called successful only after its confirmation', async ({ page }) => {
  await signInAsNewUser(page);
  let isConfirmed = false;
  await page.route('**/api/subscriptions/mine', (route) => route.fulfill({ json: isConfirmed ? subscription : null }));
  await page.clock.install();
  await enablePayments(page);
  await page.goto('/account?subscription=success');
  const notice = page.getByRole('note');
  await expect(notice).toContainText('Waiting for the payment to be confirmed');
  await expect(page).toHaveURL('/account');
  await expect(support(page).getByRole('button')).toHaveCount(0);
  const waitForText = (text: string) =>
    expect(async () => {
      await page.clock.runFor(2000);
      await expect(notice).toContainText(text, { timeout: 300 });
    }).toPass({ timeout: 30_000 });
  await waitForText('The payment is not confirmed yet.');
  await button(page, 'Check again').click();
  await expect(notice).toContainText('Waiting for the payment to be confirmed');
  await expect(notice).toBeFocused();
  await expect(page.getByText('Payment successful')).toHaveCount(0);
  isConfirmed = true;
  await waitForText('Payment successful');
  await expectTexts(page, 'payment successful');
  await expect(notice).not.toContainText('Waiting');
  await expect(support(page)).toContainText('You support Linksieve with Standard');
});

test('the return from a payment leads to the stored page of this site, and otherwise to the account', async ({
  page,
}) => {
  await signInAsNewUser(page);
  // Anyone can open this URL.
  await page.goto('/account?subscription=success');
  await expect(page.getByRole('note')).toContainText('Waiting for the payment to be confirmed');
  await expect(page).toHaveURL('/account');
  await page.evaluate(() => localStorage.setItem('return-url', '/submit-sites'));
  await page.goto('/account?subscription=success');
  await expect(page).toHaveURL('/submit-sites');
  await expect(toastOf(page)).toContainText('Confirming your payment');

  await page.route('**/api/subscriptions/mine', (route) => route.fulfill({ json: subscription }));
  const origin = new URL(page.url()).origin;
  const getReturnUrl = () => page.evaluate(() => localStorage.getItem('return-url'));
  for (const [returnUrl, path] of [
    [`${origin}/submit-sites`, '/submit-sites'],
    ['https://evil.example/submit-sites', '/account'],
    ['//evil.example', '/account'],
    ['javascript:alert(1)', '/account'],
    ['/\\evil.example', '/account'],
    ['/test-stripe', '/account'],
  ] as const) {
    await page.evaluate((url) => localStorage.setItem('return-url', url), returnUrl);
    await page.goto('/account?subscription=success');
    await expect(page).toHaveURL(path);
    await expect(toastOf(page)).toContainText('Payment successful');
    expect(await getReturnUrl()).toBeNull();
  }
});

test('the return from a test payment says that nothing was charged', async ({ page }) => {
  await signInAsNewUser(page);
  await page.goto('/account?subscription=success&test=true&tab=profile');
  await expect(toastOf(page)).toContainText('This was a test: nothing was charged.');
  await expect(page.getByRole('note')).toContainText('Test checkout');
  await expect(page).toHaveURL('/account?tab=profile');
  await page.getByRole('tab', { name: 'My Websites' }).click();
  await expect(support(page)).toContainText('Support Linksieve');
});

test('a checkout test by email returns to the page where it started; errors are shown', async ({ page }) => {
  await enableDebugPages(page);
  await signInAsNewUser(page);
  await page.goto('/test-stripe');
  const [standard, business] = [button(page, 'Standard $19/month'), button(page, 'Business $49/month')];
  await expect(business).toBeDisabled();
  await page.getByRole('textbox', { name: 'Email' }).fill('  ada@mail.example ');
  const call = '**/api/test-stripe-checkout';
  await page.route(call, (route) => route.fulfill({ json: { success: true } }));
  await standard.click();
  await expectTexts(page, 'checkout test by email, no URL');
  await page.route(call, (route) => route.fulfill({ json: { success: false } }));
  await standard.click();
  await expectTexts(page, 'checkout test by email, refused');
  await page.route(call, serverError);
  await standard.click();
  await expectTexts(page, 'checkout test by email, fails');

  let request: { email: string; successUrl: string } | undefined;
  await page.route(call, async (route) => {
    request = route.request().postDataJSON();
    // Skips the checkout, as if it were paid.
    await route.fulfill({ json: { success: true, url: request?.successUrl, sessionId: 'cs_test_1' } });
  });
  await business.click();
  await expect(toastOf(page)).toContainText('This was a test: nothing was charged.');
  await expect(page).toHaveURL('/test-stripe');
  const origin = new URL(page.url()).origin;
  expect(request).toEqual({
    tier: 'business',
    email: 'ada@mail.example',
    successUrl: `${origin}/account?subscription=success&test=true`,
    cancelUrl: `${origin}/account?subscription=canceled`,
  });
});

test('the stored Firebase UID of a payment is deleted five minutes after the return, on any screen', async ({
  page,
}) => {
  const getStoredValues = () => page.evaluate(() => Object.values({ ...localStorage }).join());
  await enableDebugPages(page);
  await signInAsNewUser(page);
  await changeResponse(page, '**/api/auth/current-user', (user) => ({ ...user, firebaseUid: 'uid-of-google' }));
  await page.route('**/api/test-stripe-checkout', (route) =>
    route.fulfill({ json: { success: true, url: route.request().postDataJSON().successUrl } }),
  );
  await page.clock.install();
  await page.goto('/test-stripe');
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@mail.example');
  await button(page, 'Business $49/month').click();
  await expect(page).toHaveURL('/test-stripe');
  await expect(toastOf(page)).toContainText('Test checkout');
  expect(await getStoredValues()).toContain('uid-of-google');
  await page.goto('/features');
  await page.clock.fastForward('04:00');
  expect(await getStoredValues()).toContain('uid-of-google');
  await page.reload();
  await expect(async () => {
    await page.clock.fastForward('01:00');
    expect(await getStoredValues()).not.toContain('uid-of-google');
  }).toPass();
});

test('a checkout test sends one request for a double click and links to the checkout; errors are shown', async ({
  page,
}) => {
  await enableDebugPages(page);
  await page.goto('/test-stripe-checkout');
  await expectTexts(page, 'checkout test, signed out');
  await signInAsNewUser(page);
  const calls: string[] = [];
  page.on('request', (request) => request.url().endsWith('/subscriptions/checkout') && calls.push(request.url()));
  await page.reload();
  await button(page, 'Free $0/month').click();
  await expectTexts(page, 'checkout test, free plan');
  const standard = button(page, 'Standard $19/month');
  await expect(standard).toBeEnabled();
  // Clicks twice before the screen renders again.
  await standard.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await expectTexts(page, 'checkout test');
  await expect(page.getByRole('region', { name: 'Response' })).toContainText('tier=standard');
  expect(calls).toHaveLength(2);
  const opens = page.getByRole('link', { name: 'Open Checkout' });
  await expect(opens).toHaveAttribute('target', '_blank');
  await expect(opens).toHaveAttribute('rel', /noopener/);

  const checkout = '**/api/subscriptions/checkout';
  await page.route(checkout, (route) => route.fulfill({ json: { direct: false } }));
  await standard.click();
  await expectTexts(page, 'checkout test, no URL');
  await page.route(checkout, (route) => route.fulfill({ body: '<h1>Bad Gateway</h1>' }));
  await standard.click();
  await expectTexts(page, 'checkout test, no JSON');
  await page.route(checkout, networkError);
  await standard.click();
  await expectTexts(page, 'checkout test, fails');
});

test('the checkout test pages and their endpoint return 404', async ({ page }) => {
  await signInAsNewUser(page);
  for (const path of ['/test-stripe', '/test-stripe-checkout']) {
    expect((await page.goto(path))?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible();
  }
  const call = await page.request.post('/api/test-stripe-checkout', {
    data: { tier: 'free', email: 'ada@mail.example', successUrl: '/account', cancelUrl: '/account' },
    headers: sameOriginHeaders,
  });
  expect(call.status()).toBe(404);
});
