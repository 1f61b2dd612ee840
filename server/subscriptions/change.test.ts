import { expect, test } from 'vitest';
import { startPayments } from './payments.fixtures.ts';

const { buy, change, checkout, confirmChange, mine, signUp, stripe, tellAll, waitForIdle } = await startPayments();

const account = 'http://localhost:3000/account';

// The first of all: nothing is configured yet.
test('a fault of Stripe is over with the next try, and what the portal allows is configured once', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  await buy(cookie, 'business');
  await buy(other.cookie, 'business');
  stripe.fail('faulty');
  const faulty = await change(cookie, 'standard');
  stripe.fail('no');
  const answers = [await change(cookie, 'standard'), await change(other.cookie, 'free')];
  expect([faulty.code, ...answers.map(({ redirect }) => redirect)]).toEqual(['unavailable', true, true]);
  expect([...stripe.portal.configurations.values()]).toMatchObject([
    {
      features: {
        subscription_cancel: { enabled: 'true', mode: 'at_period_end' },
        subscription_update: { enabled: 'true', default_allowed_updates: { 0: 'price' } },
      },
    },
  ]);
});

test('cancelled on the portal, it ends with the period, and can be kept until then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const answer = await change(cookie, 'free');
  expect(answer).toEqual({
    cancelled: false,
    redirect: true,
    url: expect.stringContaining('https://billing.stripe.com/p/session/'),
  });
  expect(stripe.portal.sessions.get(answer.url)).toMatchObject({
    flow: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
    return_url: account,
  });
  expect(await mine(cookie)).toMatchObject({ status: 'active' });

  const { url } = await confirmChange(cookie, 'free');
  expect(url).toBe(`${account}?subscription=ending`);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'ending', nextTier: 'free' });
  const again = await change(cookie, 'free');
  expect(again).toEqual({
    cancelled: true,
    redirect: false,
    done: 'cancelled',
    message: 'Your Standard subscription ends with the current period. You keep Full Access.',
  });

  expect(await change(cookie, 'standard')).toEqual({
    cancelled: false,
    redirect: false,
    done: 'kept',
    message: 'Your Standard subscription goes on.',
  });
  expect(subscription.cancel_at).toBeNull();
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect((await change(cookie, 'standard')).message).toBe('You have the Standard plan already.');
});

test('one that was cancelled in either of the two fields of Stripe ends, and is kept', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  subscription.cancel_at_period_end = true;
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ status: 'ending', nextTier: 'free' });
  expect(await change(cookie, 'standard')).toMatchObject({ done: 'kept' });
  expect(subscription.cancel_at_period_end).toBe(false);
});

test('a lower plan is paid from the next period on, and can be taken back until then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const sessions = stripe.sessions.size;
  const { url } = await confirmChange(cookie, 'standard');
  expect(url).toBe(`${account}?subscription=scheduled`);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'ending', nextTier: 'standard' });
  expect(await change(cookie, 'standard')).toMatchObject({
    done: 'scheduled',
    message: 'Your Business subscription becomes Standard with the next period.',
  });

  expect(await change(cookie, 'business')).toMatchObject({ done: 'kept' });
  expect(subscription.schedule).toBeNull();
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });

  await confirmChange(cookie, 'standard');
  stripe.renew(subscription);
  await tellAll(['invoice.paid', { customer: subscription.customer }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect(stripe.sessions.size).toBe(sessions);
});

test('a higher plan replaces the lower one in the same subscription: nobody pays for two', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const sessions = stripe.sessions.size;
  // Both calls that begin to pay for a plan lead to the portal.
  for (const { url } of [await change(cookie, 'business'), (await checkout(cookie, 'business')).json()]) {
    const { configuration, flow } = stripe.portal.sessions.get(url) ?? {};
    expect(flow).toMatchObject({ subscription_update_confirm: { subscription: subscription.id } });
    // What is left of the lower plan is taken off the first bill of the higher one.
    expect(configuration).toMatchObject({
      features: { subscription_update: { proration_behavior: 'always_invoice' } },
    });
  }
  expect(await mine(cookie)).toMatchObject({ tier: 'standard' });
  const { url } = await confirmChange(cookie, 'business');
  expect(url).toBe(`${account}?subscription=success&tier=business`);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  expect(stripe.sessions.size).toBe(sessions);
  expect([...stripe.subscriptions.values()].filter(({ customer }) => customer === subscription.customer)).toHaveLength(
    1,
  );
});

test('where Stripe has no direct way to a change, the portal opens on its front page', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  await confirmChange(cookie, 'standard');
  const { redirect, url } = await change(cookie, 'free');
  expect([redirect, stripe.portal.sessions.get(url)?.flow]).toEqual([true, {}]);
  subscription.schedule = null;
  subscription.status = 'past_due';
  expect(stripe.portal.sessions.get((await change(cookie, 'standard')).url)?.flow).toEqual({});
});

test('a subscription of an older version, with a product of its own, is of the plan that it says', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const [item] = subscription.items.data;
  if (item) item.price = { ...item.price, id: 'price_older', product: 'prod_older' };
  subscription.metadata = { tier: 'business' };
  await tellAll(['customer.subscription.updated', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  await confirmChange(cookie, 'standard');
  expect(await mine(cookie)).toMatchObject({ tier: 'business', nextTier: 'standard' });
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

test('what Stripe has counts, whatever is saved here, and is saved afterwards', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const lower = (await change(cookie, 'standard')).url;
  await waitForIdle();
  // Its events are lost.
  stripe.portal.confirm(lower);
  stripe.renew(subscription);
  expect(await mine(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  const { url } = await change(cookie, 'business');
  expect(stripe.portal.sessions.get(url)?.flow).toMatchObject({ type: 'subscription_update_confirm' });
  await waitForIdle();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('one that has ended, or that Stripe does not know any more, is not kept when its owner asks', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const [{ subscription }, { session }] = [await buy(cookie, 'standard'), await buy(other.cookie, 'standard')];
  subscription.status = 'canceled';
  stripe.customers.delete(session.customer ?? '');
  for (const as of [cookie, other.cookie]) {
    expect(await change(as, 'free')).toEqual({
      cancelled: false,
      redirect: false,
      done: 'ended',
      message: 'Your subscription has ended. You keep Full Access.',
    });
    await waitForIdle();
    expect(await mine(as)).toBeNull();
    expect(await change(as, 'free')).toMatchObject({ done: 'ended' });
  }
});
