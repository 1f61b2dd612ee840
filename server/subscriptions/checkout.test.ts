import { expect, test } from 'vitest';
import { maxRequestsPerHour } from './checkout.ts';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import { secretKey } from './stripe-server.fixtures.ts';
import { webhookSecret } from './webhook.fixtures.ts';

const { buy, call, checkout, context, mine, signUp, stripe, tellAll, waitForIdle } = await startPayments();
const { db } = context;

const statusOf = (url: string) => stripe.sessions.get(sessionOf(url))?.status;

test('a checkout is a session of Stripe with the price of the plan, and pays nothing by itself', async () => {
  const { cookie, id, username } = await signUp();
  const { direct, url } = (await checkout(cookie, 'business')).json();
  expect([direct, url]).toEqual([false, expect.stringMatching(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)]);
  const price = [...stripe.prices.values()].find(({ product }) => product === 'linksieve_business');
  expect(price?.unit_amount).toBe(4900);
  const { form } = stripe.sessions.get(sessionOf(url)) ?? {};
  expect(form).toMatchObject({
    mode: 'subscription',
    line_items: { 0: { quantity: '1', price: price?.id } },
    client_reference_id: String(id),
    metadata: { userId: String(id) },
    subscription_data: { metadata: { userId: String(id) } },
    success_url: 'http://localhost:3000/account?subscription=success',
    cancel_url: 'http://localhost:3000/pricing?subscription=canceled',
  });
  expect(stripe.customers.get(String(form?.customer))?.form).toMatchObject({ email: `${username}@mail.example` });
  const { headers } = stripe.asked.at(-1) ?? {};
  expect(headers?.['stripe-version']).toBe('2026-10-28.endive');
  expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
  expect(await mine(cookie)).toBeNull();
  // The way back is an address that anybody can type.
  await call('GET', '/account?subscription=success', { as: cookie });
  expect(await mine(cookie)).toBeNull();
});

test('products and prices are made once', async () => {
  for (const tier of ['standard', 'business', 'standard']) await checkout((await signUp()).cookie, tier);
  const prices = [...stripe.prices.values()].map(({ product, unit_amount }) => [product, unit_amount]);
  expect(prices.sort()).toEqual([
    ['linksieve_business', 4900],
    ['linksieve_standard', 1900],
  ]);
});

test('where payments are real, nothing settles a simulated one', async () => {
  const { cookie } = await signUp();
  const answer = (await call('GET', '/api/subscriptions/simulate-success?tier=standard', { as: cookie })).json();
  expect(answer).toEqual({ redirect: true, url: expect.stringContaining('https://checkout.stripe.com/') });
  expect(await mine(cookie)).toBeNull();
});

test('clicks at the same moment and later ones lead to one session', async () => {
  const { cookie, id } = await signUp();
  const answers = await Promise.all([1, 2, 3, 4].map(() => checkout(cookie, 'standard')));
  answers.push(await checkout(cookie, 'standard'));
  expect(new Set(answers.map((answer) => answer.json().url)).size).toBe(1);
  const open = [...stripe.sessions.values()].filter(
    ({ form, status }) => form.client_reference_id === String(id) && status === 'open',
  );
  expect(open.map(({ url }) => url)).toEqual([answers[0]?.json().url]);
});

