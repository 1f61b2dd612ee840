import { ApiError } from '../lib/api.ts';

const usual = 'There was a problem signing you in. Please try again.';
const notHere = 'Google does not accept sign-ins from this address. Please tell the operator of this site.';
const again = 'Your sign-in with Google has run out. Please sign in again.';
const refused = 'Google did not accept this sign-in. Please try again.';

/** What people are told for the codes of the identity provider, without their `auth/`. */
const sentences: Record<string, string> = {
  'invalid-email': 'Google knows no valid email address of this account. Please choose another one.',
  'wrong-password': refused,
  'invalid-credential': refused,
  'user-not-found': 'This account is no longer known here. Please sign in again.',
  'email-already-in-use': 'This email address already belongs to another account. Please sign in with its password.',
  'account-exists-with-different-credential':
    'This email address already belongs to another account. Please sign in with its password.',
  'too-many-requests': 'Too many attempts. Please wait a few minutes and try again.',
  'expired-action-code': 'This link has run out. Please ask for a new one.',
  'requires-recent-login': again,
  'user-token-expired': again,
  'user-disabled': 'This account has been disabled. Please contact us if you think that is a mistake.',
  'popup-blocked': 'Your browser has blocked the Google window. Please allow it for this site and try again.',
  'popup-closed-by-user': 'The Google window was closed before you were signed in.',
  'cancelled-popup-request': 'The Google window was closed before you were signed in.',
  'user-cancelled': 'You did not allow this site to see who you are. Please try again.',
  'redirect-cancelled-by-user': 'You left Google before you were signed in.',
  'unauthorized-domain': notHere,
  'operation-not-allowed': notHere,
  'web-storage-unsupported':
    'Your browser blocks what Google needs to sign you in. Please allow cookies and try again.',
  'network-request-failed': 'Google could not be reached. Please check your connection and try again.',
};

/** The provider's code without its `auth/`: 'popup-closed-by-user'. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('auth/') ? code.slice(5) : undefined;
}

export function sentenceOf(error: unknown): string {
  // A fault of the server says nothing that helps the person.
  if (error instanceof ApiError)
    return (error.status < 500 || error.status === 503) && error.message ? error.message : usual;
  const code = codeOf(error) ?? '';
  return (Object.hasOwn(sentences, code) && sentences[code]) || usual;
}

/** Whether the person has ended it on purpose: no failure to report. */
export function isChangeOfMind(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'popup-closed-by-user' || code === 'cancelled-popup-request' || code === 'redirect-cancelled-by-user';
}

/** Whether a window of its own cannot be had here, so that the whole page has to go to Google. */
export function needsRedirect(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'popup-blocked' || code === 'operation-not-supported-in-this-environment';
}
