import { expect, test } from 'vitest';
import { startPayments } from './payments.fixtures.ts';

const { buy, change, checkout, confirmChange, getSubscription, signUp, stripe, sendEvents, waitForIdle } =
  await startPayments();

const account = 'http://localhost:3000/account';

// This test must come first: no portal configuration exists yet.
test('a change works after a Stripe error, and the portal is configured once', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  await buy(cookie, 'business');
  await buy(other.cookie, 'business');
  stripe.setFailure('error');
  const faulty = await change(cookie, 'standard');
  stripe.setFailure('none');
  const responses = [await change(cookie, 'standard'), await change(other.cookie, 'free')];
  expect([faulty.code, ...responses.map(({ redirect }) => redirect)]).toEqual(['unavailable', true, true]);
  expect([...stripe.portal.configurations.values()]).toMatchObject([
    {
      features: {
        subscription_cancel: { enabled: 'true', mode: 'at_period_end' },
        subscription_update: { enabled: 'true', default_allowed_updates: { 0: 'price' } },
      },
    },
  ]);
});

test('a subscription cancelled on the portal ends with the period and can be kept until then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const response = await change(cookie, 'free');
  expect(response).toEqual({
    cancelled: false,
    redirect: true,
    url: expect.stringContaining('https://billing.stripe.com/p/session/'),
  });
  expect(stripe.portal.sessions.get(response.url)).toMatchObject({
    flow: { type: 'subscription_cancel', subscription_cancel: { subscription: subscription.id } },
    return_url: account,
  });
  expect(await getSubscription(cookie)).toMatchObject({ status: 'active' });

  const { url } = await confirmChange(cookie, 'free');
  expect(url).toBe(`${account}?subscription=ending`);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'ending', nextTier: 'free' });
  const again = await change(cookie, 'free');
  expect(again).toEqual({
    cancelled: true,
    redirect: false,
    done: 'cancelled',
    message: 'Your Standard subscription ends after the current period. You keep Full Access.',
  });

  expect(await change(cookie, 'standard')).toEqual({
    cancelled: false,
    redirect: false,
    done: 'kept',
    message: 'Your Standard subscription continues.',
  });
  expect(subscription.cancel_at).toBeNull();
  await sendEvents(['customer.subscription.updated', subscription]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect((await change(cookie, 'standard')).message).toBe('You already have the Standard plan.');
});

test('a subscription with cancel_at_period_end is ending and can be kept', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  subscription.cancel_at_period_end = true;
  await sendEvents(['customer.subscription.updated', subscription]);
  expect(await getSubscription(cookie)).toMatchObject({ status: 'ending', nextTier: 'free' });
  expect(await change(cookie, 'standard')).toMatchObject({ done: 'kept' });
  expect(subscription.cancel_at_period_end).toBe(false);
});

test('a lower plan starts with the next period and can be undone until then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const sessions = stripe.sessions.size;
  const { url } = await confirmChange(cookie, 'standard');
  expect(url).toBe(`${account}?subscription=scheduled`);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'ending', nextTier: 'standard' });
  expect(await change(cookie, 'standard')).toMatchObject({
    done: 'scheduled',
    message: 'Your Business subscription changes to Standard after the current period.',
  });

  expect(await change(cookie, 'business')).toMatchObject({ done: 'kept' });
  expect(subscription.schedule).toBeNull();
  await sendEvents(['customer.subscription.updated', subscription]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active', nextTier: null });

  await confirmChange(cookie, 'standard');
  stripe.renew(subscription);
  await sendEvents(['invoice.paid', { customer: subscription.customer }]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active', nextTier: null });
  expect(stripe.sessions.size).toBe(sessions);
});

test('a higher plan replaces the lower one in the same subscription, so that no one pays for two', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const sessions = stripe.sessions.size;
  // Both ways to start paying for a plan lead to the portal.
  for (const { url } of [await change(cookie, 'business'), (await checkout(cookie, 'business')).json()]) {
    const { configuration, flow } = stripe.portal.sessions.get(url) ?? {};
    expect(flow).toMatchObject({ subscription_update_confirm: { subscription: subscription.id } });
    // The rest of the lower plan is credited on the first invoice of the higher one.
    expect(configuration).toMatchObject({
      features: { subscription_update: { proration_behavior: 'always_invoice' } },
    });
  }
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard' });
  const { url } = await confirmChange(cookie, 'business');
  expect(url).toBe(`${account}?subscription=success&tier=business`);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  expect(stripe.sessions.size).toBe(sessions);
  expect([...stripe.subscriptions.values()].filter(({ customer }) => customer === subscription.customer)).toHaveLength(
    1,
  );
});

test('the portal opens on its home page if Stripe offers no direct flow for a change', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  await confirmChange(cookie, 'standard');
  const { redirect, url } = await change(cookie, 'free');
  expect([redirect, stripe.portal.sessions.get(url)?.flow]).toEqual([true, {}]);
  subscription.schedule = null;
  subscription.status = 'past_due';
  expect(stripe.portal.sessions.get((await change(cookie, 'standard')).url)?.flow).toEqual({});
});

test('the plan of a subscription with a separate product comes from its metadata', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const [item] = subscription.items.data;
  if (item) item.price = { ...item.price, id: 'price_older', product: 'prod_older' };
  subscription.metadata = { tier: 'business' };
  await sendEvents(['customer.subscription.updated', subscription]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  await confirmChange(cookie, 'standard');
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', nextTier: 'standard' });
});

test('a change has no effect while Stripe is offline', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const before = structuredClone(subscription);
  stripe.setFailure('offline');
  const responses = [await change(cookie, 'free'), await change(cookie, 'standard')];
  stripe.setFailure('none');
  expect(responses.map(({ code }) => code)).toEqual(['unavailable', 'unavailable']);
  expect(subscription).toEqual(before);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active' });
});

test("a change uses Stripe's state instead of outdated stored state, which is updated afterwards", async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const lower = (await change(cookie, 'standard')).url;
  await waitForIdle();
  // The events of this change are lost.
  stripe.portal.confirm(lower);
  stripe.renew(subscription);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business', status: 'active' });
  const { url } = await change(cookie, 'business');
  expect(stripe.portal.sessions.get(url)?.flow).toMatchObject({ type: 'subscription_update_confirm' });
  await waitForIdle();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('cancelling a subscription that has ended or was deleted at Stripe deletes it here too', async () => {
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
    expect(await getSubscription(as)).toBeNull();
    expect(await change(as, 'free')).toMatchObject({ done: 'ended' });
  }
});
