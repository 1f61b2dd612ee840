import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { nightlySyncJob } from './jobs.ts';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import { newId } from './stripe-protocol.fixtures.ts';
import { syncQueue } from './sync.ts';

const { buy, call, checkout, confirmChange, context, mine, signUp, stripe, tell, tellAll, waitForIdle } =
  await startPayments();

test('a payment is settled by its event, for the person who began the checkout', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const { subscription } = await buy(cookie, 'standard');
  expect(await mine(cookie)).toEqual({
    tier: 'standard',
    status: 'active',
    nextTier: null,
    periodEndsAt: new Date((subscription.items.data[0]?.current_period_end ?? 0) * 1000).toISOString(),
    simulated: false,
  });
  expect(await mine(other.cookie)).toBeNull();
  const again = await checkout(cookie, 'standard');
  expect([again.statusCode, again.json().error]).toEqual([
    409,
    expect.stringContaining('You pay for Standard already'),
  ]);
});

const kinds = ['completed', 'created', 'updated', 'deleted'] as const;

/** Every order of some things. */
const ordersOf = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((first) => ordersOf(all.filter((one) => one !== first)).map((rest) => [first, ...rest]));

const eventFor = (kind: (typeof kinds)[number], session: object, subscription: object): [string, object] =>
  kind === 'completed' ? ['checkout.session.completed', session] : [`customer.subscription.${kind}`, subscription];

test('events of one subscription end the same in every order, with what they said when they were made', async () => {
  for (const order of ordersOf(kinds)) {
    const { cookie } = await signUp();
    const { session, subscription } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
    const asCreated = structuredClone({ ...subscription, status: 'incomplete' });
    const asUpdated = structuredClone(subscription);
    subscription.status = 'canceled';
    const said = { completed: subscription, created: asCreated, updated: asUpdated, deleted: subscription };
    await tellAll(...order.map((kind) => eventFor(kind, session, said[kind])));
    expect([order, await mine(cookie)]).toEqual([order, null]);
  }
});

test('a running one stays whatever comes late', async () => {
  for (const order of ordersOf(kinds.filter((kind) => kind !== 'deleted'))) {
    const { cookie } = await signUp();
    const { session, subscription } = stripe.pay(sessionOf((await checkout(cookie, 'business')).json().url));
    const late = structuredClone({ ...subscription, status: 'incomplete' });
    await tellAll(...order.map((kind) => eventFor(kind, session, late)));
    expect([order, await mine(cookie)]).toEqual([
      order,
      expect.objectContaining({ tier: 'business', status: 'active' }),
    ]);
  }
});

test('a payment that failed is told, and one that was made again', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  subscription.status = 'past_due';
  await tellAll(['invoice.payment_failed', { customer: subscription.customer }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'overdue' });
  subscription.status = 'active';
  await tellAll(['invoice.paid', { customer: subscription.customer }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('a lower plan whose first payment fails is overdue; cancelled then, it ends', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  await confirmChange(cookie, 'standard');
  stripe.renew(subscription);
  subscription.status = 'past_due';
  const updated = () => tellAll(['customer.subscription.updated', subscription]);
  await updated();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'overdue', nextTier: null });
  subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? 0;
  await updated();
  expect(await mine(cookie)).toMatchObject({ status: 'ending', nextTier: 'free' });
  subscription.cancel_at = null;
  await updated();
  expect(await mine(cookie)).toMatchObject({ status: 'overdue', nextTier: null });
});

test('while Stripe is away an event is taken, and settled afterwards', async () => {
  const { cookie } = await signUp();
  const { session } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  stripe.fail('away');
  await tell('checkout.session.completed', session);
  stripe.fail('no');
  await waitForIdle();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard' });
}, 30_000);

test('of two subscriptions, made by hand at Stripe, the newer one counts, and an operator is told', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const { subscription: other } = await buy((await signUp()).cookie, 'standard');
  const older = { ...other, id: newId('sub'), customer: subscription.customer, created: subscription.created - 60 };
  stripe.subscriptions.set(older.id, older);
  const logged = vi.spyOn(context.log, 'error');
  await tellAll(['customer.subscription.created', older]);
  expect(await mine(cookie)).toMatchObject({ tier: 'business' });
  expect(logged.mock.calls).toEqual([
    [{ customerId: subscription.customer }, expect.stringContaining('more than one')],
  ]);
  logged.mockRestore();
  subscription.status = 'canceled';
  await tellAll(['customer.subscription.deleted', subscription]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard' });
});

test('what is paid to the same account of Stripe by others is left alone', async () => {
  const { id } = await signUp();
  const before = stripe.asked.length;
  await tellAll(
    [
      'customer.subscription.updated',
      { id: 'sub_1', customer: 'cus_of_another_site', metadata: { userId: String(id) } },
    ],
    ['invoice.paid', { customer: 'cus_of_another_site' }],
  );
  expect(stripe.asked.length).toBe(before);
});

