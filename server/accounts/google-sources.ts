import type { GoogleSettings } from '#shared/pages.ts';
import type { FirebaseConfig } from '../config.ts';
import type { OtherSources } from '../http/content-policy.ts';

/** Where the provider's library reaches from our pages: https://firebase.google.com/docs/auth, and what was seen to be asked. */
export function googleSources({ authDomain, emulatorUrl }: FirebaseConfig): OtherSources {
  const emulator = emulatorUrl ? [new URL(emulatorUrl).origin] : [];
  return {
    script: ['https://apis.google.com'],
    image: ['https://lh3.googleusercontent.com'],
    connect: ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com', ...emulator],
    frame: [`https://${authDomain}`, ...emulator],
  };
}

/** What browsers need to know; none of it is a secret. */
export function publicSettings({ apiKey, authDomain, projectId, emulatorUrl }: FirebaseConfig): GoogleSettings {
  return { apiKey, authDomain, projectId, emulatorUrl: emulatorUrl ?? null };
}
