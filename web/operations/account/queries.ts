import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listMyAccountEvents } from '#shared/accounts/account-events.ts';
import { listApiKeys } from '#shared/accounts/api-keys.ts';
import { getMyNewsletterStatus } from '#shared/accounts/newsletter.ts';
import { readSubscription } from '#shared/accounts/subscriptions.ts';
import { getAccountAccess } from '#shared/operations/account-access.ts';
import { getAlertFeed } from '#shared/reports/alert-feed.ts';
import { subscriptionKey } from '../../accounts/subscriptions/subscriptions.ts';
import { call } from '../../platform/api.ts';
import { websitesQuery } from '../../reports/websites/websites.ts';

/** The user's subscription, or null. */
export const subscriptionQuery = queryOptions({
  queryKey: subscriptionKey,
  queryFn: ({ signal }) => call(readSubscription, { signal }),
  // A payment changes it on the server.
  staleTime: 0,
});

export const accessQuery = queryOptions({
  queryKey: ['account-access'],
  queryFn: ({ signal }) => call(getAccountAccess, { signal }),
  staleTime: 0,
});

/** @param page from 0 */
export const accountEventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['account-events', page],
    queryFn: ({ signal }) => call(listMyAccountEvents, { query: { page }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const newsQuery = queryOptions({
  queryKey: ['newsletter'],
  queryFn: ({ signal }) => call(getMyNewsletterStatus, { signal }),
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
export const alertFeedQuery = queryOptions({
  queryKey: ['alert-feed'],
  queryFn: ({ signal }) => call(getAlertFeed, { signal }),
  staleTime: 0,
});

export const apiKeysQuery = (userId: number) =>
  queryOptions({
    queryKey: ['api-keys', userId],
    queryFn: ({ signal }) => call(listApiKeys, { params: { userId }, signal }),
    staleTime: 0,
  });
