import { afterSignIn } from '../paths.ts';
import { ownPath } from './own-path.ts';

const key = 'redirect-after-login';

/** Remembers for this tab where to go after signing in; anything but a screen of this site is ignored. */
export function rememberDestination(path: string): void {
  try {
    if (ownPath(path)) sessionStorage.setItem(key, path);
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
    sessionStorage.removeItem(key);
  } catch {
    // Storage is switched off: there is nothing to forget.
  }
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
