import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { currentUser, logout, type User } from '#shared/accounts.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { ApiError, call, warn } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { tryStorage } from '../lib/storage.ts';
import { afterSignIn, ownPath, paths } from '../paths.ts';
import { toastError, toastSuccess } from '../ui/toast.tsx';
import classes from './session.module.css';

export const sessionKey = ['session'];

/** The signed-in user, or null. Fails on any error but a 401. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  // Where the server saw no session, there is nothing to load.
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

type Session =
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
 * The user of a guarded screen. When the session ends, it still returns the same user until the guard removes the screen. Throws where
 * nobody was signed in, which does not happen on a guarded screen.
 */
export function useUser(): User {
  const session = useSession();
  const last = useRef(session.user);
  last.current = session.user ?? last.current;
  const user = last.current;
  if (!user) throw new Error('This screen needs a signed-in user.');
  return user;
}

/** Starts the session of a user, or ends the session with null. Removes what was loaded for the user before. */
export function setSession(queryClient: QueryClient, user: User | null): void {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== sessionKey[0] });
  queryClient.setQueryData(sessionKey, user);
}

/** Different content for visitors and signed-in people. While the session loads, the visitor's content is there but invisible. */
export function BySession({ visitor, user }: { visitor: ReactNode; user: ReactNode }) {
  const { state } = useSession();
  if (state === 'user') return user;
  return (
    <span className={state === 'loading' ? `${classes.place} ${classes.waiting}` : classes.place} data-visitor>
      {visitor}
    </span>
  );
}

const destinationKey = 'redirect-after-login';

/** Remembers for this tab where to go after signing in. Ignores anything but a screen of this site. */
export function rememberDestination(path: string): void {
  if (ownPath(path)) tryStorage(() => sessionStorage.setItem(destinationKey, path));
}

/** Where to go after signing in. */
export function destination(): string {
  return ownPath(tryStorage(() => sessionStorage.getItem(destinationKey))) ?? afterSignIn;
}

export function forgetDestination(): void {
  tryStorage(() => sessionStorage.removeItem(destinationKey));
}

/** Ends the session and goes home. */
export function useLogOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await leaveGoogle();
    try {
      await call(logout, {});
    } catch {
      toastError('Sign out failed', 'There was a problem signing you out');
      return;
    }
    // Leave first: a guarded screen would send the person to sign in again.
    await navigate({ to: paths.home });
    setSession(queryClient, null);
    forgetDestination();
    toastSuccess('Signed out', 'You have been signed out successfully');
  };
}

/** Loads Google's library. */
export const loadGoogle = () => import('./google-sdk.ts');

/** Signs out of Google in this browser. Loads nothing for people who never signed in with Google. */
export async function leaveGoogle(): Promise<void> {
  const { google } = pageState();
  if (!google || !keepsPerson(google)) return;
  try {
    await (await loadGoogle()).leave(google);
  } catch (error) {
    // Our own session ends anyway.
    warn('Signing out of Google failed', error);
  }
}

/** Whether the library keeps a person in this browser, as `browserLocalPersistence` does. */
function keepsPerson({ apiKey }: GoogleSettings): boolean {
  const prefix = `firebase:authUser:${apiKey}:`;
  return tryStorage(() => Object.keys(localStorage).some((key) => key.startsWith(prefix))) ?? false;
}

/** Signs out people whose account at Google was disabled or who withdrew the sign-in there. Loads nothing for others. */
export function useGoogleWatch({ firebaseUid }: User, logOut: () => Promise<void>): void {
  const end = useRef(logOut);
  end.current = logOut;
  useEffect(() => {
    const { google } = pageState();
    if (!firebaseUid || !google || !keepsPerson(google)) return;
    let isOver = false;
    loadGoogle()
      .then((sdk) => sdk.isStillKnown(google))
      .then(async (isKnown) => {
        if (isKnown || isOver) return;
        await end.current();
        const description = 'Google has ended this sign-in. Please sign in again.';
        toastError('Signed out', description);
      })
      .catch((error: unknown) => warn('Asking Google whether the sign-in still counts failed', error));
    return () => {
      isOver = true;
    };
  }, [firebaseUid]);
}

/** The person's picture, or their initials where there is none or it does not load. It fills the round element around it. */
export function PersonPicture({ user }: { user: User }) {
  const { photoURL } = user;
  const [missing, setMissing] = useState<string>();
  if (!photoURL || photoURL === missing) return initialsOf(user);
  // Google refuses its pictures to requests with a referrer.
  return (
    <img
      src={photoURL}
      alt=""
      referrerPolicy="no-referrer"
      className={classes.picture}
      onError={() => setMissing(photoURL)}
    />
  );
}

/** Up to two letters: the initials of the display name, or the first two letters of the email address. */
export function initialsOf({ displayName, email }: Pick<User, 'displayName' | 'email'>): string {
  const words = (displayName ?? '').split(/\s+/).filter(Boolean);
  const letters = words.length > 0 ? words.map((word) => [...word][0]) : [...email];
  return letters.slice(0, 2).join('').toUpperCase();
}
