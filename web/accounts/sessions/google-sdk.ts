import { initializeApp } from '@firebase/app';
import {
  type Auth,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  connectAuthEmulator,
  GoogleAuthProvider,
  getRedirectResult,
  initializeAuth,
  signInWithPopup,
  signInWithRedirect,
  signOut,
} from '@firebase/auth';
import type { GoogleSettings } from '#shared/pages.ts';

// Always load this module with import(): only users who sign in with Google need the library.

let instance: Auth | undefined;

/**
 * Opens Google's sign-in window and returns an ID token.
 * @throws the library's errors, like all functions in this file
 */
export async function getIdTokenByPopup(settings: GoogleSettings): Promise<string> {
  const { user } = await signInWithPopup(open(settings), google());
  return await user.getIdToken();
}

/** Sends the browser to Google's sign-in page. `getRedirectIdToken` returns the result when the user comes back. */
export async function redirectToGoogle(settings: GoogleSettings): Promise<void> {
  await signInWithRedirect(open(settings), google());
}

/** The ID token of a user who comes back from Google's page, or undefined if they did not sign in there. */
export async function getRedirectIdToken(settings: GoogleSettings): Promise<string | undefined> {
  const result = await getRedirectResult(open(settings));
  return await result?.user.getIdToken();
}

export async function signOutOfFirebase(settings: GoogleSettings): Promise<void> {
  await signOut(open(settings));
}

/** Whether Google still accepts this browser's sign-in. The library checks with Google and signs out if it does not. */
export async function isStillSignedIn(settings: GoogleSettings): Promise<boolean> {
  const auth = open(settings);
  await auth.authStateReady();
  return auth.currentUser !== null;
}

function open({ emulatorUrl, ...options }: GoogleSettings): Auth {
  if (instance) return instance;
  instance = initializeAuth(initializeApp(options), {
    persistence: browserLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  if (emulatorUrl) connectAuthEmulator(instance, emulatorUrl, { disableWarnings: true });
  return instance;
}

function google(): GoogleAuthProvider {
  const provider = new GoogleAuthProvider();
  provider.addScope('profile');
  provider.addScope('email');
  // Without this prompt, Google automatically reuses the account of the last sign-in.
  return provider.setCustomParameters({ prompt: 'select_account' }) as GoogleAuthProvider;
}
