import { type Expression, type SqlBool, sql } from 'kysely';
import type { DisavowAnswers } from '#shared/reports/disavow-advice.ts';
import type { WebsiteScope } from '../../config.ts';
import { type Db, toLikePattern } from '../../platform/db/database.ts';

export const columns = [
  'id',
  'domain',
  'description',
  'created_at as createdAt',
  'tags',
  'disavow_answers as disavowAnswers',
  'disavow_answered_at as disavowAnsweredAt',
  'awaits_upload as awaitsUpload',
] as const;

export function findWebsite(db: Db, userId: number, id: number) {
  return db
    .selectFrom('websites')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/**
 * Prevents a transfer of the website, and makes changes that take this lock run one after the other.
 * @returns whether the user has such a website
 */
export async function lockOwnWebsite(trx: Db, userId: number, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('websites')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

interface NewWebsite {
  userId: number;
  domain: string;
  description: string | null;
  /** Whether it is hidden until an upload for it succeeds. */
  awaitsUpload: boolean;
}

/**
 * The unique indexes refuse a second website of the domain for the user, and with the scope `system` also for other
 * users who have one with that scope.
 * @returns undefined if the insert was refused
 */
export function insertWebsite(db: Db, website: NewWebsite & { scope: WebsiteScope }) {
  const { userId, awaitsUpload, ...values } = website;
  return db
    .insertInto('websites')
    .values({ user_id: userId, awaits_upload: awaitsUpload, ...values })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst();
}

/** Takes the user's hidden website of the domain as a new one. @returns undefined if there is none */
export function renewHiddenWebsite(db: Db, { userId, domain, description, awaitsUpload }: NewWebsite) {
  return db
    .updateTable('websites')
    .set({ description, awaits_upload: awaitsUpload, created_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .where('awaits_upload', '=', true)
    .returning(columns)
    .executeTakeFirst();
}

/** Whether any user has a website of the domain, or it has one without an owner. Hidden ones do not count. */
export async function hasWebsite(db: Db, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('websites')
    .select('id')
    .where('domain', '=', domain)
    .where('awaits_upload', '=', false)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds the user's website of a domain. */
export function findWebsiteByDomain(db: Db, userId: number, domain: string) {
  return db
    .selectFrom('websites')
    .select('id')
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** @returns whether the user has such a website */
export async function updateDisavowAnswers(
  db: Db,
  userId: number,
  id: number,
  { answers, now }: { answers: DisavowAnswers; now: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('websites')
    .set({ disavow_answers: JSON.stringify(answers), disavow_answered_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** What is undefined stays as it is. @returns undefined if the user has no such website */
export function updateWebsite(db: Db, userId: number, id: number, { tags, description }: WebsiteChanges) {
  return db
    .updateTable('websites')
    .set({ ...(tags && { tags }), ...(description !== undefined && { description: description || null }) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

export interface WebsiteChanges {
  tags?: string[] | undefined;
  description?: string | null | undefined;
}

/**
 * Takes a website from its owner until it is restored or removed, and deletes its analyses.
 * @returns whether the user had such a website
 */
export async function deleteWebsite(trx: Db, userId: number, id: number): Promise<boolean> {
  const result = await trx
    .updateTable('websites')
    // The scope, so that the domain is free.
    .set({ user_id: null, deleted_by: userId, deleted_at: sql`now()`, scope: 'owner' })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  await trx.deleteFrom('analyses').where('website_id', '=', id).where('user_id', '=', userId).execute();
  return result.numUpdatedRows > 0n;
}

/**
 * Returns a website to the user who deleted it.
 * @returns whether there is such a website
 * @throws a unique violation if the user has added the domain again
 */
export async function restoreWebsite(db: Db, userId: number, id: number): Promise<boolean> {
  const result = await db
    .updateTable('websites')
    .set({ user_id: userId, deleted_by: null, deleted_at: null })
    .where('deleted_by', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteWebsitesOfUser(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('websites').where('user_id', '=', userId).execute();
}

/** Clears tags and answers, and deletes shares, notes and disavow files of the user's websites. */
export async function erasePersonalData(trx: Db, userId: number): Promise<void> {
  // First, because it locks the websites against requests that add something.
  const websites = await trx
    .updateTable('websites')
    .set({ tags: [], disavow_answers: null, disavow_answered_at: null })
    .where('user_id', '=', userId)
    .returning('id')
    .execute();
  if (websites.length === 0) return;
  const ids = websites.map(({ id }) => id);
  await deleteShares(trx, ids);
  await trx.deleteFrom('disavow_files').where('website_id', 'in', ids).execute();
  await trx.deleteFrom('decisions').where('website_id', 'in', ids).where('decision', 'is', null).execute();
  await trx.updateTable('decisions').set({ note: '' }).where('website_id', 'in', ids).where('note', '<>', '').execute();
}

/** Ends the links to the reports of websites. */
export async function deleteShares(db: Db, websiteIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('report_shares')
    .where('report_id', 'in', db.selectFrom('reports').select('id').where('website_id', 'in', websiteIds))
    .execute();
}

// The following queries are for admins: they read the websites of all users, without those that are hidden or deleted.

const reportCount = sql<number>`(select count(*) from reports where reports.website_id = websites.id)`;

function websitesWithOwners(db: Db) {
  return db
    .selectFrom('websites')
    .leftJoin('users', 'users.id', 'websites.user_id')
    .where('websites.awaits_upload', '=', false)
    .where('deleted_at', 'is', null)
    .select([
      'websites.id',
      'websites.domain',
      'websites.description',
      'websites.created_at as createdAt',
      'users.id as userId',
      'users.email',
      'users.username',
      'users.display_name as displayName',
      reportCount.as('reportCount'),
    ]);
}

export type WebsiteWithOwner = Awaited<ReturnType<typeof listOrphaned>>[number];

/** Builds a condition: the website's domain, or the name or email address of its owner, contains a text. */
function contains(text: string): Expression<SqlBool> {
  const pattern = toLikePattern(text.toLowerCase());
  return sql<SqlBool>`(
    websites.domain like ${pattern} or lower(users.username) like ${pattern}
    or lower(users.email) like ${pattern} or lower(users.display_name) like ${pattern}
  )`;
}

/** Returns the websites newest first, all of them without `range`. */
export function listWithOwners(db: Db, search: string | undefined, range?: { offset: number; limit: number }) {
  return websitesWithOwners(db)
    .$if(search !== undefined, (query) => query.where(contains(search ?? '')))
    .orderBy('websites.id', 'desc')
    .$if(range !== undefined, (query) => query.offset(range?.offset ?? 0).limit(range?.limit ?? 0))
    .execute();
}

export async function countWebsites(db: Db, search: string | undefined): Promise<number> {
  const { count } = await db
    .selectFrom('websites')
    .leftJoin('users', 'users.id', 'websites.user_id')
    .select(sql<number>`count(*)`.as('count'))
    .where('websites.awaits_upload', '=', false)
    .where('deleted_at', 'is', null)
    .$if(search !== undefined, (query) => query.where(contains(search ?? '')))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the websites without an owner, newest first. */
export function listOrphaned(db: Db) {
  return websitesWithOwners(db).where('websites.user_id', 'is', null).orderBy('websites.id', 'desc').execute();
}

export async function countOrphaned(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('websites')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', 'is', null)
    .where('awaits_upload', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export function findWithOwner(db: Db, id: number) {
  return websitesWithOwners(db).where('websites.id', '=', id).executeTakeFirst();
}

/** Blocks other transfers and new analyses of the website until the transaction ends. @returns whether it exists */
export async function lockWebsite(trx: Db, id: number): Promise<boolean> {
  const row = await trx.selectFrom('websites').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
  return row !== undefined;
}

/** @throws a unique violation if the user already has a website of the same domain */
export async function updateOwner(db: Db, id: number, userId: number): Promise<void> {
  await db
    .updateTable('websites')
    .set({ user_id: userId, deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .execute();
}

/** @returns the deleted website's domain, owner and number of reports; undefined if there is no such website */
export function deleteAnyWebsite(db: Db, id: number) {
  return db
    .deleteFrom('websites')
    .where('id', '=', id)
    .returning((eb) => [
      'domain',
      eb.selectFrom('users').select('username').whereRef('users.id', '=', 'websites.user_id').as('owner'),
      reportCount.as('reports'),
    ])
    .executeTakeFirst();
}

/** Whether the installation is from before the default of PROFILE_SCOPE changed from `system` to `owner`. */
export async function hasEarlierScope(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('earlier_defaults')
    .select('value')
    .where('setting', '=', 'PROFILE_SCOPE')
    .executeTakeFirst();
  return row?.value === 'system';
}
