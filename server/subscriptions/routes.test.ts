import { expect, test } from 'vitest';
import { startTestApp } from '../test-app.fixtures.ts';
import { simulatedPeriod } from './simulated.ts';

const { call, context, signUp } = await startTestApp({ LINKSIEVE_DEBUG: '1' });

const mine = async (as: string) => (await call('GET', '/api/subscriptions/mine', { as })).json();
const settle = (as: string, tier: string) => call('GET', `/api/subscriptions/simulate-success?tier=${tier}`, { as });
const change = async (as: string, tier: string) =>
  (await call('POST', '/api/subscriptions/manual-change', { as, body: { tier } })).json();
const checkout = (as: string, body: object) => call('POST', '/api/subscriptions/checkout', { as, body });

test('nobody pays for anything, and has Full Access', async () => {
  const { cookie, id } = await signUp();
  expect(await mine(cookie)).toBeNull();
  await context.db.updateTable('users').set({ subscription_tier: 'business' }).where('id', '=', id).execute();
  const user = (await call('GET', '/api/auth/current-user', { as: cookie })).json();
  expect(user).toMatchObject({ subscriptionTier: 'full_access', subscriptionStatus: 'active', searchLimit: null });
});

test('without Stripe a checkout is a simulated one, and for the free plan there is none', async () => {
  const { cookie, id } = await signUp();
  expect((await checkout(cookie, { tier: 'business', userId: id })).json()).toEqual({
    direct: false,
    url: `/simulate-checkout?tier=business&userId=${id}`,
  });
  expect((await checkout(cookie, { tier: 'free' })).json()).toEqual({ direct: true, url: '/account' });
  expect(await mine(cookie)).toBeNull();
});

test('an unknown plan is refused, and the plans are named', async () => {
  const { cookie } = await signUp();
  const answers = [await checkout(cookie, { tier: 'gold' }), await settle(cookie, 'gold'), await settle(cookie, '')];
  for (const answer of answers) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields.tier).toContain('free, standard, business');
  }
});

test('a settled simulated checkout is what I pay for, and the answer is my account', async () => {
  const { cookie, username } = await signUp();
  const answer = await settle(cookie, 'standard');
  expect(answer.json()).toMatchObject({ redirect: false, user: { username, subscriptionTier: 'full_access' } });
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null, simulated: true });
});

test('who pays at Stripe settles nothing where payments are switched off by now', async () => {
  const { cookie, id } = await signUp();
  await settle(cookie, 'standard');
  const atStripe = { provider: 'stripe', customer_id: 'cus_1', subscription_id: 'sub_1' } as const;
  await context.db.updateTable('subscriptions').set(atStripe).where('user_id', '=', id).execute();
  for (const tier of ['business', 'free']) {
    const answer = await settle(cookie, tier);
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable']);
    expect(answer.json().error).toMatch(/^Payments are switched off on this server\./);
  }
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', simulated: false });
});

test('the head of a settlement settles nothing', async () => {
  const { cookie } = await signUp();
  const answer = await call('HEAD', '/api/subscriptions/simulate-success?tier=standard', { as: cookie });
  expect(answer.statusCode).toBe(200);
  expect(await mine(cookie)).toBeNull();
});

test('another person, another site and a link in an email settle nothing', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const url = '/api/subscriptions/simulate-success?tier=standard';
  const answers = [
    await call('GET', `${url}&userId=${other.id}`, { as: cookie }),
    await call('GET', url, { as: cookie, headers: { 'sec-fetch-site': 'cross-site' } }),
    await call('GET', url, { as: cookie, headers: { 'sec-fetch-site': 'none' } }),
    await call('POST', '/api/subscriptions/manual-change', { as: cookie, body: { tier: 'free', userId: other.id } }),
    await checkout(cookie, { tier: 'standard', userId: other.id }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403]);
  expect([await mine(cookie), await mine(other.cookie)]).toEqual([null, null]);
});

