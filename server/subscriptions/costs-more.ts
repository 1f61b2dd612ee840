import { type Tier, tiers } from '#shared/subscriptions.ts';

/** Whether `tier` stands above the other. */
export const costsMore = (tier: Tier, other: Tier) => tiers.indexOf(tier) > tiers.indexOf(other);
