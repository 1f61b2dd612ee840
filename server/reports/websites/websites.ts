import type { DisavowAnswers, SavedDisavowAnswers } from '#shared/reports/disavow-advice.ts';
import type { ReportSummary } from '#shared/reports/reports.ts';
import {
  duplicateWebsiteMessage,
  type OwnedWebsite,
  type TrendPoint,
  type WatchState,
  type Website,
} from '#shared/reports/websites.ts';
import { findAccountByName } from '../../accounts/accounts/queries.ts';
import type { WebsiteScope } from '../../config.ts';
import type { Context } from '../../context.ts';
import { listableName } from '../../hostnames/hosts/hosts.ts';
import type { Db } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/unique-violation.ts';
import { conflict, invalid, invalidField, notFound } from '../../platform/http/errors.ts';
import type { Audit } from '../../platform/http/scope.ts';
import { requireRoom } from '../../platform/usage/usage.ts';
import type { listWebsitesOfUser } from './queries.ts';
import * as store from './store.ts';

/** Returns one of the user's websites. @throws 404 if the user has no such website */
export async function getOwnWebsite(db: Db, userId: number, id: number): Promise<{ id: number; domain: string }> {
  const website = await store.findWebsite(db, userId, id);
  if (!website) throw notFound('website', id);
  return website;
}

/** Changes the tags or the description. @throws 404 if the user has no such website, 400 without a change */
export async function updateWebsite(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  id: number,
  changes: store.WebsiteChanges,
) {
  if (changes.tags === undefined && changes.description === undefined)
    throw invalid('Send tags, a description, or both.');
  return await db.transaction().execute(async (trx) => {
    const website = await store.updateWebsite(trx, userId, id, changes);
    if (!website) throw notFound('website', id);
    await requireRoom(trx, config, userId, 'websites');
    return website;
  });
}

/**
 * Prevents a transfer of the user's website, and other changes that need this lock, until the transaction ends.
 * @throws 404 if it is not the user's
 */
export async function lockOwnWebsite(trx: Db, userId: number, id: number): Promise<void> {
  if (!(await store.lockOwnWebsite(trx, userId, id))) throw notFound('website', id);
}

/** Returns PROFILE_SCOPE. Without it, an installation from before the default changed keeps the scope `system`. */
export async function getWebsiteScope({ config, db }: Pick<Context, 'config' | 'db'>): Promise<WebsiteScope> {
  return config.websiteScope ?? ((await store.hasEarlierScope(db)) ? 'system' : 'owner');
}

/**
 * Adds a website by its normalized host. A subdomain is a separate website, because backlinks can be exported for it
 * alone. With `forUpload`, the website is hidden until an upload for it succeeds.
 * @throws 400 for an invalid name, 409 if the website was already added: by any account, or with
 *   `PROFILE_SCOPE=owner`, of the user. The error has the website's id only if it is the user's.
 * @throws what `requireRoom` throws
 */
export async function createWebsite(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: number,
  input: { domain: string; description?: string | null | undefined; forUpload?: boolean | undefined },
) {
  const listable = listableName(input.domain);
  if ('reason' in listable) throw invalidField('domain', listable.reason);
  const domain = listable.name;
  const scope = await getWebsiteScope({ config, db });
  // The index of the scope `system` does not contain the websites that were created while the scope was `owner`, nor
  // hidden ones, which must not keep others from adding the domain.
  if (scope === 'owner' || !(await store.hasWebsite(db, domain))) {
    const awaitsUpload = input.forUpload ?? false;
    const website = { userId, domain, description: input.description || null, awaitsUpload };
    const added = await db.transaction().execute(async (trx) => {
      const inserted = await store.insertWebsite(trx, { ...website, scope: awaitsUpload ? 'owner' : scope });
      if (inserted) await requireRoom(trx, config, userId, 'websites');
      return inserted ?? (await store.renewHiddenWebsite(trx, website));
    });
    if (added) return added;
  }
  const own = await store.findWebsiteByDomain(db, userId, domain);
  throw conflict(duplicateWebsiteMessage, own ? { existingProfileId: own.id } : {});
}

/**
 * Returns the user's website of a domain, and otherwise adds it, hidden until it has a report.
 * @throws what `createWebsite` throws
 */
