import { readSubscription } from '#shared/accounts/subscriptions.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** The user's subscription, or null. */
export const subscriptionQuery = endpointQuery(['subscription'], readSubscription, {
  // A payment changes it on the server.
  staleTime: 0,
});
