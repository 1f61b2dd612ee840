import { expect, test } from 'vitest';
import { maxPaymentRequestsPerHour } from './checkout.ts';
import { getSessionId, startPayments } from './payments.fixtures.ts';
import { secretKey } from './stripe-server.fixtures.ts';
import { webhookSecret } from './webhook.fixtures.ts';

const { buy, call, checkout, context, getSubscription, signUp, stripe, sendEvents, waitForIdle } =
  await startPayments();
const { db } = context;

const getStatus = (url: string) => stripe.sessions.get(getSessionId(url))?.status;

test("a checkout is a Stripe session with the plan's price and does not activate a subscription", async () => {
  const { cookie, id, username } = await signUp();
  const { direct, url } = (await checkout(cookie, 'business')).json();
  expect([direct, url]).toEqual([false, expect.stringMatching(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)]);
  const price = [...stripe.prices.values()].find(({ product }) => product === 'linksieve_business');
  expect(price?.unit_amount).toBe(4900);
  const { form } = stripe.sessions.get(getSessionId(url)) ?? {};
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
  const { headers } = stripe.requests.at(-1) ?? {};
  expect(headers?.['stripe-version']).toBe('2026-10-28.endive');
  expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
  expect(await getSubscription(cookie)).toBeNull();
  // Opening the success URL must not activate a subscription either.
  await call('GET', '/account?subscription=success', { as: cookie });
  expect(await getSubscription(cookie)).toBeNull();
});

test('products and prices are created once', async () => {
  for (const tier of ['standard', 'business', 'standard']) await checkout((await signUp()).cookie, tier);
  const prices = [...stripe.prices.values()].map(({ product, unit_amount }) => [product, unit_amount]);
  expect(prices.sort()).toEqual([
    ['linksieve_business', 4900],
    ['linksieve_standard', 1900],
  ]);
});

test('a simulated checkout cannot be confirmed if payments are real', async () => {
  const { cookie } = await signUp();
  const response = (await call('GET', '/api/subscriptions/simulate-success?tier=standard', { as: cookie })).json();
  expect(response).toEqual({ redirect: true, url: expect.stringContaining('https://checkout.stripe.com/') });
  expect(await getSubscription(cookie)).toBeNull();
});

test('clicks at the same moment and later ones lead to one session', async () => {
  const { cookie, id } = await signUp();
  const responses = await Promise.all([1, 2, 3, 4].map(() => checkout(cookie, 'standard')));
  responses.push(await checkout(cookie, 'standard'));
  expect(new Set(responses.map((response) => response.json().url)).size).toBe(1);
  const open = [...stripe.sessions.values()].filter(
    ({ form, status }) => form.client_reference_id === String(id) && status === 'open',
  );
  expect(open.map(({ url }) => url)).toEqual([responses[0]?.json().url]);
});