export async function findOrAddWebsite(
  context: Pick<Context, 'config' | 'db'>,
  userId: number,
  domain: string,
): Promise<number> {
  const own = await store.findWebsiteByDomain(context.db, userId, domain);
  return (own ?? (await createWebsite(context, userId, { domain, forUpload: true }))).id;
}

/**
 * Undoes the deletion of a website, which is possible for about a minute.
 * @throws 404 if the user has not deleted it, and 409 if they have added its domain again
 */
export async function restoreDeletedWebsite(db: Db, userId: number, id: number): Promise<void> {
  const isRestored = await store.restoreWebsite(db, userId, id).catch((error) => {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(duplicateWebsiteMessage);
  });
  if (!isRestored) throw notFound('website', id);
}

/** Saves the answers to the questions of "Should I disavow?". @throws 404 if the user has no such website */
export async function saveDisavowAnswers(
  { config, db, now }: Pick<Context, 'config' | 'db' | 'now'>,
  userId: number,
  id: number,
  answers: DisavowAnswers,
): Promise<SavedDisavowAnswers> {
  const answeredAt = now();
  await db.transaction().execute(async (trx) => {
    const isSaved = await store.updateDisavowAnswers(trx, userId, id, { answers, now: answeredAt });
    if (!isSaved) throw notFound('website', id);
    await requireRoom(trx, config, userId, 'websites');
  });
  return { ...answers, answeredAt: answeredAt.toISOString() };
}

/**
 * Transfers a website with its reports, decisions and disavow files to the account with a Firebase UID, email address
 * or username. Links to share its reports end. The caller must transfer the website's analyses in the same transaction.
 * @throws 404 if there is no such website, 400 if there is no such enabled account, and 409 if the website already
 *   belongs to it or it has another website with the same domain
 */
export async function transferWebsite(
  trx: Db,
  websiteId: number,
  newOwner: string,
  audit: Audit,
): Promise<{ website: OwnedWebsite; ownerId: number }> {
  if (!(await store.lockWebsite(trx, websiteId))) throw notFound('website', websiteId);
  const owner = await findAccountByName(trx, newOwner);
  if (!owner) throw invalidNewOwnerError('There is no account with this UID, email address or username.');
  if (owner.disabledAt) throw invalidNewOwnerError(`The account ${owner.username} is disabled. Enable it first.`);
  const { userId, username, domain } = await getWebsiteWithOwner(trx, websiteId);
  if (userId === owner.id) throw conflict(`${domain} already belongs to ${owner.username}.`);
  await store.updateOwner(trx, websiteId, owner.id).catch((error) => {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(`${owner.username} already has the website ${domain}. Delete it there first.`);
  });
  await store.deleteShares(trx, [websiteId]);
  await audit(trx, { id: websiteId, domain, from: username, to: owner.username });
  return { website: toOwnedWebsite(await getWebsiteWithOwner(trx, websiteId)), ownerId: owner.id };
}

const invalidNewOwnerError = (message: string) => invalidField('newFirebaseUid', message);

async function getWebsiteWithOwner(db: Db, id: number): Promise<store.WebsiteWithOwner> {
  const row = await store.findWithOwner(db, id);
  if (!row) throw notFound('website', id);
  return row;
}

/** Converts a website for admins, with its owner or null. */
export function toOwnedWebsite(row: store.WebsiteWithOwner): OwnedWebsite {
  const { createdAt, userId, email, username, displayName, ...website } = row;
  return {
    ...website,
    dateAdded: createdAt.toISOString(),
    userInfo:
      userId === null || email === null || username === null ? null : { id: userId, email, username, displayName },
  };
}

type WebsiteRow = Awaited<ReturnType<typeof listWebsitesOfUser>>[number];

/** What the reports of a website say. */
interface LatestReport extends Pick<Website, 'listedDomains' | 'openReviews' | 'newToxicDomains'> {
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

/** Converts a website for its owner, with its newest report, the toxicity of the last ones, and its watch. */
export function toWebsite(
  { createdAt, disavowAnswers, disavowAnsweredAt, awaitsUpload: _, ...website }: WebsiteRow,
  latest?: LatestReport,
  watch = newWatch,
): Website {
  const { report, count, trend, ...review } = latest ?? { report: null, count: 0, trend: [], ...noReport };
  return {
    ...website,
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
