import type { GoogleSettings } from '#shared/pages.ts';
import { pageState } from './page-state.ts';
import { warn } from './warn.ts';

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
export function keepsSomebody({ apiKey }: GoogleSettings): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(`firebase:authUser:${apiKey}:`));
  } catch {
    // Storage is switched off.
    return false;
  }
}
