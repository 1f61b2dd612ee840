import {
  badRequestResponse,
  type Customer,
  type Form,
  getForm,
  getText,
  listResponse,
  month,
  newId,
  notFoundResponse,
  okResponse,
  type Price,
  type StripeResponse,
  type Subscription,
} from './stripe-protocol.fixtures.ts';

interface PortalSession {
  url: string;
  configuration: Form;
  /** Empty if the portal opens on its home page. */
  flow: Form;
  return_url: string;
}

interface Stored {
  prices: Map<string, Price>;
  customers: Map<string, Customer>;
  subscriptions: Map<string, Subscription>;
}

/** Creates the handlers of Stripe's customer portal, and `confirm` for what users do there. */
export function createPortal({ prices, customers, subscriptions }: Stored) {
  const configurations = new Map<string, Form>();
  const sessions = new Map<string, PortalSession>();

  const calls: Record<string, (form: Form) => StripeResponse> = {
    'GET /v1/billing_portal/configurations': () =>
      listResponse([...configurations].map(([id, form]) => ({ id, metadata: getForm(form, 'metadata') }))),
    'POST /v1/billing_portal/configurations'(form) {
      const update = getForm(form, 'features', 'subscription_update');
      const products = Object.values(getForm(update, 'products')) as Form[];
      const areKnown = products.every((product) =>
        Object.values(getForm(product, 'prices')).every((id) => prices.get(String(id))?.product === product.product),
      );
      // A change may require another card.
      if (!areKnown || getForm(form, 'features', 'payment_method_update').enabled !== 'true')
        return badRequestResponse();
      const id = newId('bpc');
      configurations.set(id, form);
      return okResponse({ id, object: 'billing_portal.configuration', metadata: getForm(form, 'metadata') });
    },
    'POST /v1/billing_portal/sessions'(form) {
      const customer = getText(form, 'customer') ?? '';
      const configuration = configurations.get(getText(form, 'configuration') ?? '');
      if (!configuration || (customers.get(customer)?.isDeleted ?? true)) return notFoundResponse();
      const flow = getForm(form, 'flow_data');
      if (Object.keys(flow).length > 0 && !isPossible(flow, configuration, customer)) return badRequestResponse();
      const id = newId('bps');
      const url = `https://billing.stripe.com/p/session/${id}`;
      sessions.set(url, { url, configuration, flow, return_url: String(form.return_url) });
      return okResponse({ id, object: 'billing_portal.session', url });
    },
  };

  /** Stripe rejects a change to the same plan, and any change of a subscription with a scheduled change. */
  function isPossible(flow: Form, configuration: Form, customer: string): boolean {
    const { subscription, price } = getChange(flow);
    if (subscription?.customer !== customer || subscription.status !== 'active') return false;
    if (subscription.schedule || subscription.cancel_at !== null || subscription.cancel_at_period_end) return false;
    if (flow.type === 'subscription_cancel') return true;
    const item = getForm(flow, 'subscription_update_confirm', 'items', '0');
    const products = Object.values(getForm(configuration, 'features', 'subscription_update', 'products')) as Form[];
    const allowed = products.flatMap((product) => Object.values(getForm(product, 'prices')));
    const [current] = subscription.items.data;
    return item.id === current?.id && price !== undefined && price !== current?.price && allowed.includes(price.id);
  }

  function getChange(flow: Form) {
    const change = getForm(flow, String(flow.type));
    return {
      subscription: subscriptions.get(getText(change, 'subscription') ?? ''),
      price: prices.get(getText(getForm(change, 'items', '0'), 'price') ?? ''),
    };
  }

  return {
    calls,
    sessions,
    configurations,
    /**
     * Confirms the change of a portal session.
     * @returns the URL that the portal redirects to, and the changed subscription
     */
    confirm(url: string): { url: string; subscription: Subscription } {
      const session = sessions.get(url);
      const { subscription, price } = getChange(session?.flow ?? {});
      const [item] = subscription?.items.data ?? [];
      if (!session || !subscription || !item) throw new Error('The portal session has no change to confirm.');
      const update = getForm(session.configuration, 'features', 'subscription_update');
      const condition = getForm(update, 'schedule_at_period_end', 'conditions', '0').type;
      if (!price) subscription.cancel_at = item.current_period_end;
      else if (price.unit_amount < item.price.unit_amount && condition === 'decreasing_item_amount') {
        const end = item.current_period_end;
        const phase = (start_date: number, id: string) => ({
          ...{ start_date, end_date: start_date + month },
          items: [{ price: id, quantity: 1 }],
        });
        const phases = [phase(end - month, item.price.id), phase(end, price.id)];
        subscription.schedule = { id: newId('sub_sched'), object: 'subscription_schedule', phases };
      } else item.price = price;
      return { url: String(getForm(session.flow, 'after_completion', 'redirect').return_url), subscription };
    },
  };
}
