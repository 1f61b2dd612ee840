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

// The provider's library: imported by nothing at once, so that only people who sign in with Google load it.

let opened: Auth | undefined;

/** Asks for the person in a window of its own. Each of these throws the library's errors. @returns an ID token */
export async function askInPopup(settings: GoogleSettings): Promise<string> {
  const { user } = await signInWithPopup(open(settings), google());
  return await user.getIdToken();
}

/** Leaves this page to ask for the person; `redirectAnswer` has the answer when they are back. */
export async function askByRedirect(settings: GoogleSettings): Promise<void> {
  await signInWithRedirect(open(settings), google());
}

/** @returns the ID token of somebody who was sent to Google and is back; undefined when nobody signed in there */
export async function redirectAnswer(settings: GoogleSettings): Promise<string | undefined> {
  const answer = await getRedirectResult(open(settings));
  return await answer?.user.getIdToken();
}

export async function leave(settings: GoogleSettings): Promise<void> {
  await signOut(open(settings));
}

/** Whether the provider still knows the person who signed in here: the library has asked it, and forgot them otherwise. */
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
  // Whoever has logged out here may want another account than the one that Google would take by itself.
  return provider.setCustomParameters({ prompt: 'select_account' }) as GoogleAuthProvider;
}
