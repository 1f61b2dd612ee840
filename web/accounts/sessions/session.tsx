import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { getCurrentUser, getInitials, logout, type User } from '#shared/accounts/accounts.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { paths, toSitePath } from '../../paths.ts';
import { ApiError, call, logWarning } from '../../platform/api.ts';
import { pageState } from '../../platform/page-state.ts';
import { tryStorage } from '../../platform/storage.ts';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import styles from './session.module.css';

export const sessionKey = ['session'];

/** The signed-in user, or null after a 401. Other errors fail the query. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<User | null> => {
    try {
      return await call(getCurrentUser, { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

type Session =
  | { state: 'loading'; user: undefined }
  | { state: 'failed'; user: undefined; error: Error; retry: () => void }
  | { state: 'visitor'; user: undefined }
  | { state: 'user'; user: User };

/** The current session: still loading, failed to load, a visitor, or a signed-in user. */
export function useSession(): Session {
  const { data, error, refetch } = useQuery(sessionQuery);
  if (data) return { state: 'user', user: data };
  if (data === null) return { state: 'visitor', user: undefined };
  if (error) return { state: 'failed', user: undefined, error, retry: () => void refetch() };
  return { state: 'loading', user: undefined };
}

/**
 * The user of a guarded screen. After the session ends, returns the same user until the guard removes the screen.
 * @throws if the user was never signed in, which does not happen on a guarded screen
 */
export function useUser(): User {
  const session = useSession();
  const last = useRef(session.user);
  last.current = session.user ?? last.current;
  const user = last.current;
  if (!user) throw new Error('This screen needs a signed-in user.');
  return user;
}

/** Sets the signed-in user, or null to end the session. Clears all data loaded for the previous user. */
export function setSession(queryClient: QueryClient, user: User | null): void {
  // public/first-paint.js compares it in pages that the browser restores from its memory.
  tryStorage(() => localStorage.setItem('session-changed', String(Date.now())));
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
  queryClient.setQueryData(sessionKey, user);
}

/** Shows different content to visitors and users. */
export function BySession({ visitor, user }: { visitor: ReactNode; user: ReactNode }) {
  const { state } = useSession();
  return state === 'user' ? user : <span className={styles.place}>{visitor}</span>;
}

const destinationKey = 'redirect-after-login';

/** Saves where to go after signing in, for this tab. Ignores paths that are not screens of this site. */
export function saveDestination(path: string): void {
  if (toSitePath(path)) tryStorage(() => sessionStorage.setItem(destinationKey, path));
}

/** The saved path to go to after signing in, if any. */
export function findDestination(): string | undefined {
  return toSitePath(tryStorage(() => sessionStorage.getItem(destinationKey)));
}

export function clearDestination(): void {
  tryStorage(() => sessionStorage.removeItem(destinationKey));
}

const endingKey = ['ending-session'];

/** Whether the user is ending the session: other calls may get a 401 then, which must not look like an error. */
export const isEndingSession = (queryClient: QueryClient) => queryClient.getQueryData(endingKey) === true;

/**
 * Returns a function that ends the session with a call, signs out of Google and goes to the home page. If the call
 * fails, it throws the error and the session continues.
 */
export function useEndSession(): (end: () => Promise<unknown>) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (end) => {
    queryClient.setQueryData(endingKey, true);
    try {
      await end();
      await signOutOfGoogle();
      // Leave first: a guarded screen would redirect to the sign-in page.
      await navigate({ to: paths.home });
      setSession(queryClient, null);
      clearDestination();
    } finally {
      queryClient.removeQueries({ queryKey: endingKey });
    }
  };
}

export const toastSignedOut = () => toastSuccess('Signed out', 'You have been signed out successfully');

/** Returns a function that signs the user out. */
export function useLogOut(): () => Promise<void> {
  const endSession = useEndSession();
  return async () => {
    try {
      await endSession(() => call(logout, {}));
      toastSignedOut();
    } catch {
      toastError('Sign out failed', 'There was a problem signing you out');
    }
  };
}

/** Loads Google's library. */
export const loadGoogleSdk = () => import('./google-sdk.ts');

/** Signs out of Google in this browser. Loads the library only if the user signed in with Google. */
export async function signOutOfGoogle(): Promise<void> {
  const { google } = pageState();
  if (!google || !hasStoredGoogleUser(google)) return;
  try {
    await (await loadGoogleSdk()).signOutOfFirebase(google);
  } catch (error) {
    // Our session ends even if this fails.
    logWarning('Signing out of Google failed', error);
  }
}

/** Whether Firebase has stored a signed-in user in this browser. It uses this key with `browserLocalPersistence`. */
function hasStoredGoogleUser({ apiKey }: GoogleSettings): boolean {
  const prefix = `firebase:authUser:${apiKey}:`;
  return tryStorage(() => Object.keys(localStorage).some((key) => key.startsWith(prefix))) ?? false;
}

/**
 * Signs the user out if Google has disabled the account or revoked the sign-in. Does nothing for users without Google.
 */
export function useGoogleSessionCheck({ firebaseUid }: User, logOut: () => Promise<void>): void {
  const end = useRef(logOut);
  end.current = logOut;
  useEffect(() => {
    const { google } = pageState();
    if (!firebaseUid || !google || !hasStoredGoogleUser(google)) return;
    let isUnmounted = false;
    loadGoogleSdk()
      .then((sdk) => sdk.isStillSignedIn(google))
      .then(async (isSignedIn) => {
        if (isSignedIn || isUnmounted) return;
        await end.current();
        const description = 'Google has ended this sign-in. Please sign in again.';
        toastError('Signed out', description);
      })
      .catch((error: unknown) => logWarning('Checking the sign-in with Google failed', error));
    return () => {
      isUnmounted = true;
    };
  }, [firebaseUid]);
}

/** The user's picture, or the initials if there is none or it does not load. Fills its parent element. */
export function UserPicture({ user }: { user: User }) {
  const { photoURL } = user;
  const [missing, setMissing] = useState<string>();
  if (!photoURL || photoURL === missing) return <span>{getInitials(user)}</span>;
  // Google refuses to serve profile pictures to requests with a referrer.
  return (
    <img
      src={photoURL}
      alt=""
      referrerPolicy="no-referrer"
      className={styles.picture}
      onError={() => setMissing(photoURL)}
    />
  );
}
