import type { User } from '#shared/accounts.ts';

type StoredUser = Omit<User, 'subscriptionTier'>;

/** Everybody has Full Access, whatever tier an older record names. */
export function userOf(stored: StoredUser): User {
  return {
    id: stored.id,
    email: stored.email,
    username: stored.username,
    displayName: stored.displayName,
    photoURL: stored.photoURL,
    firebaseUid: stored.firebaseUid,
    isAdmin: stored.isAdmin,
    searchCount: stored.searchCount,
    searchLimit: stored.searchLimit,
    searchesUsed: stored.searchesUsed,
    subscriptionTier: 'full_access',
    subscriptionStatus: stored.subscriptionStatus,
  };
}
