import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import Stripe from 'stripe';

export const webhookSecret = 'whsec_fixture';

const { webhooks } = new Stripe('sk_test_signs_only');

export interface Delivery {
  secret?: string;
  /** Unix timestamp in seconds. */
  signedAt?: number;
  /** Replaces the valid signature. */
  signature?: string;
  headers?: Record<string, string>;
}

/** Builds an event as Stripe sends it. */
export function buildEvent(type: string, object: object) {
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const created = Math.floor(Date.now() / 1000);
  return { id, object: 'event', api_version: '2026-10-28.endive', type, created, livemode: false, data: { object } };
}

/** Sends an event as Stripe does: signed by the official package, and without browser headers. */
export function deliverEvent(
  { app }: { app: Pick<FastifyInstance, 'inject'> },
  event: object,
  delivery: Delivery = {},
) {
  const payload = JSON.stringify(event, undefined, 2);
  const timestamp = delivery.signedAt ?? Math.floor(Date.now() / 1000);
  const secret = delivery.secret ?? webhookSecret;
  const signature = delivery.signature ?? webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return app.inject({
    method: 'POST',
    url: '/api/stripe/webhook',
    payload,
    headers: {
      host: 'localhost:3000',
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signature,
      ...delivery.headers,
    },
  });
}
