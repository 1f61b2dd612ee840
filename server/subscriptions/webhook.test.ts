import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { createLog } from '../start.ts';
import { startTestApp } from '../test-context.ts';
import { tidyPaymentsJob } from './jobs.ts';
import { secretKey, startStripe } from './stripe-server.fixtures.ts';
import { type Delivery, deliver, eventOf, webhookSecret } from './webhook.fixtures.ts';

const stripe = await startStripe();
const server = await startTestApp(
  {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: stripe.url,
  },
  { worker: true },
);
const { app, call, context, signUp } = server;
const { db } = context;

/** Everything that an event could have changed, jobs too. */
async function kept(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(s order by user_id) from subscriptions s) as subscriptions,
      (select json_agg(c order by id) from stripe_checkouts c) as checkouts,
      (select json_agg(e order by id) from stripe_events e) as events,
      (select count(*) from pgboss.job where name like 'stripe-%') as jobs`.execute(db);
  return rows;
}

/** Somebody who has paid, and the event of it that nobody has told yet. */
async function paid() {
  const { cookie, password } = await signUp();
  const answer = await call('POST', '/api/subscriptions/checkout', { as: cookie, body: { tier: 'standard' } });
  const { session, subscription } = stripe.pay(answer.json().url.split('/').at(-1));
  return { cookie, password, session, subscription, event: eventOf('checkout.session.completed', session) };
}

const now = () => Math.floor(Date.now() / 1000);
const forged: Record<string, () => Delivery> = {
  'a made-up signature': () => ({ signature: `t=${now()},v1=${'0'.repeat(64)}` }),
  'another secret': () => ({ secret: 'whsec_of_another_endpoint' }),
  'a signature of six minutes ago': () => ({ signedAt: now() - 360 }),
  'no signature at all': () => ({ signature: '' }),
  'something that is no signature': () => ({ signature: 'v1' }),
  'the scheme of test mode only': () => ({ signature: `t=${now()},v0=${'a'.repeat(64)}` }),
};

test.each(Object.entries(forged))('an event with %s changes nothing', async (_, delivery) => {
  const { event } = await paid();
  const before = await kept();
  const { statusCode, json } = await deliver(server, event, delivery());
  expect([statusCode, json().code]).toEqual([400, 'invalid']);
  expect(await kept()).toEqual(before);
});

test('a signed event whose body was changed on the way changes nothing', async () => {
  const { event } = await paid();
  const { headers } = await signedFor(event);
  const before = await kept();
  for (const payload of [JSON.stringify(event), `${JSON.stringify(event, undefined, 2)}\n`, '', '{', '[]', 'null']) {
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
    expect([payload.slice(0, 20), statusCode]).toEqual([payload.slice(0, 20), 400]);
  }
  expect(await kept()).toEqual(before);
});

/** The headers of a delivery that was never made. */
async function signedFor(event: object) {
  const sent: { headers: Record<string, string> }[] = [];
  const app = { inject: (options: { headers: Record<string, string> }) => sent.push(options) };
  deliver({ app: app as never }, event);
  return { headers: sent[0]?.headers ?? {} };
}

test('a forged event leaves no word of itself in the log, which tells once a minute that there are such', async () => {
  const words: string[] = [];
  const listener = new Writable({
    write(chunk, _, done) {
      words.push(String(chunk));
      done();
    },
  });
  let minutes = 0;
  const clock = () => new Date(Date.now() + minutes * 60_000);
  const listening = buildApp({ ...context, now: clock, log: createLog({ logLevel: 'trace' }, listener) });
  const { event } = await paid();
  const warnings = () => words.filter((line) => line.includes('STRIPE_WEBHOOK_SECRET'));
  const forge = () => deliver({ app: listening }, { ...event, note: 'word-of-the-forger' }, { secret: 'whsec_wrong' });
  await deliver({ app: listening }, eventOf('customer.created', { id: 'cus_1' }));
  expect(warnings()).toEqual([]);
  for (let i = 0; i < 3; i++) await forge();
  expect(warnings()).toEqual([expect.stringContaining('"level":40')]);
  minutes = 1;
  await forge();
  await listening.close();
  expect(warnings()).toHaveLength(2);
  expect(words.join('')).not.toContain('word-of-the-forger');
});

test('an event that is sent again, at the same moment or later, is taken once', async () => {
  const { cookie, event } = await paid();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(server, event)));
  answers.push(await deliver(server, event));
  expect(answers.map(({ statusCode, json }) => [statusCode, json()])).toEqual(
    answers.map(() => [200, { received: true }]),
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pgboss.job where name = 'stripe-settle' and data->>'subscriptionId' = ${
      event.data.object instanceof Object && 'subscription' in event.data.object ? event.data.object.subscription : ''
    }`.execute(db);
  expect(rows).toEqual([{ count: 1 }]);
  await expect
    .poll(async () => (await call('GET', '/api/subscriptions/mine', { as: cookie })).json())
    .toMatchObject({ tier: 'standard' });
});

