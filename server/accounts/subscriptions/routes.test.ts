import { expect, test } from 'vitest';
import { startTestApp } from '../../test-app.fixtures.ts';
import { simulatedPeriodMs } from './simulated.ts';

const { call, context, signUp } = await startTestApp({ LINKSIEVE_DEBUG: '1' });

const getSubscription = async (as: string) => (await call('GET', '/api/subscriptions/mine', { as })).json();
const confirmSimulated = (as: string, tier: string) =>
  call('GET', `/api/subscriptions/simulate-success?tier=${tier}`, { as });
const change = async (as: string, tier: string) =>
  (await call('POST', '/api/subscriptions/manual-change', { as, body: { tier } })).json();
const checkout = (as: string, body: object) => call('POST', '/api/subscriptions/checkout', { as, body });

test('a user without a subscription has Full Access', async () => {
  const { cookie, id } = await signUp();
  expect(await getSubscription(cookie)).toBeNull();
  await context.db.updateTable('users').set({ subscription_tier: 'business' }).where('id', '=', id).execute();
  const user = (await call('GET', '/api/auth/current-user', { as: cookie })).json();
  expect(user).toMatchObject({ subscriptionTier: 'full_access', subscriptionStatus: 'active', searchLimit: null });
});

test('without Stripe, a checkout is simulated, and the free plan needs none', async () => {
  const { cookie, id } = await signUp();
  expect((await checkout(cookie, { tier: 'business', userId: id })).json()).toEqual({
    direct: false,
    url: `/simulate-checkout?tier=business&userId=${id}`,
  });
  expect((await checkout(cookie, { tier: 'free' })).json()).toEqual({ direct: true, url: '/account' });
  expect(await getSubscription(cookie)).toBeNull();
});

test('an unknown plan returns 400 with the list of plans', async () => {
  const { cookie } = await signUp();
  const responses = [
    await checkout(cookie, { tier: 'gold' }),
    await confirmSimulated(cookie, 'gold'),
    await confirmSimulated(cookie, ''),
  ];
  for (const response of responses) {
    expect(response.statusCode).toBe(400);
    expect(response.json().fields.tier).toContain('free, standard, business');
  }
});

test('confirming a simulated checkout activates the plan and returns the account', async () => {
  const { cookie, username } = await signUp();
  const response = await confirmSimulated(cookie, 'standard');
  expect(response.json()).toMatchObject({ redirect: false, user: { username, subscriptionTier: 'full_access' } });
  expect(response.headers['cache-control']).toBe('no-store');
  expect(await getSubscription(cookie)).toMatchObject({
    tier: 'standard',
    status: 'active',
    nextTier: null,
    simulated: true,
  });
});

test('a Stripe subscription cannot be changed after payments are turned off', async () => {
  const { cookie, id } = await signUp();
  await confirmSimulated(cookie, 'standard');
  const atStripe = { provider: 'stripe', customer_id: 'cus_1', subscription_id: 'sub_1' } as const;
  await context.db.updateTable('subscriptions').set(atStripe).where('user_id', '=', id).execute();
  for (const tier of ['business', 'free']) {
    const response = await confirmSimulated(cookie, tier);
    expect([response.statusCode, response.json().code]).toEqual([503, 'unavailable']);
    expect(response.json().error).toMatch(/^Payments are turned off on this server\./);
  }
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', simulated: false });
});

test('a HEAD request does not confirm a simulated checkout', async () => {
  const { cookie } = await signUp();
  const response = await call('HEAD', '/api/subscriptions/simulate-success?tier=standard', { as: cookie });
  expect(response.statusCode).toBe(200);
  expect(await getSubscription(cookie)).toBeNull();
});

test("another user's id, another site and a link in an email return 403 and change nothing", async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const url = '/api/subscriptions/simulate-success?tier=standard';
  const responses = [
    await call('GET', `${url}&userId=${other.id}`, { as: cookie }),
    await call('GET', url, { as: cookie, headers: { 'sec-fetch-site': 'cross-site' } }),
    await call('GET', url, { as: cookie, headers: { 'sec-fetch-site': 'none' } }),
    await call('POST', '/api/subscriptions/manual-change', { as: cookie, body: { tier: 'free', userId: other.id } }),
    await checkout(cookie, { tier: 'standard', userId: other.id }),
  ];
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403]);
  expect([await getSubscription(cookie), await getSubscription(other.cookie)]).toEqual([null, null]);
});

