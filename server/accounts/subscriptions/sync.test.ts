import { expect, test, vi } from 'vitest';
import { nightlySyncJob } from './jobs.ts';
import { getSessionId, startPayments } from './payments.fixtures.ts';
import { newId } from './stripe-protocol.fixtures.ts';
import { syncQueue } from './sync.ts';

const {
  buy,
  call,
  checkout,
  confirmChange,
  context,
  getSubscription,
  signUp,
  stripe,
  sendEvent,
  sendEvents,
  waitForIdle,
} = await startPayments();

test('a payment event activates the subscription of the user who started the checkout', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const { subscription } = await buy(cookie, 'standard');
  expect(await getSubscription(cookie)).toEqual({
    tier: 'standard',
    status: 'active',
    nextTier: null,
    periodEndsAt: new Date((subscription.items.data[0]?.current_period_end ?? 0) * 1000).toISOString(),
    simulated: false,
  });
  expect(await getSubscription(other.cookie)).toBeNull();
  const again = await checkout(cookie, 'standard');
  expect([again.statusCode, again.json().error]).toEqual([
    409,
    expect.stringContaining('You already pay for the Standard plan'),
  ]);
});

const kinds = ['completed', 'created', 'updated', 'deleted'] as const;

/** Returns all permutations. */
const permute = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((first) => permute(all.filter((one) => one !== first)).map((rest) => [first, ...rest]));

const eventFor = (kind: (typeof kinds)[number], session: object, subscription: object): [string, object] =>
  kind === 'completed' ? ['checkout.session.completed', session] : [`customer.subscription.${kind}`, subscription];

test('events of one subscription have the same result in every order, even with outdated contents', async () => {
  for (const order of permute(kinds)) {
    const { cookie } = await signUp();
    const { session, subscription } = stripe.pay(getSessionId((await checkout(cookie, 'standard')).json().url));
    const asCreated = structuredClone({ ...subscription, status: 'incomplete' });
    const asUpdated = structuredClone(subscription);
    subscription.status = 'canceled';
    const contents = { completed: subscription, created: asCreated, updated: asUpdated, deleted: subscription };
    await sendEvents(...order.map((kind) => eventFor(kind, session, contents[kind])));
    expect([order, await getSubscription(cookie)]).toEqual([order, null]);
  }
});

test('an active subscription stays active after late events', async () => {
  for (const order of permute(kinds.filter((kind) => kind !== 'deleted'))) {
    const { cookie } = await signUp();
    const { session, subscription } = stripe.pay(getSessionId((await checkout(cookie, 'business')).json().url));
    const late = structuredClone({ ...subscription, status: 'incomplete' });
    await sendEvents(...order.map((kind) => eventFor(kind, session, late)));
    expect([order, await getSubscription(cookie)]).toEqual([
      order,
      expect.objectContaining({ tier: 'business', status: 'active' }),
    ]);
  }
});

test('a failed payment makes the subscription overdue until it is paid', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  subscription.status = 'past_due';
  await sendEvents(['invoice.payment_failed', { customer: subscription.customer }]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'overdue' });
  subscription.status = 'active';
  await sendEvents(['invoice.paid', { customer: subscription.customer }]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('a lower plan is overdue if its first payment fails, and ending if it is cancelled then', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  await confirmChange(cookie, 'standard');
  stripe.renew(subscription);
  subscription.status = 'past_due';
  const updated = () => sendEvents(['customer.subscription.updated', subscription]);
  await updated();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard', status: 'overdue', nextTier: null });
  subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? 0;
  await updated();
  expect(await getSubscription(cookie)).toMatchObject({ status: 'ending', nextTier: 'free' });
  subscription.cancel_at = null;
  await updated();
  expect(await getSubscription(cookie)).toMatchObject({ status: 'overdue', nextTier: null });
});

test('an event received while Stripe is offline is processed afterwards', async () => {
  const { cookie } = await signUp();
  const { session } = stripe.pay(getSessionId((await checkout(cookie, 'standard')).json().url));
  stripe.setFailure('offline');
  await sendEvent('checkout.session.completed', session);
  stripe.setFailure('none');
  await waitForIdle();
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard' });
}, 30_000);

