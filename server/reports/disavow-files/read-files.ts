import type { QueryOf, ResponseOf } from '#shared/platform/endpoint.ts';
import { toPagination } from '#shared/platform/page.ts';
import {
  type compareDisavowFiles,
  type DisavowCounts,
  type DisavowFile,
  type DisavowReview,
  type listDisavowLines,
  maxDisavowFiles,
  maxShownChanges,
} from '#shared/reports/disavow-files.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../platform/db/database.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import type { ProcessContext } from '../../platform/processes/run-in-process.ts';
import { recordUse } from '../../platform/throttle/throttle.ts';
import { type Limits, requireRoom } from '../../platform/usage/usage.ts';
import { showWebsite } from '../websites/queries.ts';
import { getOwnWebsite, lockOwnWebsite } from '../websites/websites.ts';
import { parseLines } from './parse.ts';
import { readDisavowUpload } from './read-upload.ts';
import { listInvalidLines, listTakenBack, type Review, reviewFile, selectLines } from './review.ts';
import {
  type CachedFile,
  createReviewCache,
  maxReviewAgeMs,
  minCachedLines,
  type ReviewCache,
} from './review-cache.ts';
import * as store from './store.ts';

// A file can have 200,000 lines, and a website as many decisions, so `addFile`, `readNewFile`, `readFile`, `buildFile`
// and `buildFirstFile` run in a process of their own. They return what is sent as it is.

/** Maximum comparisons and reads of large files that are not in the cache, per user. Each takes up to a second. */
export const maxLargeReadsPerHour = 600;

type FileContext = Pick<Context, 'db' | 'now'> & { cache: ReviewCache };

/** Which file of which website. Every function throws 404 if it is not the user's. */
export interface FileKey {
  userId: number;
  websiteId: number;
  id: number;
}

/** A text file to download. */
export interface TextFile {
  text: string;
  fileName: string;
}

/** The cache of this process. The pool sends the requests of an account to the same process if it can. */
const cache = createReviewCache();

interface NewFileTask {
  userId: number;
  websiteId: number;
  /** `path` is absolute. */
  file: { path: string; bytes: number; fileName: string };
  now: Date;
}

/** Stores a file like `addDisavowFile`. @returns the JSON of its review */
export async function addFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  { limits, ...task }: NewFileTask & { limits: Limits },
): Promise<string> {
  const { review, ...file } = await reviewNewFile(db, task);
  const id = await db.transaction().execute((trx) => storeNewFile(trx, limits, file));
  const { fileName, bytes, now: uploadedAt } = file;
  const reviewed: DisavowReview = toReview({ id, fileName, bytes, uploadedAt }, review);
  return JSON.stringify(reviewed);
}

/** Reads a file like `readNewDisavowFile`. */
export async function readNewFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  task: NewFileTask,
): Promise<NewDisavowFile> {
  const { review: _, ...file } = await reviewNewFile(db, task);
  return file;
}

/** A disavow file that was read, but is not stored. */
export interface NewDisavowFile extends store.NewFile {
  userId: number;
}

/** @throws 400 for a file that is not a disavow file, 404 if it is not the user's website */
async function reviewNewFile(
  db: Db,
  { userId, websiteId, file: { path, bytes, fileName }, now }: NewFileTask,
): Promise<NewDisavowFile & { review: Review }> {
  const { text: content, lines } = await readDisavowUpload({ path, bytes });
  const { domain: website } = await getOwnWebsite(db, userId, websiteId);
  const decisions = await store.listDecisions(db, userId, websiteId);
  const review = await reviewFile(db, { lines, bytes, website }, decisions, toDay(now));
  return { userId, websiteId, fileName, bytes, content, counts: review.counts, now, review };
}

/**
 * Stores a file that was read. A hidden website becomes visible.
 * @returns its id
 * @throws 404 if it is not the user's website, 409 for too many files, and what `requireRoom` throws
 */
