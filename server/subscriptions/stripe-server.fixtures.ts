import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { openPortal } from './stripe-portal.fixtures.ts';
import {
  type Answer,
  type Customer,
  type Form,
  fault,
  list,
  missing,
  month,
  newId,
  ok,
  type Price,
  partOf,
  readForm,
  refused,
  type Subscription,
  textOf,
} from './stripe-protocol.fixtures.ts';

export interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  url: string;
  customer: string | null;
  subscription: string | null;
  expires_at: number;
  success_url: string;
  metadata: Form;
  form: Form;
}

export interface Asked {
  method: string;
  path: string;
  form: Form;
  headers: IncomingMessage['headers'];
}

export const secretKey = 'sk_test_51Fixture';

/** As below, gone after the tests of a file. */
export async function startStripe() {
  // Browser tests use the other one, and load nothing of this runner.
  const { afterAll } = await import('vitest');
  const server = await openStripeServer();
  afterAll(server.close);
  return server;
}

/** The part of Stripe's API that is used, over HTTP: what is paid, changed and cancelled there stays so. */
export async function openStripeServer() {
  const products = new Set<string>();
  const prices = new Map<string, Price>();
  const customers = new Map<string, Customer>();
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const portal = openPortal({ prices, customers, subscriptions });
  const answered = new Map<string, { request: string; answer: Answer }>();
  const asked: Asked[] = [];
  /** What it does in place of an answer. */
  let failing: 'no' | 'away' | 'faulty' | 'late' = 'no';
  let between: { call: string; act: () => Promise<unknown> } | undefined;
  let clock = Math.floor(Date.now() / 1000);

  const calls: Record<string, (form: Form, id: string) => Answer> = {
    'POST /v1/products'(form) {
      const id = textOf(form, 'id') ?? newId('prod');
      if (products.has(id)) return fault(400, 'invalid_request_error', 'resource_already_exists');
      products.add(id);
      return ok({ id, object: 'product', name: form.name });
    },
    'GET /v1/prices'(form) {
      const keys = Object.values(partOf(form, 'lookup_keys'));
      return list([...prices.values()].filter(({ lookup_key }) => keys.includes(lookup_key ?? '')));
    },
    'POST /v1/prices'(form) {
      const [product, key] = [textOf(form, 'product') ?? '', textOf(form, 'lookup_key')];
      const isMonthly = partOf(form, 'recurring').interval === 'month' && form.currency === 'usd';
      if (!products.has(product) || !isMonthly) return refused();
      const before = [...prices.values()].find(({ lookup_key }) => key !== null && lookup_key === key);
      if (before && form.transfer_lookup_key !== 'true') return refused();
      if (before) before.lookup_key = null;
      const price: Price = {
        ...{ id: newId('price'), object: 'price', product, lookup_key: key },
        unit_amount: Number(form.unit_amount),
      };
      prices.set(price.id, price);
      return ok(price);
    },
    'GET /v1/prices/:id': (_, id) => (prices.has(id) ? ok(prices.get(id)) : missing()),
    'POST /v1/customers'(form) {
      const id = newId('cus');
      customers.set(id, { form, isDeleted: false });
      return ok({ id, object: 'customer' });
    },
    'GET /v1/customers/:id'(form, id) {
      const customer = customers.get(id);
      if (!customer) return missing();
      if (customer.isDeleted) return ok({ id, object: 'customer', deleted: true });
      const expanded = Object.values(partOf(form, 'expand'));
      if (!expanded.includes('subscriptions.data.schedule')) return ok({ id, object: 'customer' });
      const running = [...subscriptions.values()].filter(
        ({ customer, status }) => customer === id && status !== 'canceled',
      );
      return ok({ id, object: 'customer', subscriptions: list(running).body });
    },
    'DELETE /v1/customers/:id'(_, id) {
      const customer = customers.get(id);
      if (!customer || customer.isDeleted) return missing();
      customer.isDeleted = true;
      for (const subscription of subscriptions.values()) {
        if (subscription.customer === id) subscription.status = 'canceled';
      }
      return ok({ id, object: 'customer', deleted: true });
    },
    'POST /v1/checkout/sessions'(form) {
      const [email, customer] = [textOf(form, 'customer_email'), textOf(form, 'customer')];
      const price = textOf(partOf(form, 'line_items', '0'), 'price');
      if (form.mode !== 'subscription' || !prices.has(price ?? '') || (email && customer)) return refused();
      if (customer && (customers.get(customer)?.isDeleted ?? true)) return missing();
      const id = newId('cs_test');
      const session: Session = {
        ...{ id, object: 'checkout.session', status: 'open', url: `https://checkout.stripe.com/c/pay/${id}` },
        ...{ customer, subscription: null, expires_at: clock + 86_400, success_url: String(form.success_url) },
        ...{ metadata: partOf(form, 'metadata'), form },
      };
      sessions.set(id, session);
      return ok(session);
    },
    'GET /v1/checkout/sessions'(form) {
      const found = [...sessions.values()].filter(
        ({ customer, status }) => customer === form.customer && status === form.status,
      );
      return customers.has(String(form.customer)) ? list(found) : missing();
    },
    'POST /v1/checkout/sessions/:id/expire'(_, id) {
      const session = sessions.get(id);
      if (session?.status !== 'open') return session ? refused() : missing();
      session.status = 'expired';
      return ok(session);
    },
    'GET /v1/subscriptions/:id': (_, id) => (subscriptions.has(id) ? ok(subscriptions.get(id)) : missing()),
    'POST /v1/subscriptions/:id'(form, id) {
      const subscription = subscriptions.get(id);
      if (!subscription) return missing();
      // A schedule is changed in place of what it manages.
      if (subscription.status === 'canceled' || subscription.schedule) return refused();
      if (form.cancel_at_period_end !== undefined && form.cancel_at !== undefined) return refused();
      if (form.cancel_at_period_end === 'false') subscription.cancel_at_period_end = false;
      if (form.cancel_at === '') subscription.cancel_at = null;
      return ok(subscription);
    },
    'POST /v1/subscription_schedules/:id/release'(_, id) {
      const subscription = [...subscriptions.values()].find(({ schedule }) => schedule?.id === id);
      if (!subscription) return missing();
      subscription.schedule = null;
      return ok({ id, object: 'subscription_schedule', status: 'released' });
    },
    ...portal.calls,
  };

  function act({ method, path, form }: Asked): Answer {
    const [id = ''] = path.match(/(?<=\/)(cs|cus|price|sub)_\w+/) ?? [];
    const name = id ? path.replace(id, ':id') : path;
    return calls[`${method} ${name}`]?.(form, id) ?? fault(404, 'invalid_request_error', 'unknown_call');
  }

  /** Under a key that was used, the same answer again; with other parameters none. */
  function once(request: Asked): Answer {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return failing === 'faulty' ? fault(500, 'api_error') : act(request);
    const same = JSON.stringify([request.method, request.path, request.form]);
    const before = answered.get(key);
    if (before && before.request !== same) return fault(400, 'idempotency_error');
    const answer = before?.answer ?? (failing === 'faulty' ? fault(500, 'api_error') : act(request));
    answered.set(key, { request: same, answer: structuredClone(answer) });
    return answer;
  }

  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const [path = '', query = ''] = url.split('?');
    const form = readForm(query || (await text(request)));
    asked.push({ method, path, form, headers });
    if (failing === 'away') return request.socket.destroy();
    const known = headers.authorization === `Bearer ${secretKey}`;
    const { status, body } = known ? once({ method, path, form, headers }) : fault(401, 'invalid_request_error');
    const answer = JSON.stringify(body);
    if (between?.call === `${method} ${path}`) {
      const { act: first } = between;
      between = undefined;
      await first();
    }
    // The work is done, and nobody hears of it.
    if (failing === 'late' && method === 'POST') return request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
    asked,
    prices,
    customers,
    sessions,
    subscriptions,
    portal,
    /** `away` breaks off, `faulty` fails, `late` does what it is asked to and breaks off, `no` answers again. */
    fail(how: typeof failing): void {
      failing = how;
    },
    /** What happens before the next answer to a call such as `POST /v1/customers`. */
    atNext<T>(call: string, act: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        between = { call, act: () => act().then(resolve, reject) };
      });
    },
    /** Somebody pays on Stripe's page. */
    pay(sessionId: string): { session: Session; subscription: Subscription } {
      const session = sessions.get(sessionId);
      const price = prices.get(textOf(partOf(session?.form ?? {}, 'line_items', '0'), 'price') ?? '');
      if (session?.status !== 'open' || !price || customers.get(session.customer ?? '')?.isDeleted)
        throw new Error('This checkout is not open.');
      clock += 1;
      const subscription: Subscription = {
        ...{ id: newId('sub'), object: 'subscription', created: clock, status: 'active' },
        ...{ cancel_at: null, cancel_at_period_end: false, schedule: null },
        customer: session.customer ?? newId('cus'),
        metadata: { ...(partOf(session.form, 'subscription_data', 'metadata') as Record<string, string>) },
        items: { data: [{ id: newId('si'), current_period_end: clock + month, price }] },
      };
      Object.assign(session, { status: 'complete', subscription: subscription.id, customer: subscription.customer });
      subscriptions.set(subscription.id, subscription);
      return { session, subscription };
    },
    /** The period of a subscription ends. */
    renew(subscription: Subscription): void {
      if (subscription.cancel_at !== null || subscription.cancel_at_period_end) subscription.status = 'canceled';
      for (const item of subscription.items.data) {
        const next = subscription.schedule?.phases.find(({ start_date }) => start_date >= item.current_period_end);
        item.price = prices.get(next?.items[0]?.price ?? '') ?? item.price;
        item.current_period_end += month;
      }
      subscription.schedule = null;
    },
  };
}
