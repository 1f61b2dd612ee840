import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createPortal } from './stripe-portal.fixtures.ts';
import {
  badRequestResponse,
  type Customer,
  errorResponse,
  type Form,
  getForm,
  getText,
  listResponse,
  month,
  newId,
  notFoundResponse,
  okResponse,
  type Price,
  parseForm,
  type StripeResponse,
  type Subscription,
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

export interface StripeRequest {
  method: string;
  path: string;
  form: Form;
  headers: IncomingMessage['headers'];
}

export const secretKey = 'sk_test_51Fixture';

/** Starts a test Stripe server that stops after the tests of a file. */
export async function startTestStripe() {
  // Imported here, because browser tests also use this file and cannot load Vitest.
  const { afterAll } = await import('vitest');
  const server = await startStripeServer();
  afterAll(server.close);
  return server;
}

/**
 * Starts a local server that implements the part of Stripe's API that the product uses. It keeps its state in memory.
 */
export async function startStripeServer() {
  const products = new Set<string>();
  const prices = new Map<string, Price>();
  const customers = new Map<string, Customer>();
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const portal = createPortal({ prices, customers, subscriptions });
  const responses = new Map<string, { request: string; response: StripeResponse }>();
  const requests: StripeRequest[] = [];
  let failure: 'none' | 'offline' | 'error' | 'lostResponse' = 'none';
  let hook: { call: string; run: () => Promise<unknown> } | undefined;
  let clock = Math.floor(Date.now() / 1000);

  const calls: Record<string, (form: Form, id: string) => StripeResponse> = {
    'POST /v1/products'(form) {
      const id = getText(form, 'id') ?? newId('prod');
      if (products.has(id)) return errorResponse(400, 'invalid_request_error', 'resource_already_exists');
      products.add(id);
      return okResponse({ id, object: 'product', name: form.name });
    },
    'GET /v1/prices'(form) {
      const keys = Object.values(getForm(form, 'lookup_keys'));
      return listResponse([...prices.values()].filter(({ lookup_key }) => keys.includes(lookup_key ?? '')));
    },
    'POST /v1/prices'(form) {
      const [product, key] = [getText(form, 'product') ?? '', getText(form, 'lookup_key')];
      const isMonthly = getForm(form, 'recurring').interval === 'month' && form.currency === 'usd';
      if (!products.has(product) || !isMonthly) return badRequestResponse();
      const before = [...prices.values()].find(({ lookup_key }) => key !== null && lookup_key === key);
      if (before && form.transfer_lookup_key !== 'true') return badRequestResponse();
      if (before) before.lookup_key = null;
      const price: Price = {
        ...{ id: newId('price'), object: 'price', product, lookup_key: key },
        unit_amount: Number(form.unit_amount),
      };
      prices.set(price.id, price);
      return okResponse(price);
    },
    'GET /v1/prices/:id': (_, id) => (prices.has(id) ? okResponse(prices.get(id)) : notFoundResponse()),
    'POST /v1/customers'(form) {
      const id = newId('cus');
      customers.set(id, { form, isDeleted: false });
      return okResponse({ id, object: 'customer' });
    },
    'GET /v1/customers/:id'(form, id) {
      const customer = customers.get(id);
      if (!customer) return notFoundResponse();
      if (customer.isDeleted) return okResponse({ id, object: 'customer', deleted: true });
      const expanded = Object.values(getForm(form, 'expand'));
      if (!expanded.includes('subscriptions.data.schedule')) return okResponse({ id, object: 'customer' });
      const running = [...subscriptions.values()].filter(
        ({ customer, status }) => customer === id && status !== 'canceled',
      );
      return okResponse({ id, object: 'customer', subscriptions: listResponse(running).body });
    },
    'DELETE /v1/customers/:id'(_, id) {
      const customer = customers.get(id);
      if (!customer || customer.isDeleted) return notFoundResponse();
      customer.isDeleted = true;
      for (const subscription of subscriptions.values()) {
        if (subscription.customer === id) subscription.status = 'canceled';
      }
      return okResponse({ id, object: 'customer', deleted: true });
    },
    'POST /v1/checkout/sessions'(form) {
      const [email, customer] = [getText(form, 'customer_email'), getText(form, 'customer')];
      const price = getText(getForm(form, 'line_items', '0'), 'price');
      if (form.mode !== 'subscription' || !prices.has(price ?? '') || (email && customer)) return badRequestResponse();
      if (customer && (customers.get(customer)?.isDeleted ?? true)) return notFoundResponse();
      const id = newId('cs_test');
      const session: Session = {
        ...{ id, object: 'checkout.session', status: 'open', url: `https://checkout.stripe.com/c/pay/${id}` },
        ...{ customer, subscription: null, expires_at: clock + 86_400, success_url: String(form.success_url) },
        ...{ metadata: getForm(form, 'metadata'), form },
      };
      sessions.set(id, session);
      return okResponse(session);
    },
    'GET /v1/checkout/sessions'(form) {
      const found = [...sessions.values()].filter(
        ({ customer, status }) => customer === form.customer && status === form.status,
      );
      return customers.has(String(form.customer)) ? listResponse(found) : notFoundResponse();
    },
    'POST /v1/checkout/sessions/:id/expire'(_, id) {
      const session = sessions.get(id);
      if (session?.status !== 'open') return session ? badRequestResponse() : notFoundResponse();
      session.status = 'expired';
      return okResponse(session);
    },
    'GET /v1/subscriptions/:id': (_, id) =>
      subscriptions.has(id) ? okResponse(subscriptions.get(id)) : notFoundResponse(),
    'POST /v1/subscriptions/:id'(form, id) {
      const subscription = subscriptions.get(id);
      if (!subscription) return notFoundResponse();
      // Stripe rejects direct changes of a subscription that a schedule manages.
      if (subscription.status === 'canceled' || subscription.schedule) return badRequestResponse();
      if (form.cancel_at_period_end !== undefined && form.cancel_at !== undefined) return badRequestResponse();
      if (form.cancel_at_period_end === 'false') subscription.cancel_at_period_end = false;
      if (form.cancel_at === '') subscription.cancel_at = null;
      return okResponse(subscription);
    },
    'POST /v1/subscription_schedules/:id/release'(_, id) {
      const subscription = [...subscriptions.values()].find(({ schedule }) => schedule?.id === id);
      if (!subscription) return notFoundResponse();
      subscription.schedule = null;
      return okResponse({ id, object: 'subscription_schedule', status: 'released' });
    },
    ...portal.calls,
  };

  function handle({ method, path, form }: StripeRequest): StripeResponse {
    const [id = ''] = path.match(/(?<=\/)(cs|cus|price|sub)_\w+/) ?? [];
    const name = id ? path.replace(id, ':id') : path;
    return calls[`${method} ${name}`]?.(form, id) ?? errorResponse(404, 'invalid_request_error', 'unknown_call');
  }

  /** Repeats the response for an idempotency key that was used before, or fails if the parameters differ. */
  function handleOnce(request: StripeRequest): StripeResponse {
    const key = request.headers['idempotency-key'];
    const respond = () => (failure === 'error' ? errorResponse(500, 'api_error') : handle(request));
    if (typeof key !== 'string') return respond();
    const parameters = JSON.stringify([request.method, request.path, request.form]);
    const earlier = responses.get(key);
    if (earlier && earlier.request !== parameters) return errorResponse(400, 'idempotency_error');
    const response = earlier?.response ?? respond();
    responses.set(key, { request: parameters, response: structuredClone(response) });
    return response;
  }

  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const [path = '', query = ''] = url.split('?');
    const form = parseForm(query || (await text(request)));
    requests.push({ method, path, form, headers });
    if (failure === 'offline') return request.socket.destroy();
    const isAuthorized = headers.authorization === `Bearer ${secretKey}`;
    const { status, body } = isAuthorized
      ? handleOnce({ method, path, form, headers })
      : errorResponse(401, 'invalid_request_error');
    const payload = JSON.stringify(body);
    if (hook?.call === `${method} ${path}`) {
      const { run } = hook;
      hook = undefined;
      await run();
    }
    // The request was processed, but the client receives no response.
    if (failure === 'lostResponse' && method === 'POST') return request.socket.destroy();
    response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    response.end(payload);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
    requests,
    prices,
    customers,
    sessions,
    subscriptions,
    portal,
    /**
     * `offline`: connections break. `error`: requests return 500. `lostResponse`: POST requests are processed, but
     * their connection breaks. `none`: requests work again.
     */
    setFailure(next: typeof failure): void {
      failure = next;
    },
    /** Runs `work` before the next response to a call such as `POST /v1/customers`. @returns the result of `work` */
    beforeNextResponse<T>(call: string, work: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        hook = { call, run: () => work().then(resolve, reject) };
      });
    },
    /** Pays a checkout on Stripe's page. */
    pay(sessionId: string): { session: Session; subscription: Subscription } {
      const session = sessions.get(sessionId);
      const price = prices.get(getText(getForm(session?.form ?? {}, 'line_items', '0'), 'price') ?? '');
      if (session?.status !== 'open' || !price || customers.get(session.customer ?? '')?.isDeleted)
        throw new Error('This checkout is not open.');
      clock += 1;
      const subscription: Subscription = {
        ...{ id: newId('sub'), object: 'subscription', created: clock, status: 'active' },
        ...{ cancel_at: null, cancel_at_period_end: false, schedule: null },
        customer: session.customer ?? newId('cus'),
        metadata: { ...(getForm(session.form, 'subscription_data', 'metadata') as Record<string, string>) },
        items: { data: [{ id: newId('si'), current_period_end: clock + month, price }] },
      };
      Object.assign(session, { status: 'complete', subscription: subscription.id, customer: subscription.customer });
      subscriptions.set(subscription.id, subscription);
      return { session, subscription };
    },
    /** Ends the current period of a subscription. */
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
