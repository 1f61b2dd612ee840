import type { PaidTier, Subscription, Tier } from '#shared/accounts/subscriptions.ts';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    subscriptions: SubscriptionsTable;
    stripe_customers: StripeCustomersTable;
  }
}

export interface SubscriptionsTable {
  user_id: number;
  provider: 'simulated' | 'stripe';
  tier: PaidTier;
  status: Subscription['status'];
  next_tier: Tier | null;
  period_ends_at: Date;
  started_at: Date;
  customer_id: string | null;
  subscription_id: string | null;
}

export interface StripeCustomersTable {
  customer_id: string;
  user_id: number | null;
  session_id: string | null;
}
