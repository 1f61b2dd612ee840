import { duplicateProfile, type OwnedProfile, type Profile } from '#shared/profiles.ts';
import type { ReportSummary } from '#shared/reports.ts';
import { findPerson } from '../accounts/accounts.ts';
import type { Db } from '../db/database.ts';
import { listableName } from '../hosts/hosts.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import type { Audit } from '../http/scope.ts';
import * as store from './store.ts';
import { findOwned, lockProfile, type OwnedRow, updateOwner } from './store-owned.ts';

/** A profile of the user. Throws 404 for any other, another person's too. */
export async function getOwnProfile(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const profile = await store.findProfile(db, userId, id);
  if (!profile) throw notFound('website profile', id);
  return profile;
}

/** The user's profiles, newest first. */
export function listProfilesOf(db: Db, userId: number) {
  return store.listProfiles(db, userId);
}

/** Deletes the user's profiles with their reports. */
export function deleteProfilesOf(db: Db, userId: number): Promise<void> {
  return store.deleteProfilesOf(db, userId);
}

/** It stays the user's own until the transaction ends. Throws 404 when it has gone to somebody else. */
export async function holdOwnProfile(trx: Db, userId: number, id: number): Promise<void> {
  if (!(await store.lockOwner(trx, userId, id))) throw notFound('website profile', id);
}

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
  const added = await store.insertProfile(db, userId, named.name, input.description || null);
  if (added) return added;
  const own = await store.findProfileByDomain(db, userId, named.name);
  throw conflict(duplicateProfile, own ? { existingProfileId: own.id } : {});
}

/**
 * Gives a profile with its reports to the account of a Firebase UID, an email address or a username. The caller moves the analyses
 * of the profile in the same transaction. Throws 404 without such a profile, 400 without such an account, 409 when the profile is
 * theirs already.
 */
export async function transferProfile(
  trx: Db,
  profileId: number,
  newOwner: string,
  audit: Audit,
): Promise<{ profile: OwnedProfile; ownerId: number }> {
  if (!(await lockProfile(trx, profileId))) throw notFound('website profile', profileId);
  const person = await findPerson(trx, newOwner);
  if (!person) throw refused('There is no account with this UID, email address or username.');
  if (person.isDisabled) throw refused(`The account ${person.username} is disabled. Enable it first.`);
  const { userId, username, domain } = await getOwned(trx, profileId);
  if (userId === person.id) throw conflict(`${domain} belongs to ${person.username} already.`);
  await updateOwner(trx, profileId, person.id);
  await audit(trx, { id: profileId, domain, from: username, to: person.username });
  return { profile: ownedProfileOf(await getOwned(trx, profileId)), ownerId: person.id };
}

const refused = (sentence: string) => invalid(sentence, { newFirebaseUid: sentence });

async function getOwned(db: Db, id: number): Promise<OwnedRow> {
  const row = await findOwned(db, id);
  if (!row) throw notFound('website profile', id);
  return row;
}

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

type ProfileRow = Awaited<ReturnType<typeof listProfilesOf>>[number];

/** A profile in the contract's form, with the newest of its reports. */
export function profileOf(row: ProfileRow, latest?: { report: ReportSummary; count: number }): Profile {
  return {
    id: row.id,
    domain: row.domain,
    description: row.description,
    dateAdded: row.createdAt.toISOString(),
    lastReport: latest?.report ?? null,
    reportCount: latest?.count ?? 0,
  };
}