export async function storeNewFile(trx: Db, limits: Limits, { userId, ...file }: NewDisavowFile): Promise<number> {
  const { websiteId } = file;
  await lockOwnWebsite(trx, userId, websiteId);
  if ((await store.countFiles(trx, websiteId)) >= maxDisavowFiles) {
    throw conflict(`You can keep up to ${maxDisavowFiles} disavow files for a website. Delete one first.`);
  }
  const id = await store.insertFile(trx, file);
  await showWebsite(trx, websiteId);
  await requireRoom(trx, limits, userId, 'disavow-files');
  return id;
}

export interface ReadTask {
  key: FileKey;
  now: Date;
  /** What to return about the file. */
  part:
    | { name: 'review' }
    | { name: 'lines'; query: QueryOf<typeof listDisavowLines> }
    | { name: 'changes'; since: number };
}

/** Returns the JSON of a response about a stored file. @throws 404 if it is not the user's */
export async function readFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  { key, now, part }: ReadTask,
): Promise<string> {
  const context = { db, now: () => now, cache };
  if (part.name === 'lines') return JSON.stringify(await listLines(context, key, part.query));
  if (part.name === 'changes') return JSON.stringify(await compareFiles(context, key, part.since));
  return JSON.stringify(await getDisavowReview(context, key));
}

export interface DownloadTask {
  key: FileKey;
  now: Date;
  name: 'merged' | 'takeBack' | 'original';
}

/** Builds a text file to download from a stored file. @throws 404 if it is not the user's */
export function buildFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  { key, now, name }: DownloadTask,
): Promise<TextFile> {
  if (name === 'original') return getOriginalFile(db, key);
  const context = { db, now: () => now, cache };
  return name === 'merged' ? buildMergedFile(context, key) : buildTakeBackList(context, key);
}

/**
 * Compares a file with the decisions, the blacklist and the protected sites of now. For a large file, the blacklist and
 * the protected sites can be those of up to a minute ago, and there is an hourly limit.
 */
async function getDisavowReview(context: FileContext, key: FileKey): Promise<DisavowReview> {
  const { row, review } = await readReview(context, key);
  return toReview(row, review);
}

/** Returns a page of the lines of a file, with their status of now. */
async function listLines(
  context: FileContext,
  key: FileKey,
  { page, pageSize, ...filter }: QueryOf<typeof listDisavowLines>,
): Promise<ResponseOf<typeof listDisavowLines>> {
  const { review } = await readReview(context, key);
  const { lines, total } = selectLines(review, filter, { page, pageSize });
  return { lines, pagination: toPagination(page, pageSize, total) };
}

/** Returns the valid entries that only a file has, or only another file of the same website. */
async function compareFiles(
  context: FileContext,
  key: FileKey,
  otherId: number,
): Promise<ResponseOf<typeof compareDisavowFiles>> {
  const [current, other] = [await readEntries(context, key), await readEntries(context, { ...key, id: otherId })];
  const added = [...current.difference(other)].sort();
  const removed = [...other.difference(current)].sort();
  return {
    added: added.slice(0, maxShownChanges),
    removed: removed.slice(0, maxShownChanges),
    addedCount: added.length,
    removedCount: removed.length,
  };
}

async function readEntries(context: FileContext, key: FileKey): Promise<Set<string>> {
  const { parsed } = await readLines(context, key, await getFile(context.db, key));
  return new Set(parsed.flatMap((line) => (line.kind === 'entry' ? line.entry.text : [])));
}

async function getOriginalFile(db: Db, key: FileKey): Promise<TextFile> {
  const { website, uploadedAt } = await getFile(db, key);
  return { text: await getContent(db, key), fileName: `disavow-${website}-uploaded-${toDay(uploadedAt)}.txt` };
}

/** Returns the file merged with the decisions of now, for Google's disavow tool. */
async function buildMergedFile(context: FileContext, key: FileKey): Promise<TextFile> {
  const { row, review } = await readReview(context, key);
  return { text: review.merge.text, fileName: `disavow-${row.website}-merged-${toDay(context.now())}.txt` };
}

