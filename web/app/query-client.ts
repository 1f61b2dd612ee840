import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api.ts';
import { sessionKey } from '../lib/session.ts';

/** The site's cache of server answers. A 401 from any call means that the session has ended, and the guard takes over. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: endSession }),
    mutationCache: new MutationCache({ onError: endSession }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
      mutations: { retry: false },
    },
  });

  function endSession(error: Error): void {
    // A refused sign-in is a 401 too, but there is no session to end then.
    const signedIn = client.getQueryData(sessionKey);
    if (signedIn && error instanceof ApiError && error.status === 401) client.setQueryData(sessionKey, null);
  }

  return client;
}
