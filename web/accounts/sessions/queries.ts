import { queryOptions } from '@tanstack/react-query';
import { getAccount } from '#shared/accounts/account-settings.ts';
import { listSessions } from '#shared/accounts/sessions.ts';
import { call } from '../../platform/api.ts';

/** The settings of the signed-in user's account. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => call(getAccount, { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call(listSessions, { signal }),
  staleTime: 0,
});
