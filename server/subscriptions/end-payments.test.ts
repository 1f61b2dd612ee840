import { expect, test, vi } from 'vitest';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import { expireQueue, settleQueue } from './queues.ts';

const { buy, call, calm, change, checkout, context, signUp, stripe, tellAll } = await startPayments();

test('with an account goes what it pays for and what it has begun to pay for, also where Stripe is away then', async () => {
  const { cookie, password } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const open = sessionOf((await change(cookie, 'business')).url);
  stripe.fail('away');
  const { statusCode } = await call('DELETE', '/api/account', { as: cookie, body: { password } });
  stripe.fail('no');
  expect(statusCode).toBe(204);
  await calm();
  expect(subscription.status).toBe('canceled');
  expect(stripe.sessions.get(open)?.status).toBe('expired');
}, 30_000);

test('what Stripe does not end in all the time is left to an operator, who reads of it in the log', async () => {
  const { cookie, password } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const open = sessionOf((await change(cookie, 'business')).url);
  const logged = vi.spyOn(context.log, 'error');
  for (const { name } of [settleQueue, expireQueue]) await context.jobs.updateQueue(name, { retryLimit: 0 });
  stripe.fail('away');
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  const told = expect.stringContaining('asked no more');
  const calls = expect.poll(() => logged.mock.calls);
  await calls.toContainEqual([{ subscriptionId: subscription.id, sessionId: undefined }, told]);
  await calls.toContainEqual([{ subscriptionId: undefined, sessionId: open }, told]);
  stripe.fail('no');
  for (const { name, retryLimit } of [settleQueue, expireQueue]) await context.jobs.updateQueue(name, { retryLimit });
  logged.mockRestore();
});

test('what is paid for an account that is gone is cancelled and paid back when it is told', async () => {
  const { cookie, password } = await signUp();
  const { session, subscription } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  await tellAll(['checkout.session.completed', session]);
  expect(subscription.status).toBe('canceled');
  expect(stripe.moneyOf(subscription.customer)).toEqual({ paid: 0, credit: 0 });
});

test('what is kept about a person has no id of Stripe', async () => {
  const { cookie } = await signUp();
  await buy(cookie, 'standard');
  await checkout(cookie, 'business');
  const kept = await call('GET', '/api/account/data', { as: cookie });
  expect(kept.json().subscription).toMatchObject({ tier: 'standard', provider: 'stripe' });
  expect(kept.json().checkouts).toEqual([
    { tier: 'standard', begunAt: expect.any(String), closedAt: expect.any(String) },
    { tier: 'business', begunAt: expect.any(String), closedAt: null },
  ]);
  expect(kept.body).not.toMatch(/sub_|cus_|cs_test/);
});