test('an event that was taken before changes nothing later, when what it told is no longer so', async () => {
  const { cookie, event, subscription } = await paid();
  await deliver(server, event);
  subscription.status = 'canceled';
  await deliver(server, eventOf('customer.subscription.deleted', subscription));
  // Nothing is paid before the first is settled either.
  const busy = async () =>
    (await sql`select from pgboss.job where name like 'stripe-%' and state < 'completed'`.execute(db)).rows.length;
  await expect.poll(busy).toBe(0);
  expect((await call('GET', '/api/subscriptions/mine', { as: cookie })).json()).toBeNull();
  const before = await kept();
  expect((await deliver(server, event)).statusCode).toBe(200);
  expect(await kept()).toEqual(before);
});

test('events of other kinds, and invoices of no subscription, are answered and not kept', async () => {
  const before = await kept();
  for (const [type, object] of [
    ['customer.created', { id: 'cus_1' }],
    ['invoice.paid', { id: 'in_1', parent: null }],
    ['checkout.session.completed', { id: 'cs_1', mode: 'payment', subscription: null }],
    ['something.of.later.years', {}],
  ] as const) {
    expect([type, (await deliver(server, eventOf(type, object))).statusCode]).toEqual([type, 200]);
  }
  expect(await kept()).toEqual(before);
});

test('a body is small, and JSON', async () => {
  const large = await deliver(server, eventOf('invoice.paid', { text: 'x'.repeat(300_000) }));
  expect(large.statusCode).toBe(413);
  const form = await deliver(server, eventOf('invoice.paid', {}), { headers: { 'content-type': 'text/plain' } });
  expect(form.statusCode).toBe(415);
});

test('a browser on another site cannot deliver events, signed as they may be', async () => {
  const { event } = await paid();
  for (const [name, value] of [
    ['sec-fetch-site', 'cross-site'],
    ['origin', 'https://evil.example'],
  ] as const) {
    const headers = { [name]: value };
    expect((await deliver(server, event, { headers })).statusCode).toBe(403);
  }
});

test('without its settings there is no such address', async () => {
  const other = await startTestApp();
  expect((await deliver(other, eventOf('invoice.paid', {}))).statusCode).toBe(404);
});

test('old events and checkouts that nobody paid are forgotten; what somebody pays, or paid before they left, is kept', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const [payer, gone, other] = [await paid(), await paid(), await signUp()];
  for (const { event } of [payer, gone]) await deliver(server, event);
  await call('POST', '/api/subscriptions/checkout', { as: other.cookie, body: { tier: 'business' } });
  const mine = async (as: string) => (await call('GET', '/api/subscriptions/mine', { as })).json();
  for (const { cookie } of [payer, gone]) {
    await expect.poll(() => mine(cookie)).toMatchObject({ tier: 'standard' });
  }
  await call('DELETE', '/api/account', { as: gone.cookie, body: { password: gone.password } });
  await db
    .updateTable('stripe_checkouts')
    .set({ begun_at: ago(401) })
    .execute();
  await db
    .updateTable('stripe_events')
    .set({ received_at: ago(91) })
    .where('id', '=', payer.event.id)
    .execute();
  await tidyPaymentsJob.run(context, {}, AbortSignal.timeout(10_000));

  const events = (await db.selectFrom('stripe_events').select('id').execute()).map(({ id }) => id);
  expect([events.includes(payer.event.id), events.includes(gone.event.id)]).toEqual([false, true]);
  const checkouts = (await db.selectFrom('stripe_checkouts').select('id').execute()).map(({ id }) => id);
  for (const { subscription } of [payer, gone]) expect(checkouts).toContain(subscription.metadata.checkout);
  const owners = await db.selectFrom('stripe_checkouts').select('user_id').execute();
  expect(owners.map(({ user_id }) => user_id)).not.toContain(other.id);
});
