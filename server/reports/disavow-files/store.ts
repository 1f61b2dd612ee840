import type { Decision } from '#shared/reports/decisions.ts';
import type { DisavowCounts } from '#shared/reports/disavow-files.ts';
import type { Db } from '../../platform/db/database.ts';

const columns = ['disavow_files.id', 'file_name as fileName', 'bytes', 'counts', 'uploaded_at as uploadedAt'] as const;

/** Returns the files of one of the user's websites without their texts, newest first. */
export function listFiles(db: Db, userId: number, websiteId: number) {
  return ownFiles(db, userId, websiteId).select(columns).orderBy('disavow_files.id', 'desc').execute();
}

export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>;

/** Returns a file without its text, and the domain of its website. */
export function findFile(db: Db, userId: number, websiteId: number, id: number) {
  return ownFiles(db, userId, websiteId)
    .select([...columns, 'websites.domain as website'])
    .where('disavow_files.id', '=', id)
    .executeTakeFirst();
}

/** Returns the text of a file; undefined if the user has no such file. */
export async function findContent(db: Db, userId: number, websiteId: number, id: number): Promise<string | undefined> {
  const row = await ownFiles(db, userId, websiteId)
    .select('content')
    .where('disavow_files.id', '=', id)
    .executeTakeFirst();
  return row?.content;
}

function ownFiles(db: Db, userId: number, websiteId: number) {
  return db
    .selectFrom('disavow_files')
    .innerJoin('websites', 'websites.id', 'disavow_files.website_id')
    .where('websites.user_id', '=', userId)
    .where('website_id', '=', websiteId);
}

export async function countFiles(db: Db, websiteId: number): Promise<number> {
  const { count } = await db
    .selectFrom('disavow_files')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('website_id', '=', websiteId)
    .executeTakeFirstOrThrow();
  return count;
}

export interface NewFile {
  websiteId: number;
  fileName: string;
  bytes: number;
  content: string;
  counts: DisavowCounts;
  now: Date;
}

export async function insertFile(
  db: Db,
  { websiteId, fileName, bytes, content, counts, now }: NewFile,
): Promise<number> {
  const { id } = await db
    .insertInto('disavow_files')
    .values({
      website_id: websiteId,
      file_name: fileName,
      bytes,
      content,
      counts: JSON.stringify(counts),
      uploaded_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** @returns whether the user had such a file */
export async function deleteFile(db: Db, userId: number, websiteId: number, id: number): Promise<boolean> {
  const result = await db
    .deleteFrom('disavow_files')
    .using('websites')
    .whereRef('websites.id', '=', 'disavow_files.website_id')
    .where('websites.user_id', '=', userId)
    .where('website_id', '=', websiteId)
    .where('disavow_files.id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export interface DecisionRow {
  domain: string;
  decision: Decision;
}

/**
 * Returns the user's decisions, those about domains with the highest risk in the newest report of the website first,
 * then by name.
 */
export function listDecisions(db: Db, userId: number, websiteId: number): Promise<DecisionRow[]> {
  const newestReport = db
    .selectFrom('reports')
    .select('reports.id')
    .where('reports.website_id', '=', websiteId)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(1);
  return db
    .selectFrom('decisions')
    .innerJoin('websites', 'websites.id', 'decisions.website_id')
    .leftJoin('report_domains as listed', (join) =>
      join.onRef('listed.domain', '=', 'decisions.domain').on('listed.report_id', '=', newestReport),
    )
    .select(['decisions.domain', 'decision'])
    .$narrowType<{ decision: Decision }>()
    .where('websites.user_id', '=', userId)
    .where('decisions.website_id', '=', websiteId)
    .where('decision', 'is not', null)
    .orderBy('listed.risk_level', (order) => order.desc().nullsLast())
    .orderBy('decisions.domain')
    .execute();
}
