import { duplicateProfile } from '#shared/profiles.ts';
import type { Db } from '../db/database.ts';
import { listableName } from '../domains/host.ts';
import { conflict, invalid } from '../http/errors.ts';
import { findProfileByDomain, insertProfile } from './store.ts';

/**
 * Adds a website under its normalised host: a subdomain is a website of its own, and people export its backlinks alone.
 * Throws 400 for what is no website's name, 409 when it has a profile already, which is named only to its own owner.
 */
export async function addProfile(
  db: Db,
  userId: number,
  input: { domain: string; description?: string | null | undefined },
) {
  const named = listableName(input.domain);
  if ('reason' in named) throw invalid(named.reason, { domain: named.reason });
  const added = await insertProfile(db, userId, named.name, input.description || null);
  if (added) return added;
  const own = await findProfileByDomain(db, userId, named.name);
  throw conflict(duplicateProfile, own ? { existingProfileId: own.id } : {});
}
