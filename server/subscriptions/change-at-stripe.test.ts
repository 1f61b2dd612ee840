import { expect, test } from 'vitest';
import { tidyPaymentsJob } from './jobs.ts';
import { sessionOf, startPayments } from './payments.fixtures.ts';

const { buy, calm, change, context, mine, signUp, stripe, tellAll } = await startPayments();

// The first of all: there is no product yet.
test('a fault of Stripe is over with the next try, and a plan that is there is used again', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  await buy(cookie, 'business');
  await buy(other.cookie, 'business');
  stripe.fail('faulty');
  const faulty = await change(cookie, 'standard');
  stripe.fail('no');
  const answers = [await change(cookie, 'standard'), await change(other.cookie, 'standard')];
  expect([faulty.code, ...answers.map(({ done }) => done)]).toEqual(['unavailable', 'scheduled', 'scheduled']);
});

test('cancelled, it ends with the period, and can be taken back until then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const answer = await change(cookie, 'free');
  expect(answer).toEqual({
    cancelled: true,
    redirect: false,
    done: 'cancelled',
    message: 'Your Standard subscription ends with the current period. You keep Full Access.',
  });
  expect(subscription).toMatchObject({ status: 'active', cancel_at_period_end: true });
  // Only an event writes it down.
  expect(await mine(cookie)).toMatchObject({ status: 'active' });
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'ending', nextTier: 'free' });

  expect((await change(cookie, 'standard')).message).toBe('Your Standard subscription goes on.');
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect(subscription.cancel_at_period_end).toBe(false);
});

test('a lower plan is paid from the next period on, without a checkout', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const sessions = stripe.sessions.size;
  expect(await change(cookie, 'standard')).toMatchObject({
    done: 'scheduled',
    message: 'Your Business subscription becomes Standard with the next period.',
  });
  expect(subscription.items.data).toMatchObject([{ price: { unit_amount: 1900 } }]);
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'ending', nextTier: 'standard' });

  await change(cookie, 'business');
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });
  expect(subscription.items.data).toMatchObject([{ price: { unit_amount: 4900 } }]);

  await change(cookie, 'standard');
  stripe.renew(subscription);
  await tellAll(['invoice.paid', { parent: { subscription_details: { subscription: subscription.id } } }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect(stripe.sessions.size).toBe(sessions);
});

test('a higher plan is a new subscription of the same customer, and the old one ends: nobody pays twice', async () => {
  const { cookie } = await signUp();
  const { subscription: old } = await buy(cookie, 'standard');
  stripe.age(old, 10);
  const answer = await change(cookie, 'business');
  expect(answer).toMatchObject({ cancelled: false, redirect: true });
  const { session, subscription } = stripe.pay(sessionOf(answer.url));
  expect(subscription.customer).toBe(old.customer);
  expect(session.form).not.toHaveProperty('customer_email');
  await tellAll(['checkout.session.completed', session], ['customer.subscription.updated', old]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  expect([old.status, subscription.status]).toEqual(['canceled', 'active']);
  const cancelled = stripe.asked.filter(({ method }) => method === 'DELETE').at(-1);
  expect(cancelled?.form).toEqual({ prorate: 'true', invoice_now: 'true' });
  // Two thirds of a month of Standard.
  expect(stripe.moneyOf(old.customer)).toEqual({ paid: 6800, credit: 1267 });
  await tellAll(['customer.subscription.deleted', old]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business' });
});

test('a change while Stripe is away changes nothing', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const before = structuredClone(subscription);
  stripe.fail('away');
  const answers = [await change(cookie, 'free'), await change(cookie, 'standard')];
  stripe.fail('no');
  expect(answers.map(({ code }) => code)).toEqual(['unavailable', 'unavailable']);
  expect(subscription).toEqual(before);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
});

test('a higher plan than Stripe has is paid for, whatever is kept here', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  // Its events are lost.
  await change(cookie, 'standard');
  stripe.renew(subscription);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  const paid = stripe.moneyOf(subscription.customer);
  expect(await change(cookie, 'business')).toMatchObject({ redirect: true, url: expect.stringContaining('stripe') });
  expect(subscription.items.data).toMatchObject([{ price: { unit_amount: 1900 } }]);
  expect(stripe.moneyOf(subscription.customer)).toEqual(paid);
  await calm();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('one that has ended is not kept any more when its owner asks, nor a day after its period', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const { subscription } = await buy(cookie, 'standard');
  const { subscription: past } = await buy(other.cookie, 'standard');
  for (const ended of [subscription, past]) ended.status = 'canceled';
  expect(await change(cookie, 'free')).toMatchObject({ cancelled: false, done: 'ended' });
  await calm();
  expect([await mine(cookie), await mine(other.cookie)]).toEqual([null, expect.objectContaining({ tier: 'standard' })]);
  const now = () => new Date(Date.now() + 32 * 86_400_000);
  await tidyPaymentsJob.run({ ...context, now }, {}, AbortSignal.timeout(10_000));
  await calm();
  expect(await mine(other.cookie)).toBeNull();
});

test('one that Stripe does not know any more, as after a change from a test key to a live one, holds nobody up', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  for (const as of [cookie, other.cookie]) {
    const { subscription } = await buy(as, 'standard');
    stripe.subscriptions.delete(subscription.id);
  }
  expect(await change(cookie, 'free')).toMatchObject({ cancelled: false, done: 'ended' });
  await calm();
  expect([await mine(cookie), await mine(other.cookie)]).toEqual([null, expect.objectContaining({ tier: 'standard' })]);
  const now = () => new Date(Date.now() + 32 * 86_400_000);
  await tidyPaymentsJob.run({ ...context, now }, {}, AbortSignal.timeout(10_000));
  await calm();
  expect(await mine(other.cookie)).toBeNull();
});
