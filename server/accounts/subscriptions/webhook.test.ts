import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { createLog } from '../../start.ts';
import { startTestApp } from '../../test-app.fixtures.ts';
import { getSessionId, startPayments } from './payments.fixtures.ts';
import { buildEvent, type Delivery, deliverEvent } from './webhook.fixtures.ts';

const server = await startPayments();
const { app, checkout, context, getSubscription, signUp, stripe, waitForIdle } = server;
const { db } = context;

/** Reads everything that an event could change, including jobs. */
async function readState(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(s order by user_id) from subscriptions s) as subscriptions,
      (select json_agg(c order by customer_id) from stripe_customers c) as customers,
      (select count(*) from pgboss.job where name like 'stripe-%') as jobs`.execute(db);
  return rows;
}

/** Creates a user who has paid, and the event for it, which is not sent yet. */
async function createPayment() {
  const { cookie } = await signUp();
  const { session, subscription } = stripe.pay(getSessionId((await checkout(cookie, 'standard')).json().url));
  return { cookie, subscription, event: buildEvent('checkout.session.completed', session) };
}

const now = () => Math.floor(Date.now() / 1000);
const forged: Record<string, () => Delivery> = {
  'a made-up signature': () => ({ signature: `t=${now()},v1=${'0'.repeat(64)}` }),
  'another secret': () => ({ secret: 'whsec_of_another_endpoint' }),
  'a six-minute-old signature': () => ({ signedAt: now() - 360 }),
  'an empty signature': () => ({ signature: '' }),
  'a malformed signature': () => ({ signature: 'v1' }),
  'a signature with only the test scheme': () => ({ signature: `t=${now()},v0=${'a'.repeat(64)}` }),
};

test.each(Object.entries(forged))('an event with %s changes nothing', async (_, delivery) => {
  const { event } = await createPayment();
  const before = await readState();
  const { statusCode, json } = await deliverEvent(server, event, delivery());
  expect([statusCode, json().code]).toEqual([400, 'invalid']);
  expect(await readState()).toEqual(before);
});

test('a signed event with a modified body changes nothing', async () => {
  const { event } = await createPayment();
  const { headers } = await buildSignedHeaders(event);
  const before = await readState();
  for (const payload of [JSON.stringify(event), `${JSON.stringify(event, undefined, 2)}\n`, '', '{', '[]', 'null']) {
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
    expect([payload.slice(0, 20), statusCode]).toEqual([payload.slice(0, 20), 400]);
  }
  expect(await readState()).toEqual(before);
});

/** Returns the signed headers of an event without sending it. */
async function buildSignedHeaders(event: object) {
  const sent: { headers: Record<string, string> }[] = [];
  const app = { inject: (options: { headers: Record<string, string> }) => sent.push(options) };
  deliverEvent({ app: app as never }, event);
  return { headers: sent[0]?.headers ?? {} };
}

test('the log warns of forged events once a minute, without their contents', async () => {
  const lines: string[] = [];
  const listener = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  let minutes = 0;
  const clock = () => new Date(Date.now() + minutes * 60_000);
  const listening = buildApp({ ...context, now: clock, log: createLog({ logLevel: 'trace' }, listener) });
  const { event } = await createPayment();
  const warnings = () => lines.filter((line) => line.includes('STRIPE_WEBHOOK_SECRET'));
  const forge = () =>
    deliverEvent({ app: listening }, { ...event, note: 'word-of-the-forger' }, { secret: 'whsec_wrong' });
  await deliverEvent({ app: listening }, buildEvent('customer.created', { id: 'cus_1' }));
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; i++) await forge();
  expect(warnings()).toEqual([expect.stringContaining('"level":40')]);
  minutes = 1;
  await forge();
  await listening.close();
  expect(warnings()).toHaveLength(2);
  expect(lines.join('')).not.toContain('word-of-the-forger');
});

test('an event that is sent several times has the same result as one', async () => {
  const { cookie, event } = await createPayment();
  const responses = await Promise.all([1, 2, 3, 4, 5].map(() => deliverEvent(server, event)));
  responses.push(await deliverEvent(server, event));
  expect(responses.map(({ statusCode, json }) => [statusCode, json()])).toEqual(
    responses.map(() => [200, { received: true }]),
  );
  await waitForIdle();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard' });
});

test('an old event that is sent again does not restore an ended subscription', async () => {
  const { cookie, event, subscription } = await createPayment();
  await deliverEvent(server, event);
  subscription.status = 'canceled';
  await deliverEvent(server, buildEvent('customer.subscription.deleted', subscription));
  await waitForIdle();
  expect(await getSubscription(cookie)).toBeNull();
  expect((await deliverEvent(server, event)).statusCode).toBe(200);
  await waitForIdle();
  expect(await getSubscription(cookie)).toBeNull();
});

test('events about unknown customers return 200 and change nothing', async () => {
  const before = await readState();
  for (const [type, object] of [
    ['customer.created', { id: 'cus_1' }],
    ['invoice.paid', { id: 'in_1', parent: null }],
    ['checkout.session.completed', { id: 'cs_1', mode: 'payment', customer: null }],
    ['customer.subscription.updated', { id: 'sub_1', customer: 'cus_of_another_site' }],
    ['something.of.later.years', {}],
  ] as const) {
    expect([type, (await deliverEvent(server, buildEvent(type, object))).statusCode]).toEqual([type, 200]);
  }
  expect(await readState()).toEqual(before);
});

test('a large body returns 413, and a body that is not JSON returns 415', async () => {
  const large = await deliverEvent(server, buildEvent('invoice.paid', { text: 'x'.repeat(300_000) }));
  expect(large.statusCode).toBe(413);
  const form = await deliverEvent(server, buildEvent('invoice.paid', {}), {
    headers: { 'content-type': 'text/plain' },
  });
  expect(form.statusCode).toBe(415);
});

test('a signed event from a browser on another site returns 403', async () => {
  const { event } = await createPayment();
  for (const [name, value] of [
    ['sec-fetch-site', 'cross-site'],
    ['origin', 'https://evil.example'],
  ] as const) {
    const headers = { [name]: value };
    expect((await deliverEvent(server, event, { headers })).statusCode).toBe(403);
  }
});

test('the webhook returns 404 if payments are not set up', async () => {
  const other = await startTestApp();
  expect((await deliverEvent(other, buildEvent('invoice.paid', {}))).statusCode).toBe(404);
});
