import type Stripe from 'stripe';
import { PaidTier, plans, type Tier } from '#shared/accounts/subscriptions.ts';
import type { Context } from '../../context.ts';
import { findOrCreatePrices, getLoggableError, getProductId, getStripeId, isInvalidRequest } from './stripe.ts';

/** Whether a plan costs more per month than another. */
export const costsMore = (tier: Tier, other: Tier) => plans[tier].pricePerMonth > plans[other].pricePerMonth;

/**
 * Creates a session of Stripe's customer portal where the user confirms a change of plan, or with `free` a
 * cancellation. A higher plan is charged at once, minus the rest of the current one. A lower plan and a cancellation
 * take effect after the period.
 * @param subscription the Stripe subscription for the plan `current`
 * @param origin scheme, host and port that the portal redirects back to
 * @returns the URL of the portal, which is valid for a few minutes
 */
export async function createPortalUrl(
  { log }: Pick<Context, 'log'>,
  stripe: Stripe,
  {
    subscription,
    current,
    tier,
    origin,
  }: { subscription: Stripe.Subscription; current: Tier; tier: Tier; origin: string },
): Promise<string> {
  const prices = await findOrCreatePrices(stripe);
  const session = {
    customer: getStripeId(subscription.customer),
    configuration: await findOrCreateConfiguration(stripe, prices),
    return_url: `${origin}/account`,
  };
  const outcome = tier === 'free' ? 'ending' : costsMore(tier, current) ? `success&tier=${tier}` : 'scheduled';
  const flow_data: Stripe.BillingPortal.SessionCreateParams.FlowData = {
    ...(tier === 'free' ? cancelFlow(subscription) : updateFlow(subscription, prices[tier])),
    after_completion: { type: 'redirect', redirect: { return_url: `${origin}/account?subscription=${outcome}` } },
  };
  try {
    return (await stripe.billingPortal.sessions.create({ ...session, flow_data })).url;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    // Stripe offers no direct flow for this change, for example if another one is scheduled. The home page lists what
    // is possible.
    log.info(getLoggableError(error), 'the customer portal opens on its home page');
    return (await stripe.billingPortal.sessions.create(session)).url;
  }
}

const cancelFlow = ({ id }: Stripe.Subscription) =>
  ({ type: 'subscription_cancel', subscription_cancel: { subscription: id } }) as const;

const updateFlow = ({ id, items }: Stripe.Subscription, price: string) =>
  ({
    type: 'subscription_update_confirm',
    subscription_update_confirm: {
      subscription: id,
      items: items.data.map((item) => ({ id: item.id, price, quantity: 1 })),
    },
  }) as const;

/** Returns the id of the portal configuration for these prices, which is found by its metadata. */
async function findOrCreateConfiguration(stripe: Stripe, prices: Record<PaidTier, string>): Promise<string> {
  const key = Object.values(prices).join(' ');
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const found = data.find(({ metadata }) => metadata?.linksieve === key);
  if (found) return found.id;
  const { id } = await stripe.billingPortal.configurations.create({
    metadata: { linksieve: key },
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: PaidTier.options.map((tier) => ({ product: getProductId(tier), prices: [prices[tier]] })),
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
      },
    },
  });
  return id;
}
