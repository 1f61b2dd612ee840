import { queryOptions } from '@tanstack/react-query';
import { listMyAccountEvents } from '#shared/accounts/account-events.ts';
import { listApiKeys } from '#shared/accounts/api-keys.ts';
import { getMyNewsletterStatus } from '#shared/accounts/newsletter.ts';
import { getAccessRequest } from '#shared/accounts/oauth.ts';
import { getAccountAccess } from '#shared/operations/account-access.ts';
import { getAlertFeed } from '#shared/reports/alert-feed.ts';
import { endpointQuery, paged } from '../../platform/endpoint-query.ts';
import { websitesQuery } from '../../reports/websites/websites.ts';

export const accessQuery = endpointQuery(['account-access'], getAccountAccess, { staleTime: 0 });

/** @param page from 0 */
export const accountEventsQuery = (page: number) =>
  endpointQuery(['account-events', page], listMyAccountEvents, { query: { page }, ...paged });

export const newsQuery = endpointQuery(['newsletter'], getMyNewsletterStatus, {
  // A sign-in with Google changes it on the server.
  staleTime: 0,
});

/** The user's websites, reloaded every ten seconds because a running analysis changes them. */
export const polledWebsitesQuery = queryOptions({
  ...websitesQuery,
  // No reload after an error: each one would replace the error with the skeleton.
  refetchInterval: ({ state }) => (state.data ? 10_000 : false),
});

/** The secret address of the user's feed of alerts. */
export const alertFeedQuery = endpointQuery(['alert-feed'], getAlertFeed, { staleTime: 0 });

/** The request of an assistant for access. It ends after a few minutes, or when it is answered. */
export const accessRequestQuery = (id: string) =>
  endpointQuery(['access-request', id], getAccessRequest, { params: { id }, staleTime: Number.POSITIVE_INFINITY });

export const apiKeysQuery = (userId: number) =>
  endpointQuery(['api-keys', userId], listApiKeys, { params: { userId }, staleTime: 0 });
