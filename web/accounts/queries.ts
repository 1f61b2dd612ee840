import { queryOptions } from '@tanstack/react-query';
import { getAccount } from '#shared/accounts.ts';
import { listApiKeys } from '#shared/api-keys.ts';
import { readNewsSubscription } from '#shared/newsletter.ts';
import { listProfiles } from '#shared/profiles.ts';
import { listSessions } from '#shared/sessions.ts';
import { readSubscription } from '#shared/subscriptions.ts';
import { call } from '../lib/api.ts';
import { subscriptionKey } from '../lib/subscription-key.ts';

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

/** The person's websites, under the key that the risk assessment uses too: what it adds or deletes is seen here. */
export const websitesQuery = queryOptions({
  queryKey: ['profiles'],
  queryFn: ({ signal }) => call(listProfiles, { signal }),
  staleTime: 5000,
  // Not while there is only an error to show: it would give way to the skeleton each time.
  refetchInterval: ({ state }) => (state.data ? 10_000 : false),
});

export const apiKeysQuery = (userId: number) =>
  queryOptions({
    queryKey: ['api-keys', userId],
    queryFn: ({ signal }) => call(listApiKeys, { params: { userId }, signal }),
    staleTime: 0,
  });
