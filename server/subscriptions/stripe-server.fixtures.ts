import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Form, partOf, readForm, textOf } from './form.fixtures.ts';
import { type Answer, done, fault, missing, newId } from './stripe-answers.fixtures.ts';
import { openTill } from './stripe-money.fixtures.ts';

/** As much of a subscription as is looked at. */
export interface Subscription {
  id: string;
  object: 'subscription';
  created: number;
  customer: string;
  latest_invoice: string;
  status: string;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  metadata: Record<string, string>;
  items: { data: { id: string; current_period_end: number; price: { unit_amount: number; product: string } }[] };
}

export interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  url: string;
  customer: string | null;
  subscription: string | null;
  form: Form;
}

export interface Asked {
  method: string;
  path: string;
  form: Form;
  headers: IncomingMessage['headers'];
}

export const secretKey = 'sk_test_51Fixture';

const month = 30 * 86_400;

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
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const customers = new Map<string, Form>();
  const products = new Set<string>();
  const till = openTill();
  const answered = new Map<string, { request: string; answer: Answer }>();
  /** Keys whose first request is not answered yet. */
  const atWork = new Set<string>();
  const asked: Asked[] = [];
  /** What it does in place of an answer. */
  let failing: 'no' | 'away' | 'faulty' | 'late' | 'slow' = 'no';
  let between: { path: string; act: () => Promise<unknown> } | undefined;
  let clock = Math.floor(Date.now() / 1000);

  function act({ method, path, form }: Asked): Answer {
    const [, , kind = '', id = '', verb] = path.replace('/checkout/', '/').split('/');
    const found = kind === 'sessions' ? sessions.get(id) : subscriptions.get(id);
    const making = method === 'POST' && !id;
    if (making && kind === 'products') return makeProduct(form);
    if (making && kind === 'customers') return makeCustomer(form);
    if (making && kind === 'refunds') return till.refund(form);
    if (making && kind === 'sessions') return begin(form);
    if (method === 'GET' && kind === 'invoice_payments') return till.listPayments(form);
    if (!found) return missing();
    if (method === 'POST' && verb === 'expire') return expire(found as Session);
    const subscription = found as Subscription;
    if (method === 'POST') return update(subscription, form);
    if (method === 'DELETE' && subscription.status === 'canceled') return missing();
    if (method === 'DELETE') cancel(subscription, form);
    return done(subscription);
  }

  function makeProduct(form: Form): Answer {
    const id = textOf(form, 'id') ?? newId('prod');
    if (products.has(id)) return fault(400, 'invalid_request_error', 'resource_already_exists');
    products.add(id);
    return done({ id, object: 'product', name: form.name });
  }

  function makeCustomer(form: Form): Answer {
    const id = newId('cus');
    customers.set(id, form);
    return done({ id, object: 'customer' });
  }

  function cancel(subscription: Subscription, form: Form): void {
    subscription.status = 'canceled';
    const [item] = subscription.items.data;
    if (!item || form.prorate !== 'true') return;
    const left = Math.min(1, (item.current_period_end - clock) / month);
    till.credit(subscription.customer, Math.round(item.price.unit_amount * left));
  }

  function begin(form: Form): Answer {
    const price = partOf(form, 'line_items', '0', 'price_data');
    const email = textOf(form, 'customer_email');
    const known = textOf(form, 'customer');
    if (form.mode !== 'subscription' || !price.currency || !price.unit_amount || (email && known)) {
      return fault(400, 'invalid_request_error', 'parameter_invalid');
    }
    if (known && !customers.has(known)) return missing();
    const id = newId('cs_test');
    const url = `https://checkout.stripe.com/c/pay/${id}`;
    const session: Session = {
      ...{ id, object: 'checkout.session', status: 'open', url },
      ...{ customer: known, subscription: null, form },
    };
    sessions.set(id, session);
    return done(session);
  }

  function expire(session: Session): Answer {
    if (session.status !== 'open') return fault(400, 'invalid_request_error');
    session.status = 'expired';
    return done(session);
  }

  function update(subscription: Subscription, form: Form): Answer {
    if (subscription.status === 'canceled') return fault(400, 'invalid_request_error');
    if (form.cancel_at_period_end) subscription.cancel_at_period_end = form.cancel_at_period_end === 'true';
    for (const [name, value] of Object.entries(partOf(form, 'metadata'))) {
      if (value === '') delete subscription.metadata[name];
      else subscription.metadata[name] = String(value);
    }
    const price = partOf(form, 'items', '0', 'price_data');
    const [item] = subscription.items.data;
    if (item && price.unit_amount) {
      if (textOf(partOf(form, 'items', '0'), 'id') !== item.id || form.proration_behavior !== 'none') {
        return fault(400, 'invalid_request_error', 'parameter_invalid');
      }
      item.price = { unit_amount: Number(price.unit_amount), product: String(price.product) };
    }
    return done(subscription);
  }

  /** Under a key that was used, the same answer again; with other parameters none. */
  function once(request: Asked): Answer {
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') return act(request);
    const same = JSON.stringify([request.method, request.path, request.form]);
    if (atWork.has(key)) return fault(409, 'idempotency_error', 'idempotency_key_in_use');
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
    const key = String(headers['idempotency-key']);
    const isBusy = atWork.has(key);
    const { status, body } = known ? once({ method, path, form, headers }) : fault(401, 'invalid_request_error');
    if (failing === 'slow' && method === 'POST') atWork.add(key);
    if (between?.path === path) {
      const { act: first } = between;
      between = undefined;
      await first();
    }
    // The work is done, and nobody hears of it.
    if (failing === 'late' || (failing === 'slow' && method === 'POST' && !isBusy)) return request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(JSON.stringify(body));
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
    sessions,
    subscriptions,
    customers,
    moneyOf: till.moneyOf,
    /** `slow` breaks off, and says of what it was asked that it is still at work, until it is `no`. */
    fail(how: typeof failing): void {
      failing = how;
      atWork.clear();
    },
    /** What happens before the next request to `path` is answered. */
    atNext<T>(path: string, act: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        between = { path, act: () => act().then(resolve, reject) };
      });
    },
    /** Somebody pays on Stripe's page. */
    pay(sessionId: string): { session: Session; subscription: Subscription } {
      const session = sessions.get(sessionId);
      if (session?.status !== 'open') throw new Error('This checkout is not open.');
      const price = partOf(session.form, 'line_items', '0', 'price_data');
      clock += 1;
      const customer = session.customer ?? newId('cus');
      const item = {
        id: newId('si'),
        current_period_end: clock + month,
        price: { unit_amount: Number(price.unit_amount), product: newId('prod') },
      };
      const subscription: Subscription = {
        ...{ id: newId('sub'), object: 'subscription', created: clock, status: 'active' },
        ...{ cancel_at: null, cancel_at_period_end: false },
        customer,
        latest_invoice: till.charge(customer, Number(price.unit_amount), clock),
        metadata: { ...(partOf(session.form, 'subscription_data', 'metadata') as Record<string, string>) },
        items: { data: [item] },
      };
      Object.assign(session, { status: 'complete', subscription: subscription.id, customer: subscription.customer });
      subscriptions.set(subscription.id, subscription);
      return { session, subscription };
    },
    /** A month later, which was paid. */
    renew(subscription: Subscription): void {
      for (const item of subscription.items.data) {
        item.current_period_end += month;
        subscription.latest_invoice = till.charge(subscription.customer, item.price.unit_amount, clock);
      }
    },
    /** As though it had been paid and begun so many days before. */
    age(subscription: Subscription, days: number): void {
      subscription.created -= days * 86_400;
      for (const item of subscription.items.data) item.current_period_end -= days * 86_400;
      till.age(subscription.latest_invoice, days);
    },
  };
}