test('while the customer is made, another click makes no second one that stays', async () => {
  const { cookie, id } = await signUp();
  const second = stripe.atNext('POST /v1/customers', () => checkout(cookie, 'standard'));
  const first = await checkout(cookie, 'standard');
  expect((await second).json().url).toBe(first.json().url);
  const customers = [...stripe.customers.values()].filter(
    ({ form }) => JSON.stringify(form.metadata) === JSON.stringify({ userId: String(id) }),
  );
  expect(customers.map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
});

test('of two checkouts only the later one can be paid, whatever its plan and wherever on the site it began', async () => {
  const { cookie } = await signUp();
  const standard = (await checkout(cookie, 'standard')).json().url;
  const business = (await checkout(cookie, 'business')).json().url;
  expect([standard, business].map(statusOf)).toEqual(['expired', 'open']);
  const headers = { host: '127.0.0.1:3000' };
  const options = { as: cookie, body: { tier: 'business' }, headers };
  const other = (await call('POST', '/api/subscriptions/checkout', options)).json().url;
  expect([business, other].map(statusOf)).toEqual(['expired', 'open']);
});

test('who has paid cannot pay the same or a lower plan again, also before Stripe has told of it', async () => {
  const { cookie } = await signUp();
  stripe.pay(sessionOf((await checkout(cookie, 'business')).json().url));
  const sessions = stripe.sessions.size;
  for (const tier of ['business', 'standard']) {
    const { statusCode, json } = await checkout(cookie, tier);
    expect([statusCode, json().error]).toEqual([409, expect.stringContaining('You pay for Business already')]);
  }
  expect(stripe.sessions.size).toBe(sessions);
  await waitForIdle();
  expect(await mine(cookie)).toMatchObject({ tier: 'business' });
});

test('a checkout that is paid while it is replaced is not followed by another one', async () => {
  const { cookie } = await signUp();
  const standard = sessionOf((await checkout(cookie, 'standard')).json().url);
  const paid = stripe.atNext('GET /v1/checkout/sessions', async () => stripe.pay(standard));
  const { direct, url } = (await checkout(cookie, 'business')).json();
  expect([direct, url]).toEqual([false, expect.stringContaining('https://billing.stripe.com/')]);
  expect((await paid).session.status).toBe('complete');
});

test('a checkout whose payment is not complete yet is the same one', async () => {
  const { cookie } = await signUp();
  const { url } = (await checkout(cookie, 'standard')).json();
  const { session, subscription } = stripe.pay(sessionOf(url));
  session.status = 'open';
  subscription.status = 'incomplete';
  await tellAll(['customer.subscription.created', subscription]);
  expect(await mine(cookie)).toBeNull();
  expect((await checkout(cookie, 'standard')).json().url).toBe(url);
});

test('an answer that was lost leaves no second checkout that somebody could pay', async () => {
  const { cookie } = await signUp();
  stripe.fail('late');
  const lost = await checkout(cookie, 'standard');
  stripe.fail('no');
  expect(lost.statusCode).toBe(503);
  expect(lost.json().error).toContain('payment service');
  const urls = [(await checkout(cookie, 'standard')).json().url, (await checkout(cookie, 'standard')).json().url];
  expect(urls.map(statusOf)).toEqual(['open', 'open']);
  expect(new Set(urls).size).toBe(1);
});

test('whoever has deleted a customer at Stripe keeps nobody from paying', async () => {
  for (const forget of [
    () => stripe.customers.clear(),
    () => {
      for (const customer of stripe.customers.values()) customer.isDeleted = true;
    },
  ]) {
    const { cookie } = await signUp();
    await checkout(cookie, 'standard');
    forget();
    const answers = [await checkout(cookie, 'business'), await checkout(cookie, 'business')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
  }
});

test('a checkout that an earlier version began, and lost sight of, cannot be paid beside a new one', async () => {
  const { cookie, id } = await signUp();
  const urls = [(await checkout(cookie, 'standard')).json().url];
  const session = stripe.sessions.get(sessionOf(urls[0]));
  if (!session) throw new Error('There is one.');
  stripe.sessions.set('cs_test_old', { ...session, id: 'cs_test_old', metadata: { userId: String(id) } });
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(stripe.sessions.get('cs_test_old')?.status).toBe('expired');
  expect(urls.map(statusOf)).toEqual(['open', 'open']);
});

test('a session that was made while the account went cannot be paid', async () => {
  const { cookie, password } = await signUp();
  await checkout(cookie, 'business');
  const deleted = stripe.atNext('POST /v1/checkout/sessions', () =>
    call('DELETE', '/api/account', { as: cookie, body: { password } }),
  );
  expect((await checkout(cookie, 'standard')).statusCode).toBe(401);
  expect((await deleted).statusCode).toBe(204);
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
  for (let count = 0; count < maxRequestsPerHour; count++) {
    expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  }
  const asked = stripe.asked.length;
  const refused = await checkout(cookie, 'standard');
  expect([refused.statusCode, stripe.asked.length - asked]).toEqual([429, 0]);
  expect((await checkout(other.cookie, 'standard')).statusCode).toBe(200);
});

test('a session that ends within the hour is replaced, and so is one that has ended', async () => {
  const { cookie } = await signUp();
  const urls = [(await checkout(cookie, 'standard')).json().url];
  const first = stripe.sessions.get(sessionOf(urls[0]));
  if (first) first.expires_at -= 86_400 - 3500;
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(urls.map(statusOf)).toEqual(['expired', 'open']);
  const second = stripe.sessions.get(sessionOf(urls[1]));
  if (second) second.status = 'expired';
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(urls.map(statusOf)).toEqual(['expired', 'expired', 'open']);
});

test('who buys again after the end gets another session of the same customer', async () => {
  const { cookie } = await signUp();
  const { session, subscription } = await buy(cookie, 'standard');
  subscription.status = 'canceled';
  await tellAll(['customer.subscription.deleted', subscription]);
  expect(await mine(cookie)).toBeNull();
  const again = stripe.sessions.get(sessionOf((await checkout(cookie, 'standard')).json().url));
  expect([again?.id === session.id, again?.customer]).toEqual([false, session.customer]);
});

test('admins are told that payments are set up, and not with what', async () => {
  const { cookie } = await signUp({ admin: true });
  const state = await call('GET', '/api/admin/system', { as: cookie });
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    expect(state.json().settings).toContainEqual({ name, value: 'set' });
  }
  for (const secret of [secretKey, webhookSecret]) expect(state.body).not.toContain(secret);
});
