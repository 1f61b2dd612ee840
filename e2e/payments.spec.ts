import { expect, type Page, test } from '@playwright/test';
import { secretKey, startStripeServer } from '../server/subscriptions/stripe-server.fixtures.ts';
import { webhookSecret } from '../server/subscriptions/webhook.fixtures.ts';
import { expectTexts } from './expect-texts.ts';
import { toastOf, unique, userPassword } from './person.ts';
import { startServer } from './server-of-its-own.ts';
import { confirmThere, payThere, standInForStripe, tell } from './stripe-checkout.ts';

// A server with real payments, a search limit, and the screens for trying things out; Stripe is a server of ours.
test.describe.configure({ mode: 'serial' });

const port = Number(process.env.E2E_PORT ?? 4173) + 1;
let stripe: Awaited<ReturnType<typeof startStripeServer>>;
let server: Awaited<ReturnType<typeof startServer>>;

test.beforeAll(async () => {
  stripe = await startStripeServer();
  server = await startServer(port, {
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

const support = (page: Page) => page.getByRole('region', { name: 'Support' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function join(page: Page): Promise<string> {
  const email = `${unique('payer')}@mail.example`;
  const data = { email, username: email.split('@')[0], password: userPassword };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await page.request.post(`${server.address}/api/auth/register`, { data, headers });
  expect(answer.status()).toBe(201);
  await standInForStripe(page, stripe);
  return email;
}

test('a plan is paid at Stripe, whose word makes it one, is cancelled there, and kept', async ({ page }) => {
  const email = await join(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Standard, $19/month').click();
  await expect(page).toHaveURL(/^https:\/\/checkout\.stripe\.com\//);
  const { session, subscription } = await payThere(page, stripe);
  expect(session.form).toMatchObject({ mode: 'subscription' });
  expect(stripe.customers.get(session.customer ?? '')?.form).toMatchObject({ email });
  await expect(toastOf(page)).toContainText('Payment successful');
  await expect(page).toHaveURL(`${server.address}/account`);
  await expect(support(page)).toContainText('Waiting for the payment to be confirmed');
  await tell(server.address, 'checkout.session.completed', session);
  await expect(support(page)).toContainText('You support Linksieve with Standard, $19/month');
  await expect(support(page)).not.toContainText('simulated');

  await button(page, 'Cancel subscription').click();
  await page.getByRole('link', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${server.address}/account`);
  await button(page, 'Cancel subscription').click();
  await confirmThere(page, stripe);
  await expectTexts(page, 'a plan cancelled');
  await expect(page).toHaveURL(`${server.address}/account`);
  await expect(support(page).getByRole('button')).toHaveCount(0);
  await tell(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('It ends on ');
  await button(page, 'Keep Standard').click();
  await expect(toastOf(page)).toContainText('Subscription kept');
  await tell(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('It renews each month');
});

test('a larger plan is paid on the portal and waited for; a smaller one begins with the next month', async ({
  page,
}) => {
  await join(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Standard, $19/month').click();
  const first = await payThere(page, stripe);
  await tell(server.address, 'checkout.session.completed', first.session);
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  await button(page, 'Upgrade to Business').click();
  const subscription = await confirmThere(page, stripe);
  await expect(page).toHaveURL(`${server.address}/account`);
  await expectTexts(page, 'back from a payment');
  await expect(support(page)).toContainText('Waiting for the payment to be confirmed');
  await expect(support(page)).toContainText('You support Linksieve with Standard');
  await expect(support(page).getByRole('button')).toHaveCount(0);
  await tell(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('You support Linksieve with Business');
  await expect(support(page)).not.toContainText('Waiting');
  await expect(button(page, 'Cancel subscription')).toBeVisible();
  await page.goto(`${server.address}/account?subscription=success`);
  await expect(page.getByRole('note')).toContainText('Payment successful');
  await expect(button(page, 'Cancel subscription')).toBeVisible();

  await button(page, 'Downgrade to Standard').click();
  await confirmThere(page, stripe);
  await expectTexts(page, 'a smaller plan');
  await tell(server.address, 'customer.subscription.updated', subscription);
  await expect(support(page)).toContainText('It becomes Standard, $19/month, on ');
  await expect(button(page, 'Keep Business')).toBeVisible();
});

test('a checkout that is left at Stripe charges nothing', async ({ page }) => {
  await join(page);
  await page.goto(`${server.address}/account`);
  await button(page, 'Business, $49/month').click();
  await page.getByRole('link', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${server.address}/features`);
  await expect(toastOf(page)).toContainText('Nothing was charged.');
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
  // Who comes back from Stripe's page by the back button can go there again.
  await page.goto(`${server.address}/account`);
  await button(page, 'Business, $49/month').click();
  await page.getByRole('link', { name: 'Leave' }).waitFor();
  await page.goBack();
  await button(page, 'Business, $49/month').click();
  await expect(page.getByRole('link', { name: 'Leave' })).toBeVisible();
});

test('the simulated checkout of a server with real payments settles nothing, and leads to Stripe', async ({ page }) => {
  await join(page);
  await page.goto(`${server.address}/simulate-checkout?tier=business`);
  await expect(page.getByText('the next page is that of Stripe')).toBeVisible();
  await button(page, 'Confirm Business Subscription').click();
  await expect(page).toHaveURL(/^https:\/\/checkout\.stripe\.com\//);
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
});

test('a checkout of what costs nothing is none: it leads to the account', async ({ page }) => {
  await join(page);
  await page.goto(`${server.address}/account`);
  await page.goto(`${server.address}/simulate-checkout?tier=free`);
  await expect(page.getByRole('heading', { name: 'My Account' })).toBeVisible();
  await expect(page).toHaveURL(`${server.address}/account`);
});

test('a checkout that is tried out leads to Stripe and back to where it began', async ({ page }) => {
  await join(page);
  await page.goto(`${server.address}/test-stripe`);
  await page.getByRole('textbox', { name: 'Email' }).fill('not an address');
  await button(page, 'Standard $19/month').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(' ada@mail.example ');
  await button(page, 'Standard $19/month').click();
  await page.getByRole('link', { name: 'Pay now' }).click();
  await expect(page).toHaveURL(`${server.address}/test-stripe`);
  await expect(toastOf(page)).toContainText('This was a test: no money moved.');
  expect(await (await page.request.get(`${server.address}/api/subscriptions/mine`)).json()).toBeNull();
});

test('where searches are limited nobody is told that they are not', async ({ page }) => {
  await join(page);
  for (const path of ['/account', '/simulate-checkout']) {
    await page.goto(server.address + path);
    await expect(page.getByText('2 searches until you reset their count')).toBeVisible();
    await expect(page.getByText('Unlimited searches')).toHaveCount(0);
  }
});

test('searches are limited, and trying again counts them from zero', async ({ page }) => {
  await join(page);
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
