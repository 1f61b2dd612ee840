import type { OwnedProfile } from '#shared/profiles.ts';
import type { OwnedRow } from './store-owned.ts';

export function ownedProfileOf(row: OwnedRow): OwnedProfile {
  const { userId, email, username, displayName } = row;
  return {
    id: row.id,
    domain: row.domain,
    description: row.description,
    dateAdded: row.createdAt.toISOString(),
    reportCount: row.reportCount ?? 0,
    userInfo:
      userId === null || email === null || username === null ? null : { id: userId, email, username, displayName },
  };
}
