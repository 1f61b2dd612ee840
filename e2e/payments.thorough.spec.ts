import { expect, type Page } from '@playwright/test';
import { secretKey, startStripeServer } from '../server/accounts/subscriptions/stripe-server.fixtures.ts';
import { webhookSecret } from '../server/accounts/subscriptions/webhook.fixtures.ts';
import { sameOriginHeaders, toastOf, uniqueName, userPassword } from './accounts.ts';
import { expectTexts } from './expect-texts.ts';
import { startSeparateServer } from './separate-server.ts';
import { confirmOnStripe, mockStripePages, payOnStripe, sendWebhook } from './stripe-pages.ts';
import { button, support } from './subscription.ts';
import { test } from './test.ts';

// These tests use a separate server with real payments, a search limit and debug pages. A local server replaces Stripe.
test.describe.configure({ mode: 'serial' });

const port = Number(process.env.E2E_PORT ?? 4173) + 1;
let stripe: Awaited<ReturnType<typeof startStripeServer>>;
let server: Awaited<ReturnType<typeof startSeparateServer>>;

test.beforeAll(async () => {
  stripe = await startStripeServer();
  server = await startSeparateServer(port, {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: stripe.url,
    SEARCH_LIMIT: '2',
    LINKSIEVE_DEBUG: '1',
  });
});

test.afterAll(async () => {
  await server?.stop();
  stripe?.close();
});

const notice = (page: Page) => page.getByRole('note');

/** Registers a user on the separate server, which also signs the page in. @returns the email address */
async function signInAsPayer(page: Page): Promise<string> {
  const email = `${uniqueName('payer')}@mail.example`;
  const data = { email, username: email.split('@')[0], password: userPassword };
  const response = await page.request.post(`${server.address}/api/auth/register`, { data, headers: sameOriginHeaders });
  expect(response.status()).toBe(201);
  await mockStripePages(page, stripe);
  return email;
}

