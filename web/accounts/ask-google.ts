import type { GoogleSettings } from '#shared/pages.ts';
import { loadGoogle } from '../session/session.tsx';
import { needsRedirect } from './google-errors.ts';

const key = 'google-redirect';

/**
 * Asks Google who it is: in a window, and where that is blocked by leaving the page. Throws the library's errors.
 * @returns an ID token; undefined when the page is being left
 */
export async function askGoogle(settings: GoogleSettings): Promise<string | undefined> {
  const sdk = await loadGoogle();
  try {
    return await sdk.askInPopup(settings);
  } catch (error) {
    if (!needsRedirect(error)) throw error;
  }
  rememberRedirect();
  await sdk.askByRedirect(settings);
  return undefined;
}

/** The answer of somebody who comes back from Google. Throws the library's errors. @returns undefined when nobody signed in there */
export async function takeRedirectAnswer(settings: GoogleSettings): Promise<string | undefined> {
  forgetRedirect();
  return await (await loadGoogle()).redirectAnswer(settings);
}

/** Whether this tab was sent to Google: only then is the library loaded to ask for the answer. */
export function comesFromGoogle(): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function rememberRedirect(): void {
  try {
    sessionStorage.setItem(key, '1');
  } catch {
    // Storage is switched off: the library cannot remember it either, and says so.
  }
}

function forgetRedirect(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is switched off: there is nothing to forget.
  }
}