test('what Stripe did not tell is saved in the night', async () => {
  const people = [await signUp(), await signUp(), await signUp()];
  const [paying, ending, gone] = people;
  if (!paying || !ending || !gone) throw new Error('There are three.');
  stripe.pay(sessionOf((await checkout(paying.cookie, 'standard')).json().url));
  (await buy(ending.cookie, 'standard')).subscription.status = 'canceled';
  stripe.customers.delete((await buy(gone.cookie, 'standard')).session.customer ?? '');
  await nightlySyncJob.run(context, {}, AbortSignal.timeout(10_000));
  await waitForIdle();
  const found = await Promise.all(people.map(({ cookie }) => mine(cookie)));
  expect(found).toEqual([expect.objectContaining({ tier: 'standard' }), null, null]);
});

test('with an account goes what it pays for, its customer, and what it has begun to pay for, also while Stripe is away', async () => {
  const [payer, beginner] = [await signUp(), await signUp()];
  const { session, subscription } = await buy(payer.cookie, 'standard');
  const open = sessionOf((await checkout(beginner.cookie, 'business')).json().url);
  stripe.fail('away');
  for (const { cookie, password } of [payer, beginner]) {
    const { statusCode } = await call('DELETE', '/api/account', { as: cookie, body: { password } });
    expect(statusCode).toBe(204);
  }
  stripe.fail('no');
  await waitForIdle();
  expect([subscription.status, stripe.customers.get(session.customer ?? '')?.isDeleted]).toEqual(['canceled', true]);
  expect(stripe.sessions.get(open)?.status).toBe('expired');
}, 30_000);

test('what is paid in the moments after an account was deleted is cancelled', async () => {
  const { cookie, password } = await signUp();
  const session = sessionOf((await checkout(cookie, 'standard')).json().url);
  stripe.fail('away');
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  const { subscription } = stripe.pay(session);
  stripe.fail('no');
  await waitForIdle();
  expect(subscription.status).toBe('canceled');
}, 30_000);

test('what fails at Stripe for too long is left to an operator, who reads of it in the log, and is tried each night', async () => {
  const { cookie, password } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const logged = vi.spyOn(context.log, 'error');
  await context.jobs.updateQueue(syncQueue.name, { retryLimit: 0 });
  stripe.fail('away');
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  await expect
    .poll(() => logged.mock.calls)
    .toContainEqual([{ customerId: subscription.customer }, expect.stringContaining('needs an operator')]);
  stripe.fail('no');
  await context.jobs.updateQueue(syncQueue.name, { retryLimit: syncQueue.retryLimit });
  logged.mockRestore();
  expect(subscription.status).toBe('active');
  await nightlySyncJob.run(context, {}, AbortSignal.timeout(10_000));
  await expect.poll(() => subscription.status).toBe('canceled');
});

test('jobs that version 0.1 queued are done, and an operator reads of a subscription that has no account here', async () => {
  const [payer, ended, beginner] = [await signUp(), await signUp(), await signUp()];
  const { subscription: paid } = stripe.pay(sessionOf((await checkout(payer.cookie, 'standard')).json().url));
  const { subscription: over } = await buy(ended.cookie, 'business');
  over.status = 'canceled';
  const open = sessionOf((await checkout(beginner.cookie, 'standard')).json().url);
  const other = { ...structuredClone(paid), id: newId('sub'), customer: 'cus_other', metadata: { checkout: 'theirs' } };
  const left = { ...structuredClone(other), id: newId('sub'), metadata: { checkout: randomUUID() } };
  for (const one of [other, left]) stripe.subscriptions.set(one.id, one);
  const logged = vi.spyOn(context.log, 'error');
  for (const { id } of [paid, over, other, left, { id: 'sub_unknown' }]) {
    await context.jobs.send('stripe-settle', { subscriptionId: id });
  }
  await context.jobs.send('stripe-expire', { sessionId: open });
  await waitForIdle();
  expect(await mine(payer.cookie)).toMatchObject({ tier: 'standard', status: 'active' });
  expect(await mine(ended.cookie)).toBeNull();
  expect([other, left].map(({ status }) => status)).toEqual(['active', 'active']);
  expect(logged.mock.calls).toEqual([[{ subscriptionId: left.id }, expect.stringContaining('needs an operator')]]);
  logged.mockRestore();
  expect(stripe.sessions.get(open)?.status).toBe('expired');
});

test('what is stored about a person has no id of Stripe', async () => {
  const { cookie } = await signUp();
  await buy(cookie, 'standard');
  const stored = await call('GET', '/api/account/data', { as: cookie });
  expect(stored.json().subscription).toMatchObject({ tier: 'standard', provider: 'stripe' });
  expect(stored.body).not.toMatch(/sub_|cus_|cs_test/);
});