test('a plan is paid at Stripe, starts with its webhook, is canceled at Stripe and kept again', async ({ page }) => {
  const email = await signInAsPayer(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Standard, $19/month').click();
  await expect(page).toHaveURL(/^https:\/\/checkout\.stripe\.com\//);
  const { session, subscription } = await payOnStripe(page, stripe);
  expect(session.form).toMatchObject({ mode: 'subscription' });
  expect(stripe.customers.get(session.customer ?? '')?.form).toMatchObject({ email });
  await expect(page).toHaveURL(`${server.address}/account`);
  await expect(notice(page)).toContainText('Waiting for the payment to be confirmed');
  await expect(toastOf(page)).toHaveCount(0);
  await sendWebhook(server.address, 'checkout.session.completed', session);
  await expectTexts(page, 'payment successful');
  await expect(support(page)).toContainText('You support Linksieve with Standard, $19/month');
  await expect(support(page)).not.toContainText('simulated');

  await button(page, 'Cancel subscription').click();
  await page.getByRole('link', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${server.address}/account`);
  await button(page, 'Cancel subscription').click();
  await confirmOnStripe(page, stripe);
  await expect(page).toHaveURL(`${server.address}/account`);
  await expect(notice(page)).toContainText('Waiting for the change to be confirmed');
  await expect(support(page).getByRole('button')).toHaveCount(0);
  await sendWebhook(server.address, 'customer.subscription.updated', subscription);
  await expectTexts(page, 'subscription cancelled');
  await expect(support(page)).toContainText('It ends on ');
  await button(page, 'Keep Standard').click();
  await expect(toastOf(page)).toContainText('Subscription kept');
  await sendWebhook(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('It renews each month');
});

test('an upgrade in the portal waits for its webhook; a downgrade starts next month', async ({ page }) => {
  await signInAsPayer(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Standard, $19/month').click();
  const first = await payOnStripe(page, stripe);
  await sendWebhook(server.address, 'checkout.session.completed', first.session);
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  await button(page, 'Upgrade to Business').click();
  const subscription = await confirmOnStripe(page, stripe);
  await expect(page).toHaveURL(`${server.address}/account`);
  await expect(notice(page)).toContainText('Waiting for the payment to be confirmed');
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  await expect(support(page).getByRole('button')).toHaveCount(0);
  await sendWebhook(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('You support Linksieve with Business');
  await expectTexts(page, 'payment successful');
  await expect(button(page, 'Cancel subscription')).toBeVisible();
  await page.goto(`${server.address}/account?subscription=success`);
  await expect(notice(page)).toContainText('Payment successful');
  await expect(button(page, 'Cancel subscription')).toBeVisible();

  await button(page, 'Downgrade to Standard').click();
  await confirmOnStripe(page, stripe);
  await expect(notice(page)).toContainText('Waiting for the change to be confirmed');
  await sendWebhook(server.address, 'customer.subscription.updated', subscription);
  await expectTexts(page, 'downgrade scheduled');
  await expect(support(page)).toContainText('It changes to Standard, $19/month, on ');
  await expect(button(page, 'Keep Business')).toBeVisible();
});

test('leaving the checkout at Stripe charges nothing', async ({ page }) => {
  await signInAsPayer(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Business, $49/month').click();
  await page.getByRole('link', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${server.address}/features`);
  await expect(toastOf(page)).toContainText('Nothing was charged.');
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
  // A user who returns with the back button can open the checkout again.
  await page.goto(`${server.address}/account`);
  await button(page, 'Business, $49/month').click();
  await page.getByRole('link', { name: 'Leave' }).waitFor();
  await page.goBack();
  await button(page, 'Business, $49/month').click();
  await expect(page.getByRole('link', { name: 'Leave' })).toBeVisible();
});

test('with real payments, the simulated checkout leads to Stripe and creates no subscription', async ({ page }) => {
  await signInAsPayer(page);
  await page.goto(`${server.address}/simulate-checkout?tier=business`);
  await expect(page.getByText('on the next page, at Stripe')).toBeVisible();
  await button(page, 'Confirm Business Subscription').click();
  await expect(page).toHaveURL(/^https:\/\/checkout\.stripe\.com\//);
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
});

test('the checkout of the free plan leads to the account', async ({ page }) => {
  await signInAsPayer(page);
  await page.goto(`${server.address}/account`);
  await page.goto(`${server.address}/simulate-checkout?tier=free`);
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await expect(page).toHaveURL(`${server.address}/account`);
});

test('a test checkout leads to Stripe and back to the page where it started', async ({ page }) => {
  await signInAsPayer(page);
  await page.goto(`${server.address}/test-stripe`);
  await page.getByRole('textbox', { name: 'Email' }).fill('not an address');
  await button(page, 'Standard $19/month').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(' ada@mail.example ');
  await button(page, 'Standard $19/month').click();
  await page.getByRole('link', { name: 'Pay now' }).click();
  await expect(page).toHaveURL(`${server.address}/test-stripe`);
  await expect(toastOf(page)).toContainText('This was a test: nothing was charged.');
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
});

test('with a search limit, no page says that searches are unlimited', async ({ page }) => {
  await signInAsPayer(page);
  for (const path of ['/account', '/simulate-checkout']) {
    await page.goto(server.address + path);
    await expect(page.getByText('2 searches until you reset the count')).toBeVisible();
    await expect(page.getByText('Unlimited searches')).toHaveCount(0);
  }
});

test('the search limit applies, and Try Again resets the count', async ({ page }) => {
  await signInAsPayer(page);
  for (const word of ['casino', 'poker']) {
    await page.goto(`${server.address}/domains?search=${word}`);
    await expect(page.getByText('No domains found')).toBeVisible();
  }
  await page.goto(`${server.address}/domains?search=betting`);
  await expect(toastOf(page)).toContainText('Search limit reached');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await button(page, 'Try Again').click();
  await expect(page.getByText('No domains found')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Results' })).toBeFocused();
});