/** Returns the domains that the user decided to disavow, for a website without a file. */
export async function buildFirstFile(
  { db }: Pick<ProcessContext<never>, 'db'>,
  { userId, websiteId, now }: Omit<FileKey, 'id'> & { now: Date },
): Promise<TextFile> {
  const { domain: website } = await getOwnWebsite(db, userId, websiteId);
  const decisions = await store.listDecisions(db, userId, websiteId);
  const day = toDay(now);
  const { merge } = await reviewFile(db, { lines: [], bytes: 0, website }, decisions, day);
  return { text: merge.text, fileName: `disavow-${website}-${day}.txt` };
}

/** Returns the entries of a file that the decisions of now take back. */
async function buildTakeBackList(context: FileContext, key: FileKey): Promise<TextFile> {
  const { row, review } = await readReview(context, key);
  const day = toDay(context.now());
  const lines = [
    `# Take-back list of the disavow file of ${row.website}, ${day}`,
    '# You decided to keep these domains. The merged file leaves these entries out.',
    ...listTakenBack(review).entries,
  ];
  return { text: `${lines.join('\n')}\n`, fileName: `take-back-${row.website}-${day}.txt` };
}

async function readReview(context: FileContext, key: FileKey): Promise<{ row: store.FileRow; review: Review }> {
  const { db, now } = context;
  const row = await getFile(db, key);
  const decisions = await store.listDecisions(db, key.userId, key.websiteId);
  const file = await readLines(context, key, row);
  const startedAt = now();
  const day = toDay(startedAt);
  const version = `${day} ${JSON.stringify(decisions)}`;
  const last = file.review;
  if (last?.version === version && startedAt.getTime() - last.startedAt.getTime() < maxReviewAgeMs) {
    return { row, review: await last.result };
  }
  const compare = async () => {
    await recordRead(context, key, row);
    return reviewFile(db, { lines: file.parsed, bytes: row.bytes, website: row.website }, decisions, day);
  };
  // Set before it is finished, so that requests at the same time share it.
  const review = { version, startedAt, result: compare() };
  file.review = review;
  try {
    return { row, review: await review.result };
  } catch (error) {
    if (file.review === review) delete file.review;
    throw error;
  }
}

/** Returns the lines of a file: from the cache, or from the database. */
async function readLines(context: FileContext, key: FileKey, row: store.FileRow): Promise<CachedFile> {
  const { db, cache } = context;
  const cached = cache.find(key.id);
  if (cached) return cached;
  await recordRead(context, key, row);
  const content = await getContent(db, key);
  // Another request may have read it meanwhile.
  const file = cache.find(key.id) ?? { parsed: parseLines(content) };
  if (isLarge(row)) cache.set(key.id, file);
  return file;
}

const isLarge = ({ counts }: store.FileRow): boolean => counts.lines >= minCachedLines;

async function recordRead({ db, now }: FileContext, { userId }: FileKey, row: store.FileRow): Promise<void> {
  if (!isLarge(row)) return;
  const limitMessage = 'You have compared large disavow files too often in the last hour. Try again later.';
  await recordUse(db, { key: `disavow-read:${userId}`, maxPerHour: maxLargeReadsPerHour, limitMessage }, now());
}

async function getFile(db: Db, { userId, websiteId, id }: FileKey): Promise<store.FileRow> {
  const row = await store.findFile(db, userId, websiteId, id);
  if (!row) throw notFound('disavow file', id);
  return row;
}

async function getContent(db: Db, { userId, websiteId, id }: FileKey): Promise<string> {
  const content = await store.findContent(db, userId, websiteId, id);
  if (content === undefined) throw notFound('disavow file', id);
  return content;
}

type FileFacts = Pick<store.FileRow, 'id' | 'fileName' | 'bytes' | 'uploadedAt'>;

export function toFile({
  id,
  fileName,
  bytes,
  uploadedAt,
  counts,
}: FileFacts & { counts: DisavowCounts }): DisavowFile {
  return { id, fileName, bytes, uploadedAt: uploadedAt.toISOString(), ...counts };
}

function toReview(file: FileFacts, review: Review): DisavowReview {
  return {
    ...toFile({ ...file, counts: review.counts }),
    invalid: listInvalidLines(review),
    reavow: listTakenBack(review).domains,
    warnings: review.warnings,
    severeWarnings: review.severeWarnings,
  };
}

const toDay = (date: Date) => date.toISOString().slice(0, 10);
