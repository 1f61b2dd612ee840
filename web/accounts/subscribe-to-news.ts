import type { User } from '#shared/accounts.ts';
import { subscribe } from '#shared/newsletter.ts';
import { call, warn } from '../lib/api.ts';

/** Asks for product news for somebody who has just signed up or in. Nobody waits for it, and its failure is only logged. */
export function subscribeToNews({ email, displayName, username }: User): void {
  // Without a name of their own people are called by their username, which is none to write to.
  const firstName = displayName && displayName !== username ? displayName.split(/\s+/)[0] : undefined;
  call(subscribe, { body: { email, ...(firstName && { firstName }) } }).catch((error: unknown) =>
    warn('Subscribing to product news failed', error),
  );
}
