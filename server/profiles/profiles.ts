import { duplicateProfile, type OwnedProfile, type Profile } from '#shared/profiles.ts';
import type { ReportSummary } from '#shared/reports.ts';
import { findPerson } from '../accounts/accounts.ts';
import type { Db } from '../db/database.ts';
import { listableName } from '../hosts/hosts.ts';
import { conflict, invalidField, notFound } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import * as store from './store.ts';

/** One of the user's profiles. Throws 404 for any other. */
export async function getOwnProfile(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const profile = await store.findProfile(db, userId, id);
  if (!profile) throw notFound('website profile', id);
  return profile;
}

/** The user's profiles, newest first. */
export const listProfilesOfUser = store.listProfiles;

/** Deletes the user's profiles with their reports. */
export const deleteProfilesOfUser = store.deleteProfilesOfUser;

/** Keeps the profile the user's own until the transaction ends. Throws 404 when it belongs to somebody else. */
export async function lockOwnProfile(trx: Db, userId: number, id: number): Promise<void> {
  if (!(await store.lockOwner(trx, userId, id))) throw notFound('website profile', id);
}

/**
 * Adds a website under its normalised host. A subdomain is a website of its own, since backlinks are exported for it alone.
 * Throws 400 for an invalid name, 409 when the website already has a profile: its id is returned only to its owner.
 */
export async function addProfile(
  db: Db,
  userId: number,
  input: { domain: string; description?: string | null | undefined },
) {
  const named = listableName(input.domain);
  if ('reason' in named) throw invalidField('domain', named.reason);
  const added = await store.insertProfile(db, userId, named.name, input.description || null);
  if (added) return added;
  const own = await store.findProfileByDomain(db, userId, named.name);
  throw conflict(duplicateProfile, own ? { existingProfileId: own.id } : {});
}

/**
 * Transfers a profile with its reports to the account of a Firebase UID, an email address or a username. The caller moves the
 * profile's analyses in the same transaction. Throws 404 when there is no such profile, 400 when there is no such account, 409 when
 * the profile is already theirs.
 */
export async function transferProfile(
  trx: Db,
  profileId: number,
  newOwner: string,
  audit: Audit,
): Promise<{ profile: OwnedProfile; ownerId: number }> {
  if (!(await store.lockProfile(trx, profileId))) throw notFound('website profile', profileId);
  const person = await findPerson(trx, newOwner);
  if (!person) throw invalidNewOwner('There is no account with this UID, email address or username.');
  if (person.isDisabled) throw invalidNewOwner(`The account ${person.username} is disabled. Enable it first.`);
  const { userId, username, domain } = await getProfileWithOwner(trx, profileId);
  if (userId === person.id) throw conflict(`${domain} belongs to ${person.username} already.`);
  await store.updateOwner(trx, profileId, person.id);
  await audit(trx, { id: profileId, domain, from: username, to: person.username });
  return { profile: toOwnedProfile(await getProfileWithOwner(trx, profileId)), ownerId: person.id };
}

const invalidNewOwner = (sentence: string) => invalidField('newFirebaseUid', sentence);

async function getProfileWithOwner(db: Db, id: number): Promise<store.ProfileWithOwner> {
  const row = await store.findWithOwner(db, id);
  if (!row) throw notFound('website profile', id);
  return row;
}

/** A profile as admins see it. */
export function toOwnedProfile(row: store.ProfileWithOwner): OwnedProfile {
  const { createdAt, userId, email, username, displayName, ...profile } = row;
  return {
    ...profile,
    dateAdded: createdAt.toISOString(),
    userInfo:
      userId === null || email === null || username === null ? null : { id: userId, email, username, displayName },
  };
}

type ProfileRow = Awaited<ReturnType<typeof listProfilesOfUser>>[number];

/** A profile as the API returns it, with the newest of its reports. */
export function toProfile(
  { createdAt, ...profile }: ProfileRow,
  latest?: { report: ReportSummary; count: number },
): Profile {
  return {
    ...profile,
    dateAdded: createdAt.toISOString(),
    lastReport: latest?.report ?? null,
    reportCount: latest?.count ?? 0,
  };
}