test('the newer of two subscriptions counts, and a log line asks an operator to cancel the other', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  const { subscription: other } = await buy((await signUp()).cookie, 'standard');
  const older = { ...other, id: newId('sub'), customer: subscription.customer, created: subscription.created - 60 };
  stripe.subscriptions.set(older.id, older);
  const logged = vi.spyOn(context.log, 'error');
  await sendEvents(['customer.subscription.created', older]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'business' });
  expect(logged.mock.calls).toEqual([
    [{ customerId: subscription.customer }, expect.stringContaining('more than one')],
  ]);
  logged.mockRestore();
  subscription.status = 'canceled';
  await sendEvents(['customer.subscription.deleted', subscription]);
  expect(await getSubscription(cookie)).toMatchObject({ tier: 'standard' });
});

test('events about customers of another site with the same Stripe account are ignored', async () => {
  const { id } = await signUp();
  const before = stripe.requests.length;
  await sendEvents(
    [
      'customer.subscription.updated',
      { id: 'sub_1', customer: 'cus_of_another_site', metadata: { userId: String(id) } },
    ],
    ['invoice.paid', { customer: 'cus_of_another_site' }],
  );
  expect(stripe.requests.length).toBe(before);
});

test('the nightly sync saves changes whose events were lost', async () => {
  const users = [await signUp(), await signUp(), await signUp()];
  const [paying, ending, gone] = users;
  if (!paying || !ending || !gone) throw new Error('A user is missing.');
  stripe.pay(getSessionId((await checkout(paying.cookie, 'standard')).json().url));
  (await buy(ending.cookie, 'standard')).subscription.status = 'canceled';
  stripe.customers.delete((await buy(gone.cookie, 'standard')).session.customer ?? '');
  await nightlySyncJob.run(context, {}, AbortSignal.timeout(10_000));
  await waitForIdle();
  const found = await Promise.all(users.map(({ cookie }) => getSubscription(cookie)));
  expect(found).toEqual([expect.objectContaining({ tier: 'standard' }), null, null]);
});

test('deleting an account deletes its customer and expires its open checkout, even if Stripe is offline at first', async () => {
  const [payer, newUser] = [await signUp(), await signUp()];
  const { session, subscription } = await buy(payer.cookie, 'standard');
  const open = getSessionId((await checkout(newUser.cookie, 'business')).json().url);
  stripe.setFailure('offline');
  for (const { cookie, password } of [payer, newUser]) {
    const { statusCode } = await call('DELETE', '/api/account', { as: cookie, body: { password } });
    expect(statusCode).toBe(204);
  }
  stripe.setFailure('none');
  await waitForIdle();
  expect([subscription.status, stripe.customers.get(session.customer ?? '')?.isDeleted]).toEqual(['canceled', true]);
  expect(stripe.sessions.get(open)?.status).toBe('expired');
}, 30_000);

test('a payment made just after the account was deleted is cancelled', async () => {
  const { cookie, password } = await signUp();
  const session = getSessionId((await checkout(cookie, 'standard')).json().url);
  stripe.setFailure('offline');
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  const { subscription } = stripe.pay(session);
  stripe.setFailure('none');
  await waitForIdle();
  expect(subscription.status).toBe('canceled');
}, 30_000);

test('a sync that fails too often is logged for an operator and retried every night', async () => {
  const { cookie, password } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  const logged = vi.spyOn(context.log, 'error');
  await context.jobs.updateQueue(syncQueue.name, { retryLimit: 0 });
  stripe.setFailure('offline');
  await call('DELETE', '/api/account', { as: cookie, body: { password } });
  await expect
    .poll(() => logged.mock.calls)
    .toContainEqual([{ customerId: subscription.customer }, expect.stringContaining('needs an operator')]);
  stripe.setFailure('none');
  await context.jobs.updateQueue(syncQueue.name, { retryLimit: syncQueue.retryLimit });
  logged.mockRestore();
  expect(subscription.status).toBe('active');
  await nightlySyncJob.run(context, {}, AbortSignal.timeout(10_000));
  await expect.poll(() => subscription.status).toBe('canceled');
});

test("the account export contains no ids of Stripe's objects", async () => {
  const { cookie } = await signUp();
  await buy(cookie, 'standard');
  const stored = await call('GET', '/api/account/data', { as: cookie });
  expect(stored.json().subscription).toMatchObject({ tier: 'standard', provider: 'stripe' });
  expect(stored.body).not.toMatch(/sub_|cus_|cs_test/);
});
