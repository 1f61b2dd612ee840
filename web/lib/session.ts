import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { currentUser, type User } from '#shared/accounts.ts';
import { ApiError, call } from './api.ts';
import { pageState } from './page-state.ts';

export const sessionKey = ['session'];

/** Who is signed in: a user, or null for nobody. Any failure but a 401 is an error. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  // The server saw no session: there is nobody to ask about.
  initialData: () => (pageState().signedOut ? null : undefined),
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await call(currentUser, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export type Session =
  | { state: 'loading'; user: undefined }
  | { state: 'failed'; user: undefined; error: Error; retry: () => void }
  | { state: 'nobody'; user: undefined }
  | { state: 'user'; user: User };

/** The session as a screen sees it. */
export function useSession(): Session {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (data) return { state: 'user', user: data };
  if (data === null) return { state: 'nobody', user: undefined };
  if (error) return { state: 'failed', user: undefined, error, retry: () => void refetch() };
  return { state: 'loading', user: undefined };
}

/**
 * The person behind a guarded screen; when the session ends still the same, for the moment until the guard takes the screen away.
 * Throws where nobody was signed in, which a guarded screen never sees.
 */
export function useUser(): User {
  const session = useSession();
  const last = useRef(session.user);
  last.current = session.user ?? last.current;
  const user = last.current;
  if (!user) throw new Error('This screen needs a signed-in user.');
  return user;
}

/** Takes over a new session, or its end with null. What was loaded for the person before is forgotten. */
export function setSession(queryClient: QueryClient, user: User | null): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
  queryClient.setQueryData(sessionKey, user);
}
