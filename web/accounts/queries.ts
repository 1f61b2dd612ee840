import { queryOptions } from '@tanstack/react-query';
import { getAccount } from '#shared/accounts.ts';
import { listApiKeys } from '#shared/api-keys.ts';
import { readNewsSubscription } from '#shared/newsletter.ts';
import { listSessions } from '#shared/sessions.ts';
import { readSubscription } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { profilesQuery } from '../profiles/profiles.ts';
import { subscriptionKey } from '../subscriptions/subscriptions.ts';

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call(getAccount, { signal }),
});

/** What the person pays for; null for nearly everybody. */
export const subscriptionQuery = queryOptions({
  queryKey: subscriptionKey,
  queryFn: ({ signal }) => call(readSubscription, { signal }),
  // A payment is settled behind this one's back.
  staleTime: 0,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
  staleTime: 0,
});

export const newsQuery = queryOptions({
  queryKey: ['newsletter'],
  queryFn: ({ signal }) => call(readNewsSubscription, { signal }),
  // A sign-in subscribes behind this one's back.
  staleTime: 0,
});

/** The person's websites, asked for again every ten seconds: an analysis under way changes them. */
export const websitesQuery = queryOptions({
  ...profilesQuery,
  // Not while there is only an error to show: it would give way to the skeleton each time.
  refetchInterval: ({ state }) => (state.data ? 10_000 : false),
});

export const apiKeysQuery = (userId: number) =>
  queryOptions({
    queryKey: ['api-keys', userId],
    queryFn: ({ signal }) => call(listApiKeys, { params: { userId }, signal }),
    staleTime: 0,
  });