test('a higher plan leads to a checkout and changes nothing yet', async () => {
  const { cookie, id } = await signUp();
  const url = (tier: string) => `/simulate-checkout?tier=${tier}&userId=${id}`;
  expect(await change(cookie, 'standard')).toEqual({ cancelled: false, redirect: true, url: url('standard') });
  await confirmSimulated(cookie, 'standard');
  expect(await change(cookie, 'business')).toEqual({ cancelled: false, redirect: true, url: url('business') });
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('a lower plan starts with the next period and can be undone until then', async () => {
  const { cookie, id } = await signUp();
  await confirmSimulated(cookie, 'business');
  const { periodEndsAt } = await getSubscription(cookie);
  const response = await change(cookie, 'standard');
  expect(response).toEqual({
    cancelled: false,
    redirect: false,
    done: 'scheduled',
    message: 'Your Business subscription changes to Standard after the current period.',
  });
  expect(await getSubscription(cookie)).toMatchObject({
    tier: 'business',
    status: 'ending',
    nextTier: 'standard',
    periodEndsAt,
  });

  expect(await change(cookie, 'business')).toMatchObject({
    done: 'kept',
    message: 'Your Business subscription continues.',
  });
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });
  expect(await change(cookie, 'business')).toMatchObject({
    done: 'nothing',
    message: 'You already have the Business plan.',
  });

  await change(cookie, 'standard');
  const past = new Date(Date.now() - 1000);
  await context.db.updateTable('subscriptions').set({ period_ends_at: past }).where('user_id', '=', id).execute();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  const next = new Date((await getSubscription(cookie)).periodEndsAt);
  expect(next.getTime()).toBe(past.getTime() + simulatedPeriodMs);
});

test('a simulated subscription is cancelled at once, and cancelling again has no effect', async () => {
  const { cookie } = await signUp();
  await confirmSimulated(cookie, 'standard');
  expect(await change(cookie, 'free')).toEqual({
    cancelled: true,
    redirect: false,
    done: 'cancelled',
    message: 'Your Standard subscription has ended. You keep Full Access.',
  });
  expect(await getSubscription(cookie)).toBeNull();
  expect(await change(cookie, 'free')).toMatchObject({ cancelled: false, redirect: false, done: 'ended' });
});

const trial = { tier: 'standard', email: ' a@mail.example ', successUrl: '/account?subscription=success&test=true' };

test('a test checkout leads to the simulated checkout and activates nothing', async () => {
  const body = { ...trial, cancelUrl: 'http://localhost:3000/account?subscription=canceled' };
  const before = await context.db.selectFrom('subscriptions').selectAll().execute();
  expect((await call('POST', '/api/test-stripe-checkout', { body })).json()).toEqual({
    success: true,
    url: '/simulate-checkout?tier=standard',
    sessionId: expect.stringMatching(/^cs_simulated_[0-9a-f]{24}$/),
  });
  expect((await call('POST', '/api/test-stripe-checkout', { body: { ...body, tier: 'free' } })).json()).toEqual({
    success: true,
    direct: true,
    url: 'http://localhost:3000/account?subscription=success&test=true',
  });
  expect(await context.db.selectFrom('subscriptions').selectAll().execute()).toEqual(before);
});

test.each([
  'https://evil.example/account',
  '//evil.example/account',
  'http://localhost:3000.evil.example/',
  'http://localhost:3000@evil.example/',
  '/\\evil.example',
  'javascript:alert(1)',
  'http://',
])('a test checkout does not redirect to %s', async (address) => {
  for (const field of ['successUrl', 'cancelUrl']) {
    const body = { ...trial, cancelUrl: '/account', [field]: address };
    const response = await call('POST', '/api/test-stripe-checkout', { body });
    expect([field, response.statusCode, Object.keys(response.json().fields)]).toEqual([field, 400, [field]]);
  }
});

test('more than 100 test checkouts per hour from one address return 429', async () => {
  const other = await startTestApp({ LINKSIEVE_DEBUG: '1' });
  const body = { ...trial, cancelUrl: '/account' };
  const statuses: number[] = [];
  for (let count = 0; count < 101; count++) {
    statuses.push((await other.call('POST', '/api/test-stripe-checkout', { body })).statusCode);
  }
  expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([100, 429]);
});

test('a test checkout returns 404 in production and without LINKSIEVE_DEBUG', async () => {
  const body = { ...trial, cancelUrl: '/account' };
  const production: Record<string, string> = { LINKSIEVE_DEBUG: '1', NODE_ENV: 'production' };
  for (const settings of [{}, production]) {
    const other = await startTestApp(settings);
    const response = await other.call('POST', '/api/test-stripe-checkout', { body });
    expect(response.statusCode).toBe(404);
  }
});

test('the subscription is part of the account export and is deleted with the account', async () => {
  const { cookie, id, password } = await signUp();
  await confirmSimulated(cookie, 'business');
  const data = (await call('GET', '/api/account/data', { as: cookie })).json();
  expect(data.subscription).toMatchObject({ tier: 'business', provider: 'simulated' });
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  const rows = await context.db.selectFrom('subscriptions').selectAll().where('user_id', '=', id).execute();
  expect(rows).toEqual([]);
});
