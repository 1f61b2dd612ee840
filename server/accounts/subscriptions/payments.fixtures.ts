import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { paymentDeadLetterJob, syncPaymentsJob } from './jobs.ts';
import type { Subscription } from './stripe-protocol.fixtures.ts';
import { secretKey, startTestStripe } from './stripe-server.fixtures.ts';
import { buildEvent, deliverEvent, webhookSecret } from './webhook.fixtures.ts';

/** Starts a server with payments and a test Stripe server. Returns both with functions for what users do there. */
export async function startPayments() {
  const stripe = await startTestStripe();
  const server = await startTestApp(
    {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
    { work: [syncPaymentsJob, paymentDeadLetterJob] },
  );
  const { call, context } = server;

  const checkout = (as: string, tier: string) => call('POST', '/api/subscriptions/checkout', { as, body: { tier } });

  async function sendEvent(type: string, object: object): Promise<void> {
    expect((await deliverEvent(server, buildEvent(type, object))).statusCode).toBe(200);
  }

  /** Waits until all Stripe jobs are done. */
  async function waitForIdle(): Promise<void> {
    const busy = () =>
      sql`select from pgboss.job where name like 'stripe-%' and state < 'completed'`.execute(context.db);
    while ((await busy()).rows.length > 0) await wait(20);
  }

  async function sendEvents(...events: [string, object][]): Promise<void> {
    for (const [type, object] of events) await sendEvent(type, object);
    await waitForIdle();
  }

  const change = async (as: string, tier: string) =>
    (await call('POST', '/api/subscriptions/manual-change', { as, body: { tier } })).json();

  return {
    ...server,
    stripe,
    checkout,
    sendEvent,
    sendEvents,
    waitForIdle,
    change,
    getSubscription: async (as: string) => (await call('GET', '/api/subscriptions/mine', { as })).json(),
    /** Starts a checkout, pays it, and sends the event. */
    async buy(as: string, tier: string) {
      const paid = stripe.pay(getSessionId((await checkout(as, tier)).json().url));
      await sendEvents(['checkout.session.completed', paid.session]);
      return paid;
    },
    /** Confirms a change on Stripe's portal and sends the event. @returns the URL that the portal redirects to */
    async confirmChange(as: string, tier: string): Promise<{ url: string; subscription: Subscription }> {
      const confirmed = stripe.portal.confirm((await change(as, tier)).url);
      await sendEvents(['customer.subscription.updated', confirmed.subscription]);
      return confirmed;
    },
  };
}

/** Returns the session id at the end of a checkout's URL. */
export const getSessionId = (url: string) => url.split('/').at(-1) ?? '';
