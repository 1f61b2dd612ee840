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

// Only imported with import(), so that only people who sign in with Google load the library.

let opened: Auth | undefined;

/** Asks Google in a window. Like the other functions here, it throws the library's errors. @returns an ID token */
export async function askInPopup(settings: GoogleSettings): Promise<string> {
  const { user } = await signInWithPopup(open(settings), google());
  return await user.getIdToken();
}

/** Leaves for Google's page. `redirectAnswer` returns the result when the person comes back. */
export async function askByRedirect(settings: GoogleSettings): Promise<void> {
  await signInWithRedirect(open(settings), google());
}

/** The ID token of a person who comes back from Google's page; undefined when nobody signed in there. */
export async function redirectAnswer(settings: GoogleSettings): Promise<string | undefined> {
  const answer = await getRedirectResult(open(settings));
  return await answer?.user.getIdToken();
}

export async function leave(settings: GoogleSettings): Promise<void> {
  await signOut(open(settings));
}

/** Whether Google still accepts the sign-in of this browser. The library asks Google, and signs out otherwise. */
export async function isStillKnown(settings: GoogleSettings): Promise<boolean> {
  const auth = open(settings);
  await auth.authStateReady();
  return auth.currentUser !== null;
}

function open({ emulatorUrl, ...options }: GoogleSettings): Auth {
  if (opened) return opened;
  opened = initializeAuth(initializeApp(options), {
    persistence: browserLocalPersistence,
    popupRedirectResolver: browserPopupRedirectResolver,
  });
  if (emulatorUrl) connectAuthEmulator(opened, emulatorUrl, { disableWarnings: true });
  return opened;
}

function google(): GoogleAuthProvider {
  const provider = new GoogleAuthProvider();
  provider.addScope('profile');
  provider.addScope('email');
  // Google would choose the account of the last sign-in by itself.
  return provider.setCustomParameters({ prompt: 'select_account' }) as GoogleAuthProvider;
}
