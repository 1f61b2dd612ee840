import {
  type Answer,
  type Customer,
  type Form,
  list,
  missing,
  month,
  newId,
  ok,
  type Price,
  partOf,
  refused,
  type Subscription,
  textOf,
} from './stripe-protocol.fixtures.ts';

interface PortalSession {
  url: string;
  configuration: Form;
  /** Empty where the portal opens on its front page. */
  flow: Form;
  return_url: string;
}

interface Stored {
  prices: Map<string, Price>;
  customers: Map<string, Customer>;
  subscriptions: Map<string, Subscription>;
}

/** The customer portal at Stripe, and what people do there. */
export function openPortal({ prices, customers, subscriptions }: Stored) {
  const configurations = new Map<string, Form>();
  const sessions = new Map<string, PortalSession>();

  const calls: Record<string, (form: Form) => Answer> = {
    'GET /v1/billing_portal/configurations': () =>
      list([...configurations].map(([id, form]) => ({ id, metadata: partOf(form, 'metadata') }))),
    'POST /v1/billing_portal/configurations'(form) {
      const update = partOf(form, 'features', 'subscription_update');
      const products = Object.values(partOf(update, 'products')) as Form[];
      const areKnown = products.every((product) =>
        Object.values(partOf(product, 'prices')).every((id) => prices.get(String(id))?.product === product.product),
      );
      // A change may need another card.
      if (!areKnown || partOf(form, 'features', 'payment_method_update').enabled !== 'true') return refused();
      const id = newId('bpc');
      configurations.set(id, form);
      return ok({ id, object: 'billing_portal.configuration', metadata: partOf(form, 'metadata') });
    },
    'POST /v1/billing_portal/sessions'(form) {
      const customer = textOf(form, 'customer') ?? '';
      const configuration = configurations.get(textOf(form, 'configuration') ?? '');
      if (!configuration || (customers.get(customer)?.isDeleted ?? true)) return missing();
      const flow = partOf(form, 'flow_data');
      if (Object.keys(flow).length > 0 && !isPossible(flow, configuration, customer)) return refused();
      const id = newId('bps');
      const url = `https://billing.stripe.com/p/session/${id}`;
      sessions.set(url, { url, configuration, flow, return_url: String(form.return_url) });
      return ok({ id, object: 'billing_portal.session', url });
    },
  };

  /** Stripe refuses what changes nothing, and another change of what is to end or to become another plan. */
  function isPossible(flow: Form, configuration: Form, customer: string): boolean {
    const { subscription, price } = changeOf(flow);
    if (subscription?.customer !== customer || subscription.status !== 'active') return false;
    if (subscription.schedule || subscription.cancel_at !== null || subscription.cancel_at_period_end) return false;
    if (flow.type === 'subscription_cancel') return true;
    const item = partOf(flow, 'subscription_update_confirm', 'items', '0');
    const products = Object.values(partOf(configuration, 'features', 'subscription_update', 'products')) as Form[];
    const allowed = products.flatMap((product) => Object.values(partOf(product, 'prices')));
    const [current] = subscription.items.data;
    return item.id === current?.id && price !== undefined && price !== current?.price && allowed.includes(price.id);
  }

  function changeOf(flow: Form) {
    const change = partOf(flow, String(flow.type));
    return {
      subscription: subscriptions.get(textOf(change, 'subscription') ?? ''),
      price: prices.get(textOf(partOf(change, 'items', '0'), 'price') ?? ''),
    };
  }

  return {
    calls,
    sessions,
    configurations,
    /** Somebody confirms what the portal opened with. @returns where it leads to, and what changed */
    confirm(url: string): { url: string; subscription: Subscription } {
      const session = sessions.get(url);
      const { subscription, price } = changeOf(session?.flow ?? {});
      const [item] = subscription?.items.data ?? [];
      if (!session || !subscription || !item) throw new Error('There is nothing to confirm.');
      const update = partOf(session.configuration, 'features', 'subscription_update');
      const condition = partOf(update, 'schedule_at_period_end', 'conditions', '0').type;
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
      return { url: String(partOf(session.flow, 'after_completion', 'redirect').return_url), subscription };
    },
  };
}
