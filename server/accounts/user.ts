import type { User } from '#shared/accounts.ts';
import type { Config } from '../config.ts';

/** An account as the table has it. */
export type StoredUser = Omit<User, 'subscriptionTier'>;

/**
 * Everybody has Full Access, whatever tier an older record names. The limit of searches is the person's own, else the
 * setting's; admins have none.
 */
export function userOf({ searchLimit }: Pick<Config, 'searchLimit'>, stored: StoredUser): User {
  return {
    id: stored.id,
    email: stored.email,
    username: stored.username,
    displayName: stored.displayName,
    photoURL: stored.photoURL,
    firebaseUid: stored.firebaseUid,
    isAdmin: stored.isAdmin,
    searchCount: stored.searchCount,
    searchLimit: stored.isAdmin ? null : (stored.searchLimit ?? searchLimit ?? null),
    searchesUsed: stored.searchesUsed,
    subscriptionTier: 'full_access',
    subscriptionStatus: stored.subscriptionStatus,
  };
}
