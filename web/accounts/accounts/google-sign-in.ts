import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { User } from '#shared/accounts/accounts.ts';
import { signInWithGoogle } from '#shared/accounts/google-sign-in.ts';
import type { GoogleSettings } from '#shared/pages.ts';
import { ApiError, call } from '../../platform/api.ts';
import { tryStorage } from '../../platform/storage.ts';
import { toastError } from '../../ui/toast.tsx';
import { loadGoogleSdk, signOutOfGoogle } from '../sessions/session.tsx';
import { subscribeToNews, type Welcome } from './auth-frame.tsx';
import { findChallenge } from './second-factor-step.tsx';

/**
 * Signs in with Google, and completes the sign-in when the user comes back from Google's page. Calls `onChallenge` if
 * the account needs a second factor.
 */
export function useGoogleSignIn(settings: GoogleSettings, welcome: Welcome, onChallenge: (challenge: string) => void) {
  const [idTokenToLink, setIdTokenToLink] = useState<string>();

  const onSignedIn = (user: User) => {
    setIdTokenToLink(undefined);
    welcome(user, {
      title: 'Signed in successfully!',
      description: `Welcome, ${user.displayName || user.username}.`,
    });
    subscribeToNews(user);
  };

  const signIn = useMutation({
    mutationFn: async (getIdToken: typeof requestIdToken) => {
      const idToken = await getIdToken(settings);
      if (idToken === undefined) return undefined;
      try {
        return await call(signInWithGoogle, { body: { idToken } });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'password_needed') {
          setIdTokenToLink(idToken);
          return undefined;
        }
        const challenge = findChallenge(error);
        if (challenge !== undefined) {
          onChallenge(challenge);
          return undefined;
        }
        await signOutOfGoogle();
        throw error;
      }
    },
    onSuccess: (user) => user && onSignedIn(user),
    onError: (error) => {
      if (isCancelled(error)) return;
      toastError('Sign in failed', messageOf(error));
    },
  });

  const { mutate, reset } = signIn;
  useEffect(() => {
    if (comesFromGoogle()) mutate(takeRedirectIdToken);
  }, [mutate]);

  useEffect(() => {
    // The browser's back button restores the page as it was left, with the sign-in still pending.
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);

  return {
    start: () => mutate(requestIdToken),
    isBusy: signIn.isPending || (signIn.isSuccess && signIn.data !== undefined),
    /** Why the sign-in failed. */
    message: signIn.isError ? messageOf(signIn.error) : undefined,
    isCancelled: signIn.isError && isCancelled(signIn.error),
    /** The ID token of a user whose password account has the same email address, until they link the two or decline. */
    idTokenToLink,
    onSignedIn,
    cancelLinking: () => {
      setIdTokenToLink(undefined);
      void signOutOfGoogle();
    },
  };
}

const redirectKey = 'google-redirect';

/**
 * Signs in with Google in a window, or on Google's page if the browser blocks the window.
 * @returns an ID token, or undefined if the browser is going to Google's page
 * @throws the library's errors
 */
async function requestIdToken(settings: GoogleSettings): Promise<string | undefined> {
  const sdk = await loadGoogleSdk();
  try {
    return await sdk.getIdTokenByPopup(settings);
  } catch (error) {
    if (!needsRedirect(error)) throw error;
  }
  tryStorage(() => sessionStorage.setItem(redirectKey, '1'));
  await sdk.redirectToGoogle(settings);
  return undefined;
}

/**
 * The ID token of a user who comes back from Google's page, or undefined if they did not sign in there.
 * @throws the library's errors
 */
async function takeRedirectIdToken(settings: GoogleSettings): Promise<string | undefined> {
  tryStorage(() => sessionStorage.removeItem(redirectKey));
  return await (await loadGoogleSdk()).getRedirectIdToken(settings);
}

/** Whether this tab was redirected to Google. Only then is the library loaded to read the result. */
function comesFromGoogle(): boolean {
  return Boolean(tryStorage(() => sessionStorage.getItem(redirectKey)));
}

const fallback = 'There was a problem signing you in. Please try again.';
const notAllowed = 'Google does not allow sign-ins from this site. Please contact the site operator.';
const expired = 'Your sign-in with Google has expired. Please sign in again.';
const refused = 'Google did not accept this sign-in. Please try again.';
const taken = 'This email address already belongs to another account. Please sign in with its password.';
const closed = 'The Google window was closed before you were signed in.';

/** Messages by the identity provider's error codes, without their `auth/` prefix. */
const messages = new Map([
  ['invalid-email', 'This Google account has no valid email address. Please choose another one.'],
  ['wrong-password', refused],
  ['invalid-credential', refused],
  ['user-not-found', 'This account no longer exists. Please sign in again.'],
  ['email-already-in-use', taken],
  ['account-exists-with-different-credential', taken],
  ['too-many-requests', 'Too many attempts. Please wait a few minutes and try again.'],
  ['expired-action-code', 'This link has expired. Please request a new one.'],
  ['requires-recent-login', expired],
  ['user-token-expired', expired],
  ['user-disabled', 'This account has been disabled. Please contact us if you think this is a mistake.'],
  ['popup-blocked', 'Your browser blocked the Google window. Please allow pop-ups for this site and try again.'],
  ['popup-closed-by-user', closed],
  ['cancelled-popup-request', closed],
  ['user-cancelled', 'You did not give this site access to your Google account. Please try again.'],
  ['redirect-cancelled-by-user', 'You left Google before you were signed in.'],
  ['unauthorized-domain', notAllowed],
  ['operation-not-allowed', notAllowed],
  [
    'web-storage-unsupported',
    'Your browser blocks the storage that Google sign-in needs. Please allow cookies and try again.',
  ],
  ['network-request-failed', 'Google could not be reached. Please check your connection and try again.'],
]);

/** The message to show for an error of the provider's library or of the server. */
export function messageOf(error: unknown): string {
  // The server's message for a 500 does not help the user.
  if (error instanceof ApiError)
    return (error.status < 500 || error.status === 503) && error.message ? error.message : fallback;
  return messages.get(codeOf(error)) ?? fallback;
}

/** Whether the user canceled the sign-in, which is not reported as a failure. */
export function isCancelled(error: unknown): boolean {
  return ['popup-closed-by-user', 'cancelled-popup-request', 'redirect-cancelled-by-user'].includes(codeOf(error));
}

/** Whether the browser cannot open a window, so that it must redirect to Google instead. */
export function needsRedirect(error: unknown): boolean {
  return ['popup-blocked', 'operation-not-supported-in-this-environment'].includes(codeOf(error));
}

/** The provider's error code without its `auth/` prefix, such as 'popup-closed-by-user'. Empty for other errors. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('auth/') ? code.slice(5) : '';
}
