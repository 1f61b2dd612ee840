import {
  type compareDisavowFiles,
  type DisavowCounts,
  type DisavowFile,
  type DisavowReview,
  type listDisavowLines,
  maxDisavowFiles,
  maxShownChanges,
} from '#shared/disavow-files.ts';
import type { QueryOf, ResponseOf } from '#shared/endpoint.ts';
import { toPagination } from '#shared/page.ts';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { UploadedFile } from '../files/receive-upload.ts';
import { conflict, notFound } from '../http/errors.ts';
import { getOwnProfile, lockOwnProfile } from '../profiles/profiles.ts';
import { parseLines } from './parse.ts';
import { readDisavowUpload } from './read-upload.ts';
import { listInvalidLines, listTakenBack, type Review, reviewFile, selectLines } from './review.ts';
import * as store from './store.ts';

/** Which file of which website. Every function throws 404 if it is not the user's. */
interface FileKey {
  userId: number;
  profileId: number;
  id: number;
}

/**
 * Stores an uploaded disavow file of a website and compares it with the user's decisions. Throws 400 for a file that is
 * not a disavow file, 413 for one that is too large, 404 if it is not the user's website, and 409 for too many files.
 */
export async function addDisavowFile(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: number,
  profileId: number,
  { path, bytes, fileName }: Pick<UploadedFile, 'path' | 'bytes' | 'fileName'>,
): Promise<DisavowReview> {
  const { text, lines } = await readDisavowUpload({ path, bytes });
  const uploadedAt = now();
  const review = await reviewFile(db, { userId, profileId }, { lines, bytes }, uploadedAt);
  const file = { profileId, fileName, bytes, content: text, counts: review.counts, now: uploadedAt };
  const id = await db.transaction().execute(async (trx) => {
    await lockOwnProfile(trx, userId, profileId);
    if ((await store.countFiles(trx, profileId)) >= maxDisavowFiles) {
      throw conflict(`You can keep up to ${maxDisavowFiles} disavow files for a website. Delete one first.`);
    }
    return store.insertFile(trx, file);
  });
  return toReview({ id, fileName, bytes, uploadedAt }, review);
}

/** Returns the files of the user's website, newest first. Throws 404 if it is not the user's. */
export async function listDisavowFiles(db: Db, userId: number, profileId: number): Promise<DisavowFile[]> {
  await getOwnProfile(db, userId, profileId);
  return (await store.listFiles(db, userId, profileId)).map(toFile);
}

/** Compares a file with the decisions, the blacklist and the protected sites of now. */
export async function getDisavowReview(context: Pick<Context, 'db' | 'now'>, key: FileKey): Promise<DisavowReview> {
  const { row, review } = await readReview(context, key);
  return toReview(row, review);
}

/** Returns a page of the lines of a file, with their status of now. */
export async function listLines(
  context: Pick<Context, 'db' | 'now'>,
  key: FileKey,
  { page, pageSize, ...filter }: QueryOf<typeof listDisavowLines>,
): Promise<ResponseOf<typeof listDisavowLines>> {
  const { review } = await readReview(context, key);
  const { lines, total } = selectLines(review, filter, { page, pageSize });
  return { lines, pagination: toPagination(page, pageSize, total) };
}

/** Returns the valid entries that a file has more and less than another file of the same website. */
export async function compareFiles(
  db: Db,
  key: FileKey,
  otherId: number,
): Promise<ResponseOf<typeof compareDisavowFiles>> {
  const current = listEntries(await getFile(db, key));
  const other = listEntries(await getFile(db, { ...key, id: otherId }));
  const added = [...current.difference(other)].sort();
  const removed = [...other.difference(current)].sort();
  return {
    added: added.slice(0, maxShownChanges),
    removed: removed.slice(0, maxShownChanges),
    addedCount: added.length,
    removedCount: removed.length,
  };
}

const listEntries = ({ content }: store.FileRow): Set<string> =>
  new Set(parseLines(content).flatMap((line) => (line.kind === 'entry' ? line.entry.text : [])));

/** A text file to download. */
interface TextFile {
  text: string;
  fileName: string;
}

/** Returns the uploaded text. Line ends and invalid lines are as they were. */
export async function getOriginalFile(db: Db, key: FileKey): Promise<TextFile> {
  const { content, site, uploadedAt } = await getFile(db, key);
  return { text: content, fileName: `disavow-${site}-uploaded-${toDay(uploadedAt)}.txt` };
}

/** Returns the file merged with the decisions of now, for Google's disavow tool. */
export async function buildMergedFile(context: Pick<Context, 'db' | 'now'>, key: FileKey): Promise<TextFile> {
  const { row, review } = await readReview(context, key);
  return { text: review.merge.text, fileName: `disavow-${row.site}-merged-${toDay(context.now())}.txt` };
}

/** Returns the entries of a file that the decisions of now take back. */
export async function buildReavowList(context: Pick<Context, 'db' | 'now'>, key: FileKey): Promise<TextFile> {
  const { row, review } = await readReview(context, key);
  const day = toDay(context.now());
  const lines = [
    `# Entries of the disavow file of ${row.site} that are taken back, ${day}`,
    '# You decided to keep these domains. The merged file leaves these entries out.',
    ...listTakenBack(review).entries,
  ];
  return { text: `${lines.join('\n')}\n`, fileName: `reavow-${row.site}-${day}.txt` };
}

/** Deletes a file. */
export async function deleteDisavowFile(db: Db, { userId, profileId, id }: FileKey): Promise<void> {
  if (!(await store.deleteFile(db, userId, profileId, id))) throw notFound('disavow file', id);
}

async function readReview({ db, now }: Pick<Context, 'db' | 'now'>, key: FileKey) {
  const row = await getFile(db, key);
  const file = { lines: parseLines(row.content), bytes: row.bytes };
  return { row, review: await reviewFile(db, key, file, now()) };
}

async function getFile(db: Db, { userId, profileId, id }: FileKey): Promise<store.FileRow> {
  const row = await store.findFile(db, userId, profileId, id);
  if (!row) throw notFound('disavow file', id);
  return row;
}

type FileFacts = Pick<store.FileRow, 'id' | 'fileName' | 'bytes' | 'uploadedAt'>;

function toFile({ id, fileName, bytes, uploadedAt, counts }: FileFacts & { counts: DisavowCounts }): DisavowFile {
  return { id, fileName, bytes, uploadedAt: uploadedAt.toISOString(), ...counts };
}

function toReview(file: FileFacts, review: Review): DisavowReview {
  return {
    ...toFile({ ...file, counts: review.counts }),
    invalid: listInvalidLines(review),
    reavow: listTakenBack(review).domains,
    warnings: review.warnings,
  };
}

const toDay = (date: Date) => date.toISOString().slice(0, 10);
