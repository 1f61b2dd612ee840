import type Stripe from 'stripe';
import { type PaidTier, plans } from '#shared/subscriptions.ts';

/** What a month of a plan costs, as Stripe is told. In cents. */
export const priceOf = (tier: PaidTier) =>
  ({
    currency: 'usd',
    unit_amount: plans[tier].pricePerMonth * 100,
    recurring: { interval: 'month' },
  }) satisfies Partial<Stripe.PriceCreateParams>;

/** As it stands on the bill. */
export const productNameOf = (tier: PaidTier) => `Linksieve ${plans[tier].name}`;
