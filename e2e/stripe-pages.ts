import type { Page } from '@playwright/test';
import Stripe from 'stripe';
import { getForm } from '../server/accounts/subscriptions/stripe-protocol.fixtures.ts';
import type { startStripeServer } from '../server/accounts/subscriptions/stripe-server.fixtures.ts';
import { buildEvent, webhookSecret } from '../server/accounts/subscriptions/webhook.fixtures.ts';

type StripeServer = Awaited<ReturnType<typeof startStripeServer>>;

const { webhooks } = new Stripe('sk_test_signs_only');

/** Sends an event to our server's webhook, signed as Stripe signs it. */
export async function sendWebhook(address: string, type: string, object: object): Promise<void> {
  const payload = JSON.stringify(buildEvent(type, object));
  const signature = webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
  const response = await fetch(`${address}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body: payload,
  });
  if (!response.ok) throw new Error(`${type}: ${await response.text()}`);
}

/**
 * Replaces Stripe's checkout and customer portal by pages with two links: one completes the checkout or change, the
 * other leaves. The first returns to the app before our server gets an event.
 */
export async function mockStripePages(page: Page, { sessions, portal }: StripeServer): Promise<void> {
  const link = (url: unknown, text: string) => `<a href="${String(url).replaceAll('&', '&amp;')}">${text}</a>`;
  await page.route('https://checkout.stripe.com/**', async (route) => {
    const id = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const { form } = sessions.get(id) ?? {};
    const body = `<title>Stripe</title><h1 id="${id}">Pay</h1>${link(form?.success_url, 'Pay now')} ${link(form?.cancel_url, 'Leave')}`;
    await route.fulfill({ contentType: 'text/html', body });
  });
  await page.route('https://billing.stripe.com/**', async (route) => {
    const session = portal.sessions.get(route.request().url());
    const after = getForm(session?.flow ?? {}, 'after_completion', 'redirect');
    const body = `<title>Stripe</title><h1>Plan</h1>${link(after.return_url, 'Confirm')} ${link(session?.return_url, 'Leave')}`;
    await route.fulfill({ contentType: 'text/html', body });
  });
}

/** Pays on Stripe's checkout, which must be open. @returns the objects of the events for our server */
export async function payOnStripe(page: Page, stripe: StripeServer) {
  const id = await page.getByRole('heading', { name: 'Pay' }).getAttribute('id');
  const paid = stripe.pay(id ?? '');
  await page.getByRole('link', { name: 'Pay now' }).click();
  return paid;
}

/** Waits for Stripe's customer portal and confirms the change. @returns the subscription for the event to our server */
export async function confirmOnStripe(page: Page, stripe: StripeServer) {
  const button = page.getByRole('link', { name: 'Confirm' });
  await button.waitFor();
  const { subscription } = stripe.portal.confirm(page.url());
  await button.click();
  return subscription;
}
