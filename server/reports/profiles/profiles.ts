import type { BodyOf } from '#shared/platform/endpoint.ts';
import type { DisavowAnswers, SavedDisavowAnswers } from '#shared/reports/disavow-advice.ts';
import type * as contract from '#shared/reports/profiles.ts';
import {
  duplicateProfileMessage,
  type OwnedProfile,
  type Profile,
  type TrendPoint,
  type WatchState,
} from '#shared/reports/profiles.ts';
import type { ReportSummary } from '#shared/reports/reports.ts';
import { findAccountByName } from '../../accounts/accounts/queries.ts';
import type { ProfileScope } from '../../config.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit } from '../../platform/http/scope.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import type { listProfilesOfUser } from './queries.ts';
import * as store from './store.ts';

/** Returns one of the user's profiles. @throws 404 if the user has no such profile */
export async function getOwnProfile(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const profile = await store.findProfile(db, userId, id);
  if (!profile) throw notFound('website profile', id);
  return profile;
}

/** Replaces the tags. @throws 404 if the user has no such profile */
export async function updateProfile(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  id: number,
  { tags }: BodyOf<typeof contract.updateProfile>,
) {
  return await db.transaction().execute(async (trx) => {
    const profile = await store.updateTags(trx, userId, id, tags);
    if (!profile) throw notFound('website profile', id);
    await requireRoom(trx, config, userId, 'websites');
    return profile;
  });
}

/**
 * Prevents a transfer of the user's profile, and other changes that need this lock, until the transaction ends.
 * @throws 404 if it is not the user's
 */
export async function lockOwnProfile(trx: Db, userId: number, id: number): Promise<void> {
  if (!(await store.lockOwnProfile(trx, userId, id))) throw notFound('website profile', id);
}

/** Returns PROFILE_SCOPE. Without it, an installation from before the default changed keeps the scope `system`. */
export async function getProfileScope({ config, db }: Pick<Context, 'config' | 'db'>): Promise<ProfileScope> {
  return config.profileScope ?? ((await store.hasEarlierScope(db)) ? 'system' : 'owner');
}

/**
 * Creates a profile for the normalized host of a website. A subdomain is a separate website, because backlinks can be
 * exported for it alone.
 * @throws 400 for an invalid name, 409 if the website already has a profile: of any account, or with
 *   `PROFILE_SCOPE=owner`, of the user. The error has the profile's id only if it is the user's.
 * @throws what `requireRoom` throws
 */
export async function createProfile(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  input: { domain: string; description?: string | null | undefined },
) {
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const domain = listable.name;
  const scope = await getProfileScope({ config, db });
  // The index of the scope `system` does not contain the profiles that were created while the scope was `owner`.
  if (scope === 'owner' || !(await store.hasProfile(db, domain))) {
    const added = await db.transaction().execute(async (trx) => {
      const profile = { userId, domain, description: input.description || null, scope };
      const inserted = await store.insertProfile(trx, profile);
      if (inserted) await requireRoom(trx, config, userId, 'websites');
      return inserted;
    });
    if (added) return added;
  }
  const own = await store.findProfileByDomain(db, userId, domain);
  throw conflict(duplicateProfileMessage, own ? { existingProfileId: own.id } : {});
}

/** Saves the answers to the questions of "Should I disavow?". @throws 404 if the user has no such profile */
export async function saveDisavowAnswers(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  id: number,
  answers: DisavowAnswers,
): Promise<SavedDisavowAnswers> {
  const answeredAt = now();
  await db.transaction().execute(async (trx) => {
    const isSaved = await store.updateDisavowAnswers(trx, userId, id, { answers, now: answeredAt });
    if (!isSaved) throw notFound('website profile', id);
    await requireRoom(trx, config, userId, 'websites');
  });
  return { ...answers, answeredAt: answeredAt.toISOString() };
}

/**
 * Transfers a profile with its reports, decisions and disavow files to the account with a Firebase UID, email address
 * or username. Links to share its reports end. The caller must transfer the profile's analyses in the same transaction.
 * @throws 404 if there is no such profile, 400 if there is no such enabled account, and 409 if the profile already
 *   belongs to it or it has another profile of the same website
 */
export async function transferProfile(
  trx: Db,
  profileId: number,
  newOwner: string,
  audit: Audit,
): Promise<{ profile: OwnedProfile; ownerId: number }> {
  if (!(await store.lockProfile(trx, profileId))) throw notFound('website profile', profileId);
  const owner = await findAccountByName(trx, newOwner);
  if (!owner) throw invalidNewOwnerError('There is no account with this UID, email address or username.');
  if (owner.disabledAt) throw invalidNewOwnerError(`The account ${owner.username} is disabled. Enable it first.`);
  const { userId, username, domain } = await getProfileWithOwner(trx, profileId);
  if (userId === owner.id) throw conflict(`${domain} already belongs to ${owner.username}.`);
  await store.updateOwner(trx, profileId, owner.id).catch((error) => {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(`${owner.username} already has a profile of ${domain}. Delete that profile first.`);
  });
  await store.deleteShares(trx, [profileId]);
  await audit(trx, { id: profileId, domain, from: username, to: owner.username });
  return { profile: toOwnedProfile(await getProfileWithOwner(trx, profileId)), ownerId: owner.id };
}

const invalidNewOwnerError = (message: string) => invalidField('newFirebaseUid', message);

async function getProfileWithOwner(db: Db, id: number): Promise<store.ProfileWithOwner> {
  const row = await store.findWithOwner(db, id);
  if (!row) throw notFound('website profile', id);
  return row;
}

/** Converts a profile for admins, with its owner or null. */
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

/** What the reports of a profile say. */
interface LatestReport extends Pick<Profile, 'listedDomains' | 'openReviews' | 'newToxicDomains'> {
  report: ReportSummary;
  count: number;
  trend: TrendPoint[];
}

const noReport = { listedDomains: 0, openReviews: 0, newToxicDomains: null };

/** The watch of a new website. */
const newWatch: WatchState = {
  enabled: true,
  digest: 'off',
  hosts: 0,
  unread: { listed: 0, raised: 0, lowered: 0, delisted: 0 },
};

/** Converts a profile for its owner, with its newest report, the toxicity of the last ones, and its watch. */
export function toProfile(
  { createdAt, disavowAnswers, disavowAnsweredAt, ...profile }: ProfileRow,
  latest?: LatestReport,
  watch = newWatch,
): Profile {
  const { report, count, trend, ...review } = latest ?? { report: null, count: 0, trend: [], ...noReport };
  return {
    ...profile,
    dateAdded: createdAt.toISOString(),
    lastReport: report,
    reportCount: count,
    trend,
    ...review,
    disavowAnswers:
      disavowAnswers && disavowAnsweredAt ? { ...disavowAnswers, answeredAt: disavowAnsweredAt.toISOString() } : null,
    watch,
  };
}