test('what costs more leads to a checkout and changes nothing yet', async () => {
  const { cookie, id } = await signUp();
  const url = (tier: string) => `/simulate-checkout?tier=${tier}&userId=${id}`;
  expect(await change(cookie, 'standard')).toEqual({ cancelled: false, redirect: true, url: url('standard') });
  await settle(cookie, 'standard');
  expect(await change(cookie, 'business')).toEqual({ cancelled: false, redirect: true, url: url('business') });
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('a lower plan begins with the next period, and can be taken back until then', async () => {
  const { cookie, id } = await signUp();
  await settle(cookie, 'business');
  const { periodEndsAt } = await mine(cookie);
  const answer = await change(cookie, 'standard');
  expect(answer).toEqual({
    cancelled: false,
    redirect: false,
    done: 'scheduled',
    message: 'Your Business subscription becomes Standard with the next period.',
  });
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'ending', nextTier: 'standard', periodEndsAt });

  expect(await change(cookie, 'business')).toMatchObject({
    done: 'kept',
    message: 'Your Business subscription goes on.',
  });
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });
  expect(await change(cookie, 'business')).toMatchObject({
    done: 'nothing',
    message: 'You have the Business plan already.',
  });

  await change(cookie, 'standard');
  const past = new Date(Date.now() - 1000);
  await context.db.updateTable('subscriptions').set({ period_ends_at: past }).where('user_id', '=', id).execute();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  const next = new Date((await mine(cookie)).periodEndsAt);
  expect(next.getTime()).toBe(past.getTime() + simulatedPeriod);
});

test('a simulated subscription is cancelled at once, and a second time there is nothing to cancel', async () => {
  const { cookie } = await signUp();
  await settle(cookie, 'standard');
  expect(await change(cookie, 'free')).toEqual({
    cancelled: true,
    redirect: false,
    done: 'cancelled',
    message: 'Your Standard subscription has ended. You keep Full Access.',
  });
  expect(await mine(cookie)).toBeNull();
  expect(await change(cookie, 'free')).toMatchObject({ cancelled: false, redirect: false, done: 'ended' });
});

const trial = { tier: 'standard', email: ' a@mail.example ', successUrl: '/account?subscription=success&test=true' };

test('a test checkout leads to the simulated one and settles nothing', async () => {
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
])('a test checkout never leads to %s', async (address) => {
  for (const field of ['successUrl', 'cancelUrl']) {
    const body = { ...trial, cancelUrl: '/account', [field]: address };
    const answer = await call('POST', '/api/test-stripe-checkout', { body });
    expect([field, answer.statusCode, Object.keys(answer.json().fields)]).toEqual([field, 400, [field]]);
  }
});

test('one address tries the checkout a hundred times an hour at most', async () => {
  const other = await startTestApp({ LINKSIEVE_DEBUG: '1' });
  const body = { ...trial, cancelUrl: '/account' };
  const statuses: number[] = [];
  for (let count = 0; count < 101; count++) {
    statuses.push((await other.call('POST', '/api/test-stripe-checkout', { body })).statusCode);
  }
  expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([100, 429]);
});

test('in production and without LINKSIEVE_DEBUG there is no test checkout', async () => {
  const body = { ...trial, cancelUrl: '/account' };
  const production: Record<string, string> = { LINKSIEVE_DEBUG: '1', NODE_ENV: 'production' };
  for (const settings of [{}, production]) {
    const other = await startTestApp(settings);
    const answer = await other.call('POST', '/api/test-stripe-checkout', { body });
    expect(answer.statusCode).toBe(404);
  }
});

test('what I pay for is in what is kept about me, and goes with my account', async () => {
  const { cookie, id, password } = await signUp();
  await settle(cookie, 'business');
  const kept = (await call('GET', '/api/account/data', { as: cookie })).json();
  expect(kept.subscription).toMatchObject({ tier: 'business', provider: 'simulated' });
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  const rows = await context.db.selectFrom('subscriptions').selectAll().where('user_id', '=', id).execute();
  expect(rows).toEqual([]);
});
