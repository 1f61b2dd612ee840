import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sessionOf, startPayments } from './payments.fixtures.ts';
import type { Subscription } from './stripe-server.fixtures.ts';

const { buy, calm, change, checkout, context, mine, signUp, stripe, tell, tellAll } = await startPayments();

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

test('a payment that failed is told, and one that was made again; each in the words of either version', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'standard');
  subscription.status = 'past_due';
  await tellAll(['invoice.payment_failed', { parent: { subscription_details: { subscription: subscription.id } } }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'overdue' });
  subscription.status = 'active';
  await tellAll(['invoice.paid', { subscription: subscription.id }]);
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'active' });
});

test('a lower plan whose first payment fails is overdue; cancelled then, it ends, which can be taken back', async () => {
  const { cookie } = await signUp();
  const { subscription } = await buy(cookie, 'business');
  await change(cookie, 'standard');
  stripe.renew(subscription);
  subscription.status = 'past_due';
  const updated = () => tellAll(['customer.subscription.updated', subscription]);
  await updated();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard', status: 'overdue', nextTier: null });
  await change(cookie, 'free');
  await updated();
  expect(await mine(cookie)).toMatchObject({ status: 'ending', nextTier: 'free' });
  await change(cookie, 'standard');
  await updated();
  expect(await mine(cookie)).toMatchObject({ status: 'overdue', nextTier: null });
});

test('while Stripe is away an event is taken, and settled afterwards', async () => {
  const { cookie } = await signUp();
  const { session } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  stripe.fail('away');
  await tell('checkout.session.completed', session);
  stripe.fail('no');
  await calm();
  expect(await mine(cookie)).toMatchObject({ tier: 'standard' });
}, 30_000);

test('of two that were paid at once the older ends and is paid back, whichever is told first', async () => {
  for (const turned of [false, true]) {
    const { cookie } = await signUp();
    const urls = [(await checkout(cookie, 'standard')).json().url, (await checkout(cookie, 'business')).json().url];
    const paid = urls.map((url) => stripe.pay(sessionOf(url)));
    const told = turned ? paid.toReversed() : paid;
    await tellAll(...told.map(({ session }): [string, object] => ['checkout.session.completed', session]));
    expect(paid.map(({ subscription }) => subscription.status)).toEqual(['canceled', 'active']);
    expect(await mine(cookie)).toMatchObject({ tier: 'business' });
    const customers = paid.map(({ subscription }) => subscription.customer);
    expect(customers[0]).toBe(customers[1]);
    expect(stripe.moneyOf(customers[0] ?? '')).toEqual({ paid: 4900, credit: 0 });
  }
});

test('where paying back was done and nobody heard of it, the next try ends the subscription all the same', async () => {
  const { cookie } = await signUp();
  const urls = [(await checkout(cookie, 'standard')).json().url, (await checkout(cookie, 'business')).json().url];
  const paid = urls.map((url) => stripe.pay(sessionOf(url)));
  const lost = stripe.atNext('/v1/refunds', async () => stripe.fail('late'));
  for (const { session } of paid) await tell('checkout.session.completed', session);
  await lost;
  const again = () => sql`select from pgboss.job where name = 'stripe-settle' and state = 'retry'`.execute(context.db);
  await expect.poll(async () => (await again()).rows.length).toBeGreaterThan(0);
  stripe.fail('no');
  await calm();
  expect(paid.map(({ subscription }) => subscription.status)).toEqual(['canceled', 'active']);
  expect(stripe.moneyOf(paid[0]?.subscription.customer ?? '')).toEqual({ paid: 4900, credit: 0 });
}, 60_000);

test('with the first payment the other checkouts of the person end; with later news a new one stays', async () => {
  const [{ cookie }, other] = [await signUp(), await signUp()];
  const theirs = sessionOf((await checkout(other.cookie, 'business')).json().url);
  const open = sessionOf((await checkout(cookie, 'business')).json().url);
  const { subscription } = await buy(cookie, 'standard');
  expect([open, theirs].map((id) => stripe.sessions.get(id)?.status)).toEqual(['expired', 'open']);
  const upgrade = sessionOf((await checkout(cookie, 'business')).json().url);
  await tellAll(['customer.subscription.updated', subscription]);
  expect([upgrade === open, stripe.sessions.get(upgrade)?.status]).toEqual([false, 'open']);
});

test('who is told of a payment only when it has ended begins another checkout, not the one that was paid', async () => {
  const { cookie } = await signUp();
  const { session, subscription } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  subscription.status = 'incomplete';
  await tellAll(['customer.subscription.created', subscription]);
  expect(sessionOf((await checkout(cookie, 'standard')).json().url)).toBe(session.id);
  subscription.status = 'canceled';
  await tellAll(['customer.subscription.deleted', subscription]);
  expect(sessionOf((await checkout(cookie, 'standard')).json().url)).not.toBe(session.id);
});

test('what was not begun here is nobody of ours, whatever it says, and is left alone', async () => {
  const { cookie, id } = await signUp();
  const { subscription } = stripe.pay(sessionOf((await checkout(cookie, 'standard')).json().url));
  const strangers: Subscription['metadata'][] = [{}, { userId: String(id), tier: 'business' }, { checkout: 'x' }];
  for (const metadata of strangers) {
    subscription.metadata = metadata;
    await tellAll(['customer.subscription.updated', subscription]);
  }
  await tellAll(['customer.subscription.updated', { id: 'sub_unknown' }]);
  expect([await mine(cookie), subscription.status]).toEqual([null, 'active']);
});
