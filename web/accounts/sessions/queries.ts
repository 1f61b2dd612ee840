import { getAccount } from '#shared/accounts/account-settings.ts';
import { listSessions } from '#shared/accounts/sessions.ts';
import { endpointQuery } from '../../platform/endpoint-query.ts';

/** The settings of the signed-in user's account. */
export const accountQuery = endpointQuery(['account'], getAccount, {});

export const sessionsQuery = endpointQuery(['sessions'], listSessions, { staleTime: 0 });
