import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildApp } from '../app.ts';
import { createLog } from '../start.ts';
import { startTestApp } from '../test-app.fixtures.ts';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import { type Delivery, deliver, eventOf } from './webhook.fixtures.ts';

const server = await startPayments();
const { app, checkout, context, mine, signUp, stripe, waitForIdle } = server;
const { db } = context;

/** Everything that an event could have changed, jobs too. */
async function kept(): Promise<unknown> {
  const { rows } = await sql`
    select (select json_agg(s order by user_id) from subscriptions s) as subscriptions,
      (select json_agg(c order by customer_id) from stripe_customers c) as customers,
      (select count(*) from pgboss.job where name like 'stripe-%') as jobs`.execute(db);
  return rows;
}

/** Somebody who has paid, and the event of it that nobody has told yet. */
async function paid() {
  const { cookie } = await signUp();
  const { session, subscription } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  return { cookie, subscription, event: eventOf('checkout.session.completed', session) };
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

test('an event that is sent again, at the same moment or later, settles the same', async () => {
  const { cookie, event } = await paid();
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => deliver(server, event)));
  answers.push(await deliver(server, event));
  expect(answers.map(({ statusCode, json }) => [statusCode, json()])).toEqual(
    answers.map(() => [200, { received: true }]),
  );
  await waitForIdle();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard' });
});

test('an event that was taken before changes nothing later, when what it told is no longer so', async () => {
  const { cookie, event, subscription } = await paid();
  await deliver(server, event);
  subscription.status = 'canceled';
  await deliver(server, eventOf('customer.subscription.deleted', subscription));
  await waitForIdle();
  expect(await mine(cookie)).toBeNull();
  expect((await deliver(server, event)).statusCode).toBe(200);
  await waitForIdle();
  expect(await mine(cookie)).toBeNull();
});

test('events about no customer of ours are answered, and nothing follows', async () => {
  const before = await kept();
  for (const [type, object] of [
    ['customer.created', { id: 'cus_1' }],
    ['invoice.paid', { id: 'in_1', parent: null }],
    ['checkout.session.completed', { id: 'cs_1', mode: 'payment', customer: null }],
    ['customer.subscription.updated', { id: 'sub_1', customer: 'cus_of_another_site' }],
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
