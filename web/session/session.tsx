import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { currentUser, logout, type User } from '#shared/accounts.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { ApiError, call, warn } from '../lib/api.ts';
import { pageState } from '../lib/page-state.ts';
import { afterSignIn, ownPath, paths } from '../paths.ts';
import { toast } from '../ui/toast.tsx';
import classes from './session.module.css';

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

/** One thing for visitors, another for signed-in people. Until it is known who reads, the visitor's holds the place unseen. */
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

/** Remembers for this tab where to go after signing in; anything but a screen of this site is ignored. */
export function rememberDestination(path: string): void {
  try {
    if (ownPath(path)) sessionStorage.setItem(destinationKey, path);
  } catch {
    // Storage is switched off: the person lands on the usual screen.
  }
}

/** Where to go after signing in. */
export function destination(): string {
  return ownPath(stored()) ?? afterSignIn;
}

/** Forgets where to go, once there. */
export function forgetDestination(): void {
  try {
    sessionStorage.removeItem(destinationKey);
  } catch {
    // Storage is switched off: there is nothing to forget.
  }
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(destinationKey);
  } catch {
    return null;
  }
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
      toast({ title: 'Sign out failed', description: 'There was a problem signing you out', tone: 'destructive' });
      return;
    }
    // Leave first: a guarded screen would send the person to sign in again.
    await navigate({ to: paths.home });
    setSession(queryClient, null);
    forgetDestination();
    toast({ title: 'Signed out', description: 'You have been signed out successfully', tone: 'success' });
  };
}

/** The provider's library, fetched when it is first used. */
export const loadGoogle = () => import('./google-sdk.ts');

/** Ends what the provider keeps of the person in this browser. Nothing is loaded for people who never signed in with Google. */
export async function leaveGoogle(): Promise<void> {
  const { google } = pageState();
  if (!google || !keepsSomebody(google)) return;
  try {
    await (await loadGoogle()).leave(google);
  } catch (error) {
    // The session here ends all the same.
    warn('Signing out of Google failed', error);
  }
}

/** Whether the library keeps somebody in this browser, as `browserLocalPersistence` does. */
function keepsSomebody({ apiKey }: GoogleSettings): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(`firebase:authUser:${apiKey}:`));
  } catch {
    // Storage is switched off.
    return false;
  }
}

/** Signs somebody out whom the provider knows no longer: disabled there, or their sign-in taken back. Others load nothing. */
export function useGoogleWatch({ firebaseUid }: User, logOut: () => Promise<void>): void {
  const end = useRef(logOut);
  end.current = logOut;
  useEffect(() => {
    const { google } = pageState();
    if (!firebaseUid || !google || !keepsSomebody(google)) return;
    let isOver = false;
    loadGoogle()
      .then((sdk) => sdk.isStillKnown(google))
      .then(async (isKnown) => {
        if (isKnown || isOver) return;
        await end.current();
        const description = 'Google has ended this sign-in. Please sign in again.';
        toast({ title: 'Signed out', description, tone: 'destructive' });
      })
      .catch((error: unknown) => warn('Asking Google whether the sign-in still counts failed', error));
    return () => {
      isOver = true;
    };
  }, [firebaseUid]);
}

/** The person's picture, where there is one and it can be had; else initials. It fills the round place that it stands in. */
export function PersonPicture({ user }: { user: User }) {
  const { photoURL } = user;
  const [missing, setMissing] = useState<string>();
  if (!photoURL || photoURL === missing) return initialsOf(user);
  // Google refuses its pictures to pages that say where they are.
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

/** At most two letters for a person: of the display name's words, else the first two of the e-mail address. */
export function initialsOf({ displayName, email }: Pick<User, 'displayName' | 'email'>): string {
  const words = (displayName ?? '').split(/\s+/).filter(Boolean);
  const letters = words.length > 0 ? words.map((word) => [...word][0]) : [...email];
  return letters.slice(0, 2).join('').toUpperCase();
}
