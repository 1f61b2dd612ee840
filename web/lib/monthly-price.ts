import type { Plan } from '#shared/subscriptions.ts';

/** '$19/month'. */
export function monthlyPrice({ pricePerMonth }: Plan): string {
  return `$${pricePerMonth}/month`;
}
