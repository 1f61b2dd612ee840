import { expect, test } from 'vitest';
import { askingsPerHour } from './count-asking.ts';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import { secretKey } from './stripe-server.fixtures.ts';
import { webhookSecret } from './webhook.fixtures.ts';

const { buy, call, calm, checkout, context, mine, signUp, stripe, tellAll } = await startPayments();
const { db } = context;

test('a checkout is a session of Stripe with the price of the plan, and pays nothing by itself', async () => {
  const { cookie, id, username } = await signUp();
  const { direct, url } = (await checkout(cookie, 'business')).json();
  expect([direct, url]).toEqual([false, expect.stringMatching(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)]);
  const { form } = stripe.sessions.get(sessionOf(url)) ?? {};
  expect(form).toMatchObject({
    mode: 'subscription',
    line_items: { 0: { quantity: '1', price_data: { currency: 'usd', unit_amount: '4900' } } },
    client_reference_id: String(id),
    metadata: { userId: String(id) },
    subscription_data: { metadata: { userId: String(id), tier: 'business' } },
    success_url: 'http://localhost:3000/account?subscription=success',
    cancel_url: 'http://localhost:3000/pricing?subscription=canceled',
  });
  expect(stripe.customers.get(String(form?.customer))).toMatchObject({ email: `${username}@mail.example` });
  expect((form?.line_items as typeof form)?.[0]).toMatchObject({ price_data: { recurring: { interval: 'month' } } });
  const { headers } = stripe.asked.at(-1) ?? {};
  expect(headers?.['stripe-version']).toBe('2026-10-28.endive');
  expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
  expect(await mine(cookie)).toBeNull();
  // The way back is an address that anybody can type.
  await call('GET', '/account?subscription=success', { as: cookie });
  expect(await mine(cookie)).toBeNull();
});

test('where payments are real, nothing settles a simulated one', async () => {
  const { cookie } = await signUp();
  const answer = (await call('GET', '/api/subscriptions/simulate-success?tier=standard', { as: cookie })).json();
  expect(answer).toEqual({ redirect: true, url: expect.stringContaining('https://checkout.stripe.com/') });
  expect(await mine(cookie)).toBeNull();
});

test('clicks at the same moment and later ones lead to one session, and another plan to another', async () => {
  const { cookie } = await signUp();
  const answers = await Promise.all([1, 2, 3, 4].map(() => checkout(cookie, 'standard')));
  answers.push(await checkout(cookie, 'standard'));
  const urls = new Set(answers.map((answer) => answer.json().url));
  expect(urls.size).toBe(1);
  urls.add((await checkout(cookie, 'business')).json().url);
  expect(urls.size).toBe(2);
});

test('an answer that was lost is asked for again, and the session is the same', async () => {
  const { cookie, id } = await signUp();
  const before = stripe.sessions.size;
  stripe.fail('late');
  const lost = await checkout(cookie, 'standard');
  stripe.fail('no');
  expect(lost.statusCode).toBe(503);
  expect(lost.json().error).toContain('payment service');
  const { url } = (await checkout(cookie, 'standard')).json();
  expect(stripe.sessions.size).toBe(before + 1);
  expect(stripe.sessions.get(sessionOf(url))?.form.client_reference_id).toBe(String(id));
});

test('while Stripe is still at work on the first click, the second makes no second session', async () => {
  const { cookie } = await signUp();
  // The customer is there.
  await checkout(cookie, 'business');
  const before = stripe.sessions.size;
  stripe.fail('slow');
  const answers = [await checkout(cookie, 'standard'), await checkout(cookie, 'standard')];
  stripe.fail('no');
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503]);
  expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  expect(stripe.sessions.size).toBe(before + 1);
});

test('from another address of the site it is another session, and the one before cannot be paid any more', async () => {
  const { cookie } = await signUp();
  const first = (await checkout(cookie, 'standard')).json().url;
  const headers = { host: '127.0.0.1:3000' };
  const options = { as: cookie, body: { tier: 'standard' }, headers };
  const second = (await call('POST', '/api/subscriptions/checkout', options)).json().url;
  await calm();
  const statuses = [first, second].map((url) => stripe.sessions.get(sessionOf(url))?.status);
  expect(statuses).toEqual(['expired', 'open']);
});

test('whoever has deleted a customer at Stripe keeps nobody from paying', async () => {
  const { cookie } = await signUp();
  await checkout(cookie, 'standard');
  stripe.customers.clear();
  const answers = [await checkout(cookie, 'business'), await checkout(cookie, 'business')];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
});

test('a session that was made while the account went cannot be paid', async () => {
  const { cookie, password } = await signUp();
  await checkout(cookie, 'business');
  const deleted = stripe.atNext('/v1/checkout/sessions', () =>
    call('DELETE', '/api/account', { as: cookie, body: { password } }),
  );
  expect((await checkout(cookie, 'standard')).statusCode).toBe(401);
  expect((await deleted).statusCode).toBe(204);
  await calm();
  expect([...stripe.sessions.values()].at(-1)?.status).toBe('expired');
});

test('with another address of the person they are the same customer, with the same session', async () => {
  const { cookie, id } = await signUp();
  const first = (await checkout(cookie, 'standard')).json().url;
  await db
    .updateTable('users')
    .set({ email: `new-${id}@mail.example` })
    .where('id', '=', id)
    .execute();
  const second = await checkout(cookie, 'standard');
  expect([second.statusCode, second.json().url === first]).toEqual([200, true]);
});

test('while Stripe is away or faulty, a checkout says so, and works again afterwards', async () => {
  for (const how of ['away', 'faulty'] as const) {
    const { cookie } = await signUp();
    stripe.fail(how);
    const answer = await checkout(cookie, 'standard');
    stripe.fail('no');
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('60');
    expect(answer.body).not.toContain(secretKey);
    expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  }
});

test('who asks Stripe too often waits, and others do not', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const sessions = () => stripe.asked.filter(({ path }) => path === '/v1/checkout/sessions').length;
  const asked = sessions();
  for (let count = 0; count < askingsPerHour; count++) {
    expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  }
  const refused = await checkout(cookie, 'standard');
  expect([refused.statusCode, sessions() - asked]).toEqual([429, askingsPerHour]);
  expect((await checkout(other.cookie, 'standard')).statusCode).toBe(200);
});

test('after a day it is a new session, for the old one has ended', async () => {
  const { cookie, id } = await signUp();
  const first = (await checkout(cookie, 'standard')).json().url;
  const yesterday = new Date(Date.now() - 24 * 3_600_000);
  await db.updateTable('stripe_checkouts').set({ begun_at: yesterday }).where('user_id', '=', id).execute();
  expect((await checkout(cookie, 'standard')).json().url).not.toBe(first);
});

test('who buys again after the end gets another session', async () => {
  const { cookie } = await signUp();
  const { session, subscription } = await buy(cookie, 'standard');
  subscription.status = 'canceled';
  await tellAll(['customer.subscription.deleted', subscription]);
  expect(await mine(cookie)).toBeNull();
  const { url } = (await checkout(cookie, 'standard')).json();
  expect(sessionOf(url)).not.toBe(session.id);
});

test('admins are told that payments are set up, and not with what', async () => {
  const { cookie } = await signUp({ admin: true });
  const state = await call('GET', '/api/admin/system', { as: cookie });
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    expect(state.json().settings).toContainEqual({ name, value: 'set' });
  }
  for (const secret of [secretKey, webhookSecret]) expect(state.body).not.toContain(secret);
});
