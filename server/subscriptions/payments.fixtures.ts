import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import type { Subscription } from './stripe-protocol.fixtures.ts';
import { secretKey, startStripe } from './stripe-server.fixtures.ts';
import { deliver, eventOf, webhookSecret } from './webhook.fixtures.ts';

/** A server with real payments, the Stripe of ours that takes them, and what people do there. */
export async function startPayments() {
  const stripe = await startStripe();
  const server = await startTestApp(
    {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: stripe.url,
    },
    { worker: true },
  );
  const { call, context } = server;

  const checkout = (as: string, tier: string) => call('POST', '/api/subscriptions/checkout', { as, body: { tier } });

  async function tell(type: string, object: object): Promise<void> {
    expect((await deliver(server, eventOf(type, object))).statusCode).toBe(200);
  }

  /** Waits until every job for Stripe is done. */
  async function waitForIdle(): Promise<void> {
    const busy = () =>
      sql`select from pgboss.job where name like 'stripe-%' and state < 'completed'`.execute(context.db);
    while ((await busy()).rows.length > 0) await wait(20);
  }

  async function tellAll(...events: [string, object][]): Promise<void> {
    for (const [type, object] of events) await tell(type, object);
    await waitForIdle();
  }

  const change = async (as: string, tier: string) =>
    (await call('POST', '/api/subscriptions/manual-change', { as, body: { tier } })).json();

  return {
    ...server,
    stripe,
    checkout,
    tell,
    tellAll,
    waitForIdle,
    change,
    mine: async (as: string) => (await call('GET', '/api/subscriptions/mine', { as })).json(),
    /** Begins a checkout, pays it, and tells of it. */
    async buy(as: string, tier: string) {
      const paid = stripe.pay(sessionOf((await checkout(as, tier)).json().url));
      await tellAll(['checkout.session.completed', paid.session]);
      return paid;
    },
    /** Confirms a change on Stripe's portal, and tells of it. @returns where the portal leads back to */
    async confirmChange(as: string, tier: string): Promise<{ url: string; subscription: Subscription }> {
      const confirmed = stripe.portal.confirm((await change(as, tier)).url);
      await tellAll(['customer.subscription.updated', confirmed.subscription]);
      return confirmed;
    },
  };
}

/** The id at the end of a checkout's address. */
export const sessionOf = (url: string) => url.split('/').at(-1) ?? '';