test('two simultaneous first checkouts leave one customer at Stripe', async () => {
  const { cookie, id } = await signUp();
  const second = stripe.beforeNextResponse('POST /v1/customers', () => checkout(cookie, 'standard'));
  const first = await checkout(cookie, 'standard');
  expect((await second).json().url).toBe(first.json().url);
  const customers = [...stripe.customers.values()].filter(
    ({ form }) => JSON.stringify(form.metadata) === JSON.stringify({ userId: String(id) }),
  );
  expect(customers.map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
});

test('a new checkout for another plan or from another origin expires the earlier one', async () => {
  const { cookie } = await signUp();
  const standard = (await checkout(cookie, 'standard')).json().url;
  const business = (await checkout(cookie, 'business')).json().url;
  expect([standard, business].map(getStatus)).toEqual(['expired', 'open']);
  const headers = { host: '127.0.0.1:3000' };
  const options = { as: cookie, body: { tier: 'business' }, headers };
  const other = (await call('POST', '/api/subscriptions/checkout', options)).json().url;
  expect([business, other].map(getStatus)).toEqual(['expired', 'open']);
});

test('a user who has paid cannot pay for the same or a lower plan again, even before the event arrives', async () => {
  const { cookie } = await signUp();
  stripe.pay(getSessionId((await checkout(cookie, 'business')).json().url));
  const sessions = stripe.sessions.size;
  for (const tier of ['business', 'standard']) {
    const { statusCode, json } = await checkout(cookie, tier);
    expect([statusCode, json().error]).toEqual([409, expect.stringContaining('You already pay for the Business plan')]);
  }
  expect(stripe.sessions.size).toBe(sessions);
  await waitForIdle();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business' });
});

test('a checkout that is paid while it is being replaced leads to the portal, not to another checkout', async () => {
  const { cookie } = await signUp();
  const standard = getSessionId((await checkout(cookie, 'standard')).json().url);
  const paid = stripe.beforeNextResponse('GET /v1/checkout/sessions', async () => stripe.pay(standard));
  const { direct, url } = (await checkout(cookie, 'business')).json();
  expect([direct, url]).toEqual([false, expect.stringContaining('https://billing.stripe.com/')]);
  expect((await paid).session.status).toBe('complete');
});

test('a checkout with an incomplete payment is reused', async () => {
  const { cookie } = await signUp();
  const { url } = (await checkout(cookie, 'standard')).json();
  const { session, subscription } = stripe.pay(getSessionId(url));
  session.status = 'open';
  subscription.status = 'incomplete';
  await sendEvents(['customer.subscription.created', subscription]);
  expect(await getSubscription(cookie)).toBeNull();
  expect((await checkout(cookie, 'standard')).json().url).toBe(url);
});

test('a lost response from Stripe does not lead to a second open checkout', async () => {
  const { cookie } = await signUp();
  stripe.setFailure('lostResponse');
  const lost = await checkout(cookie, 'standard');
  stripe.setFailure('none');
  expect(lost.statusCode).toBe(503);
  expect(lost.json().error).toContain('payment service');
  const urls = [(await checkout(cookie, 'standard')).json().url, (await checkout(cookie, 'standard')).json().url];
  expect(urls.map(getStatus)).toEqual(['open', 'open']);
  expect(new Set(urls).size).toBe(1);
});

test('a checkout works again after the customer was deleted at Stripe', async () => {
  for (const forget of [
    () => stripe.customers.clear(),
    () => {
      for (const customer of stripe.customers.values()) customer.isDeleted = true;
    },
  ]) {
    const { cookie } = await signUp();
    await checkout(cookie, 'standard');
    forget();
    const responses = [await checkout(cookie, 'business'), await checkout(cookie, 'business')];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
  }
});

test('an open checkout of an earlier version expires when a new one starts', async () => {
  const { cookie, id } = await signUp();
  const urls = [(await checkout(cookie, 'standard')).json().url];
  const session = stripe.sessions.get(getSessionId(urls[0]));
  if (!session) throw new Error('The session is missing.');
  stripe.sessions.set('cs_test_old', { ...session, id: 'cs_test_old', metadata: { userId: String(id) } });
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(stripe.sessions.get('cs_test_old')?.status).toBe('expired');
  expect(urls.map(getStatus)).toEqual(['open', 'open']);
});

test('a session created while the account was being deleted expires', async () => {
  const { cookie, password } = await signUp();
  await checkout(cookie, 'business');
  const deleted = stripe.beforeNextResponse('POST /v1/checkout/sessions', () =>
    call('DELETE', '/api/account', { as: cookie, body: { password } }),
  );
  expect((await checkout(cookie, 'standard')).statusCode).toBe(401);
  expect((await deleted).statusCode).toBe(204);
  expect([...stripe.sessions.values()].at(-1)?.status).toBe('expired');
});

test('a user with a changed email address keeps the same customer and session', async () => {
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

test('a checkout returns 503 while Stripe is offline or fails, and works again afterwards', async () => {
  for (const failure of ['offline', 'error'] as const) {
    const { cookie } = await signUp();
    stripe.setFailure(failure);
    const response = await checkout(cookie, 'standard');
    stripe.setFailure('none');
    expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
    expect(response.headers['retry-after']).toBe('60');
    expect(response.body).not.toContain(secretKey);
    expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  }
});

test('too many checkouts by one user return 429 and do not affect other users', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  for (let count = 0; count < maxPaymentRequestsPerHour; count++) {
    expect((await checkout(cookie, 'standard')).statusCode).toBe(200);
  }
  const requestsBefore = stripe.requests.length;
  const limited = await checkout(cookie, 'standard');
  expect([limited.statusCode, stripe.requests.length - requestsBefore]).toEqual([429, 0]);
  expect((await checkout(other.cookie, 'standard')).statusCode).toBe(200);
});

test('a session that expires within an hour is replaced, and so is an expired one', async () => {
  const { cookie } = await signUp();
  const urls = [(await checkout(cookie, 'standard')).json().url];
  const first = stripe.sessions.get(getSessionId(urls[0]));
  if (first) first.expires_at -= 86_400 - 3500;
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(urls.map(getStatus)).toEqual(['expired', 'open']);
  const second = stripe.sessions.get(getSessionId(urls[1]));
  if (second) second.status = 'expired';
  urls.push((await checkout(cookie, 'standard')).json().url);
  expect(urls.map(getStatus)).toEqual(['expired', 'expired', 'open']);
});

test('buying again after a subscription has ended creates another session for the same customer', async () => {
  const { cookie } = await signUp();
  const { session, subscription } = await buy(cookie, 'standard');
  subscription.status = 'canceled';
  await sendEvents(['customer.subscription.deleted', subscription]);
  expect(await getSubscription(cookie)).toBeNull();
  const again = stripe.sessions.get(getSessionId((await checkout(cookie, 'standard')).json().url));
  expect([again?.id === session.id, again?.customer]).toEqual([false, session.customer]);
});

test('admins see that payments are set up, but no secrets', async () => {
  const { cookie } = await signUp({ admin: true });
  const state = await call('GET', '/api/admin/system', { as: cookie });
  for (const name of ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']) {
    expect(state.json().settings).toContainEqual({ name, value: 'set' });
  }
  for (const secret of [secretKey, webhookSecret]) expect(state.body).not.toContain(secret);
});
